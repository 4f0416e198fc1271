import { localIsoTime } from '../readings/time/time-zone';

/** A span of the day in which nothing is told, by local time such as `22:00`. It may pass midnight. */
export interface QuietHours {
  from: string;
  /** Not a part of it. */
  to: string;
}

/**
 * Tells whether it is quiet, by the clocks of a time zone: the hours are as long as the clocks make them.
 *
 * @param now milliseconds since 1970
 */
export function isQuiet({ from, to }: QuietHours, timeZone: string, now: number): boolean {
  const time = localIsoTime(timeZone, now).slice(11, 16);
  return from <= to ? from <= time && time < to : time >= from || time < to;
}
