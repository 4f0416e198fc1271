import { startOfDay } from '../../readings/time/local-day';

/** A place on the time axis of a chart, in its unit, where something with a name begins: a day, a month or a year. */
export interface TimeMark {
  position: number;
  name: string;
  /** True if it has begun before the part in view, at whose start only its name is drawn. */
  hasBegun?: boolean;
}

/** A local midnight between two points of a chart. */
export interface Midnight {
  /** Its place: 2.5 lies halfway between the points with the indexes 2 and 3. */
  position: number;
  /** The day that starts. */
  day: Date;
}

/**
 * Finds where the local day changes between neighbouring points. Where several days start between two points, only
 * the last of them is returned.
 *
 * @param points oldest first, with the time of their first reading
 */
export function findMidnights(points: readonly { from: string }[]): Midnight[] {
  const times = points.map(({ from }) => new Date(from));
  return times.flatMap((time, i) => {
    const before = times[i - 1];
    if (!before) return [];
    const day = startOfDay(time);
    if (before >= day) return [];
    const share = (day.getTime() - before.getTime()) / (time.getTime() - before.getTime());
    return [{ position: i - 1 + share, day }];
  });
}
