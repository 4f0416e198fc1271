import { formatAverage, formatValue, withUnit } from '../format/format-value';
import { levelOf } from '../level/level';
import type { Metric, Threshold } from '../metric';
import { formatMeasured } from '../time/durations';
import type { Span } from '../time/history-span';
import { clockTime, formatWeekday } from '../time/local-time';
import {
  type Cell,
  levelSecondsOf,
  type MetricAnswer,
  type MetricTime,
  measuredSeconds,
} from './history-answer';
import type { RowTime } from './time-rows';

/** The unit of a pattern's cells. */
export type PatternUnit = 'hour' | 'day';

/** Finds the cell of an hour or a day; undefined if it has no readings. */
export type CellFinder = (time: Span) => Cell | undefined;

/**
 * Returns a function that finds the cell of an hour or a day. If the server's time-zone data is older than the browser's, its
 * days may start an hour earlier or later. The function then returns the cell that overlaps most.
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

/**
 * Returns the usual measured time of an hour or a day: half of all measured time lies in cells with at least this much.
 * Unlike a median, it isn't lowered by many hours with single readings.
 */
export function usualSeconds(measured: readonly number[]): number {
  let rest = measured.reduce((sum, seconds) => sum + seconds, 0) / 2;
  for (const seconds of [...measured].sort((a, b) => b - a)) {
    rest -= seconds;
    if (rest <= 0) return seconds;
  }
  return 0;
}

/** Returns the usual measured time of a metric's cells, in seconds. */
export function usualCellSeconds(cells: readonly Cell[], { field }: Metric): number {
  return usualSeconds(cells.flatMap(({ [field]: values }) => (values ? measuredSeconds(values) : [])));
}

/** Returns true if less than half of the usual time was measured, which is too little to compare. */
export function isSparse(measured: number, usual: number): boolean {
  return measured < usual / 2;
}

/**
 * Returns a metric's worst time, the one that was poor for longest. Ties are decided by the time in moderate, then by the
 * average, then by the newer time. Ignores sparse times. Undefined if there are no others.
 *
 * @param usual the usual measured time, in seconds
 */
export function worstTime(
  times: readonly RowTime[],
  find: CellFinder,
  { field }: Metric,
  usual: number,
): RowTime | undefined {
  let worst: { time: RowTime; values: MetricAnswer } | undefined;
  for (const time of times) {
    const values = find(time)?.[field];
    if (!values || isSparse(measuredSeconds(values), usual)) continue;
    if (!worst || compareBadness(values, worst.values) >= 0) worst = { time, values };
  }
  return worst?.time;
}

function compareBadness(a: MetricAnswer, b: MetricAnswer): number {
  const [first, second] = [levelSecondsOf(a), levelSecondsOf(b)];
  return (
    (first?.poor_seconds ?? 0) - (second?.poor_seconds ?? 0) ||
    (first?.moderate_seconds ?? 0) - (second?.moderate_seconds ?? 0) ||
    a.average - b.average
  );
}

/** Formats an hour or a day: `Sat 21 Nov, 18:00–19:00`, or `Sat 21 Nov 2026`. */
export function nameTime({ from, to, turn }: RowTime, by: PatternUnit): string {
  const start = new Date(from);
  if (by === 'day') return `${formatWeekday(start)} ${start.getFullYear()}`;
  // Computed from the length: when clocks are set back, the clock shows the start time again at the end.
  const end = new Date(2026, 0, 1, start.getHours(), start.getMinutes() + (to - from) / 60_000);
  return `${formatWeekday(start)}, ${clockTime(start)}–${clockTime(end)}${turn ? ` (${turn} time)` : ''}`;
}

/**
 * Describes a cell: its average, its level, its time above a threshold or outside the band, and its measured time if that is
 * short: `average 702 PPM, good, above 1000 PPM for 3 h 10 min`, `average 900 PPM, good, only 5 min measured`.
 */
export function describeCell(
  values: MetricAnswer,
  metric: Metric,
  threshold: Threshold | undefined,
  usual: number,
): string {
  const measured = measuredSeconds(values);
  return [
    `average ${withUnit(metric, formatAverage(values.average, threshold, undefined, metric))}`,
    threshold ? levelOf(values.average, threshold) : rangeText(values, metric),
    threshold ? thresholdText(values, metric, threshold) : outsideText(values, metric),
    isSparse(measured, usual) && onlyMeasured(measured),
  ]
    .filter(Boolean)
    .join(', ');
}

function thresholdText(values: MetricAnswer, metric: Metric, threshold: Threshold): string | null {
  const { moderate_seconds = 0, poor_seconds = 0 } = levelSecondsOf(values) ?? {};
  const [limit, seconds] =
    poor_seconds > 0 ? [threshold.moderate, poor_seconds] : [threshold.good, moderate_seconds];
  if (seconds === 0) return null;
  return `${values.highest === limit ? 'at' : 'above'} ${withUnit(metric, limit)} for ${formatMeasured(seconds)}`;
}

function rangeText({ lowest, highest }: MetricAnswer, metric: Metric): string {
  return `${formatValue(lowest, undefined, metric)} to ${formatValue(highest, undefined, metric)}`;
}

/** Formats the time outside a metric's comfortable band: `outside 30 to 60 % for 2 h`; null if it has no band. */
export function outsideText(time: MetricTime, { band, unit }: Metric): string | null {
  if (!band || !('outside_seconds' in time)) return null;
  const seconds = time.outside_seconds ?? 0;
  const lasting = seconds > 0 ? `for ${formatMeasured(seconds)}` : 'never';
  return `outside ${band.from} to ${band.to} ${unit} ${lasting}`;
}

/** Formats a short measured time: `only 5 min measured`. */
export function onlyMeasured(seconds: number): string {
  return `only ${formatMeasured(seconds)} measured`;
}
