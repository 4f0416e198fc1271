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
