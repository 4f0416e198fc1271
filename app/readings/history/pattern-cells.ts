import { formatAverage } from '../format/format-value';
import { levelOf } from '../level/level';
import type { Threshold } from '../level/threshold';
import type { Metric } from '../metric';
import { clockTime } from '../time/clock-time';
import type { Span } from '../time/history-span';
import { formatWeekday } from '../time/local-day';
import type { RowTime } from '../time/time-rows';
import type { Cell } from './history-answer';

/** The unit of a pattern's cells. */
export type PatternUnit = 'hour' | 'day';

/** Finds the cell of an hour or a day; undefined if it has no readings. */
export type CellFinder = (time: Span) => Cell | undefined;

/**
 * Returns a function that finds the cell of an hour or a day. The server's time zones may be older than the browser's, and
 * its days then begin an hour earlier or later: the cell is the one that has most of the time.
 *
 * @param cells oldest first
 */
export function cellFinder(cells: readonly Cell[]): CellFinder {
  const starts = cells.map(({ start }) => Date.parse(start));
  return ({ from, to }) => {
    const half = (to - from) / 2;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= from - half) low = middle + 1;
      else high = middle;
    }
    return (starts[low] ?? to) <= from + half ? cells[low] : undefined;
  };
}

/** Returns the time whose cell has the highest average of a metric, the newest of several; undefined if none has one. */
export function worstTime(
  times: readonly RowTime[],
  find: CellFinder,
  { field }: Metric,
): RowTime | undefined {
  let [worst, highest]: [RowTime | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    const average = find(time)?.[field]?.average ?? Number.NEGATIVE_INFINITY;
    if (average > Number.NEGATIVE_INFINITY && average >= highest) [worst, highest] = [time, average];
  }
  return worst;
}

/** Names an hour or a day: `Sat 21 Nov, 18:00–19:00`, or `Sat 21 Nov 2026`. */
export function nameTime({ from, to, turn }: RowTime, by: PatternUnit): string {
  const start = new Date(from);
  if (by === 'day') return `${formatWeekday(start)} ${start.getFullYear()}`;
  // Not the clock at the end: where the clocks are set back, that would be the time of the start.
  const end = new Date(2026, 0, 1, start.getHours(), start.getMinutes() + (to - from) / 60_000);
  return `${formatWeekday(start)}, ${clockTime(start)}–${clockTime(end)}${turn ? ` (${turn} time)` : ''}`;
}

/** Says a cell's average and level: `average 1213 PPM, moderate`. */
export function describeAverage(average: number, { unit }: Metric, threshold: Threshold): string {
  return `average ${formatAverage(average, threshold)} ${unit}, ${levelOf(average, threshold)}`;
}
