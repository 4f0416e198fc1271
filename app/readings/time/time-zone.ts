import { dropOldest } from '../drop-oldest';

/** A period during which a zone has one offset from UTC. All numbers are seconds; times are since 1970. */
export interface OffsetPeriod {
  from: number;
  to: number;
  /** Local time minus UTC. */
  offset: number;
}

/** Clock changes are further apart than this: the closest pair is Morocco's, around Ramadan. */
const SAMPLE_SECONDS = 14 * 86_400;

/** The number of cached formatters. Each takes 25 ms and 50 kB, and a request may name any zone. */
const KEPT_ZONES = 20;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns true for the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns a zone's offset (local time minus UTC) at a time, in seconds. */
export function zoneOffset(zone: string, time: number): number {
  const [, sign, hours, minutes, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(zone).format(time * 1000)) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Formats a zone's local time as ISO 8601 with `Z`, as if it were UTC. `ms` is milliseconds since 1970. */
export function localIsoTime(zone: string, ms: number): string {
  return new Date(ms + zoneOffset(zone, Math.floor(ms / 1000)) * 1000).toISOString();
}

/** Splits a span at a zone's clock changes. */
export function offsetPeriods(zone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  let period = { from, offset: zoneOffset(zone, from) };
  for (let time = from; time < to; ) {
    const next = Math.min(time + SAMPLE_SECONDS, to);
    const isChanged = zoneOffset(zone, next) !== period.offset;
    time = isChanged ? changeBetween(zone, time, next, period.offset) : next;
    if (!isChanged) continue;
    periods.push({ ...period, to: time });
    period = { from: time, offset: zoneOffset(zone, time) };
  }
  return period.from < to ? [...periods, { ...period, to }] : periods;
}

/** Finds the clock change between two times: the first second at which the zone no longer has `offset`. */
function changeBetween(zone: string, before: number, after: number, offset: number): number {
  let [known, changed] = [before, after];
  while (changed - known > 1) {
    const middle = Math.floor((known + changed) / 2);
    if (zoneOffset(zone, middle) === offset) known = middle;
    else changed = middle;
  }
  return changed;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  dropOldest(formats, KEPT_ZONES);
  return format;
}
