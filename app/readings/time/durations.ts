/** Durations. The suffix is the unit: milliseconds, seconds or microseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const HOUR_S = 3600;
export const DAY_S = 86_400;

export const SECOND_US = 1_000_000;
export const DAY_US = DAY_S * SECOND_US;

/** Returns the beginning of the UTC day that contains a time. Both are in seconds since 1970. */
export const utcDay = (seconds: number): number => Math.floor(seconds / DAY_S) * DAY_S;

/** Units of time with their length in milliseconds, longest first. */
const UNITS = [
  ['year', 365 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration: `12 s`, `4 min`, `3 h`, `2 d`, `8 years`. Rounds down; a negative duration is `0 s`. */
export function formatDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? UNITS[4];
  return counted(Math.max(0, Math.floor(ms / size)), unit);
}

/** Formats a duration, without seconds from a minute on: `12 s`, `27 min`, `1 h 7 min`, `2 d`. Rounds down. */
export function formatWholeMinutes(ms: number): string {
  return ms < 3_600_000 ? formatDuration(ms) : formatLongDuration(ms);
}

/** Formats a duration with up to two units: `12 s`, `1 h 15 min`, `7 d 18 h`, `2 d`, `1 year 35 d`. Rounds down. */
export function formatLongDuration(ms: number): string {
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const next = first < 0 ? undefined : UNITS[first + 1];
  const rest = next && Math.floor((ms % (UNITS[first]?.[1] ?? 1)) / next[1]);
  return next && rest ? `${formatDuration(ms)} ${rest} ${next[0]}` : formatDuration(ms);
}

/** Seconds are left out from this length on, because time is counted in five-minute slots. */
const WHOLE_MINUTES_FROM = 600;

/** Formats a measured time like `formatLongDuration`, without seconds from ten minutes on. */
export function formatMeasured(seconds: number): string {
  const shown = seconds < WHOLE_MINUTES_FROM ? seconds : seconds - (seconds % 60);
  return formatLongDuration(shown * 1000);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit === 'year' && count > 1 ? 'years' : unit}`;
}
