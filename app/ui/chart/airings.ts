import type { ChartPoint } from '../../readings/chart/chart-series';
import type { AiringAnswer } from '../../readings/room/ventilation-answer';
import { formatWholeMinutes } from '../../readings/time/durations';
import { formatWithDay, type TimeFormat } from '../../readings/time/local-time';

/** An airing on a chart's time axis, in the axis's unit. `end` is the current time for an unfinished airing. */
export interface PlacedAiring {
  start: number;
  end: number;
  /** `aired 8 min` or `aired 9 min so far`. */
  label: string;
  from: string;
}

/**
 * Returns the airings that overlap a chart's view.
 *
 * @param placeOf converts milliseconds since 1970 to a place on the axis
 * @param view the first and the last place in view
 * @param now the end of an unfinished airing, in milliseconds since 1970
 */
export function placeAirings(
  airings: readonly AiringAnswer[],
  placeOf: (time: number) => number,
  view: { from: number; to: number },
  now: number,
): PlacedAiring[] {
  return airings.flatMap(({ from, to }) => {
    const [since, until] = [Date.parse(from), to === null ? now : Date.parse(to)];
    const [start, end] = [placeOf(since), placeOf(until)];
    if (end < view.from || start > view.to) return [];
    return [{ start, end, label: airingLabel(until - since, to === null), from }];
  });
}

function airingLabel(ms: number, isGoingOn: boolean): string {
  return `aired ${formatWholeMinutes(Math.round(ms / 60_000) * 60_000)}${isGoingOn ? ' so far' : ''}`;
}

/**
 * Returns a function that converts a time to its place among equally spaced points: 2.5 is halfway between points 2 and
 * 3. The place is -1 before the first point, and the last index after the last point.
 *
 * @param points oldest first
 */
export function placeAmong(points: readonly ChartPoint[]): (time: number) => number {
  const starts = points.map(({ from }) => Date.parse(from));
  return (time) => {
    const next = starts.findIndex((start) => start > time);
    if (next < 0) return starts.length - 1;
    const [before, after] = [starts[next - 1], starts[next]];
    if (before === undefined || after === undefined) return -1;
    return next - 1 + (time - before) / (after - before);
  };
}

/** Describes airings for screen readers: `Aired 3 times, last at 21 Nov 10:45 for 9 min so far.` */
export function describeAirings(
  airings: readonly PlacedAiring[],
  now: Date | null,
  format: TimeFormat,
): string {
  const last = airings.at(-1);
  if (!last) return '';
  const times = airings.length === 1 ? 'once' : `${airings.length} times`;
  if (!now) return `Aired ${times}.`;
  const length = last.label.replace('aired ', '');
  return `Aired ${times}, ${airings.length === 1 ? '' : 'last '}at ${formatWithDay(new Date(last.from), now, format)} for ${length}.`;
}
