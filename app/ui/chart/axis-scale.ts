import type { Summary } from '../../readings/chart/chart-series';
import { formatShort, shownValue, storedValue } from '../../readings/format/format-value';
import {
  bandOf,
  hasLevels,
  isLowBad,
  LEVELS,
  levelOf,
  levelRanges,
  severityOf,
  thresholdsOf,
} from '../../readings/level/level';
import { MAIN_METRICS, type Metric, type MetricField, type Thresholds } from '../../readings/metric';

export interface Axis {
  min: number;
  max: number;
  /** Round numbers in the viewer's unit, at the heights of the first axis's ticks if round numbers lie there. */
  ticks: number[];
}

/** The axes of a chart, and the metric whose thresholds bound its zones. */
export interface AxisScale {
  axisOf(metric: Metric): Axis;
  /**
   * The metric whose thresholds are drawn: the worse one, if the metrics' thresholds lie at different heights. Null if no metric
   * has thresholds.
   */
  zonesOf: Metric | null;
  /** True if the thresholds of all measured metrics lie at the same heights, so that the zones fit every metric. */
  isShared: boolean;
}

type Values = { [F in MetricField]?: Summary | null };

/** An axis with thresholds reaches at least this many times its good threshold, so that good air looks low. */
const LEAST_REACH = 1.5;

const MAX_STEPS = 6;

/** Larger numbers overflow on an axis, where Chart.js would loop forever. */
const LARGEST = 1e290;

export function drawable(value: number): number {
  return Math.min(Math.max(value, -LARGEST), LARGEST);
}

/**
 * Scales the axes of metrics with thresholds to the good threshold, so that zero and thresholds lie at the same heights. The first of
 * them gets an axis with round ticks, and so do the others if their numbers at the same heights are round, as for CO2 and VOC.
 * Otherwise they have ticks of their own. The axes of metrics without thresholds fit their values, with as many ticks as the first.
 */
export function axisScale(
  points: readonly Values[],
  thresholds: Thresholds,
  metrics: readonly Metric[] = MAIN_METRICS,
): AxisScale {
  const levelled = metrics.filter(({ field }) => thresholds[field]);
  const goodOf = ({ field }: Metric) => thresholds[field]?.good ?? 1;
  const inThresholds = (edge: 'lowest' | 'highest') =>
    levelled.flatMap((metric) => valuesOf(points, metric, edge).map((value) => value / goodOf(metric)));
  const lowest = inThresholds('lowest').reduce((a, b) => Math.min(a, b), 0);
  const highest = inThresholds('highest').reduce((a, b) => Math.max(a, b), 0);
  const unit = levelled[0] ? goodOf(levelled[0]) : 1;
  const [first, last, step] = ticksFor(lowest, highest, unit);
  const steps = levelled.length > 0 ? last - first : FREE_STEPS;
  const axisOf = (metric: Metric): Axis => {
    if (!thresholds[metric.field]) return freeAxis(points, metric, thresholds, steps);
    // In steps of the first metric.
    const size = step * (goodOf(metric) / unit);
    const [min, max] = [first * size, last * size];
    const ticks = isRound(size) ? multiples(size, first, steps) : ticksBetween(min, max);
    return { min, max, ticks };
  };
  const measured = metrics.filter(({ field }) => points.some((point) => point[field]));
  const heights = measured.map((metric) => {
    const threshold = thresholds[metric.field];
    // Limits of comfort lie at the heights of no other metric.
    if (!threshold && hasLevels(metric, thresholds)) return Number.NaN;
    return threshold && threshold.moderate / threshold.good;
  });
  const [height] = heights;
  return {
    axisOf,
    zonesOf: worstMetric(
      points,
      thresholds,
      metrics.filter((metric) => hasLevels(metric, thresholds)),
    ),
    isShared: heights.every(
      (other) => other === height || (other && height && Math.abs(other / height - 1) < 1e-6),
    ),
  };
}

function valuesOf(
  points: readonly Values[],
  { field }: Metric,
  edge: 'lowest' | 'highest' | 'average',
): number[] {
  return points.flatMap(({ [field]: summary }) => (summary ? drawable(summary[edge]) : []));
}

/** The number of steps on an axis if no metric has thresholds. */
const FREE_STEPS = 5;

/** The smallest step: half a degree, percent or hPa. Smaller steps would make noise look like a change. */
const LEAST_STEP = 0.5;

/** Returns an axis that fits a metric's values and its limits of comfort, with round ticks in the viewer's unit. */
function freeAxis(points: readonly Values[], metric: Metric, thresholds: Thresholds, steps: number): Axis {
  const band = bandOf(metric, thresholds);
  const limits = levelRanges(metric, thresholds).flatMap(({ from, to }) => [from, to]);
  const values = [
    ...valuesOf(points, metric, 'lowest'),
    ...valuesOf(points, metric, 'highest'),
    ...[...limits, ...(band ? [band.from, band.to] : [])].filter(Number.isFinite),
  ].map((value) => shownValue(metric, value));
  const lowest = values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
  const highest = values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);
  let first = 0;
  let step = 1;
  for (step of roundSteps(LEAST_STEP)) {
    first = Math.floor(lowest / step);
    if (first + steps > highest / step) break;
  }
  // Centres the values, but starts at zero or above if no value is negative.
  const spare = Math.floor((first + steps - highest / step) / 2);
  first = Math.max(first - spare, lowest < 0 ? Number.NEGATIVE_INFINITY : 0);
  const ticks = Array.from({ length: steps + 1 }, (_, i) => storedValue(metric, (first + i) * step));
  return { min: Math.min(...ticks), max: Math.max(...ticks), ticks };
}

/** Yields 0.5, 1, 2, 2.5, 5, 10, 20, 25 and so on, endlessly. */
function* roundSteps(least: number): Generator<number> {
  for (let step = least; ; step *= 10) yield* [step, 2 * step, 4 * step, 5 * step];
}

/**
 * Returns the first and last tick, in steps from zero, and the step.
 *
 * @param lowest as a multiple of the good threshold, as is `highest`
 */
function ticksFor(lowest: number, highest: number, good: number): [number, number, number] {
  for (const step of roundSteps(5 * 10 ** Math.floor(Math.log10(good / MAX_STEPS) - 1))) {
    const steps = good / step;
    const first = Math.floor(lowest * steps);
    // A value on the last tick gets another tick above it, to keep its dot and zone visible.
    const last = Math.max(Math.ceil(LEAST_REACH * steps), Math.floor(highest * steps) + 1);
    if (last - first <= MAX_STEPS) return [first, last, step];
  }
  return [0, 0, 0];
}

/** Returns ticks at round numbers between two values. */
function ticksBetween(min: number, max: number): number[] {
  const least = 5 * 10 ** Math.floor(Math.log10((max - min) / MAX_STEPS) - 1);
  for (const step of roundSteps(least)) {
    const [first, last] = [Math.ceil(min / step), Math.floor(max / step)];
    if (last - first <= MAX_STEPS) return multiples(step, first, last - first);
  }
  return [];
}

function multiples(step: number, first: number, steps: number): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => (first + i) * step);
}

/** The first digits of round steps. */
const ROUND = ['1', '2', '2.5', '4', '5', '8'];

function isRound(step: number): boolean {
  return ROUND.includes(String(Number(step.toExponential(6).split('e')[0])));
}

/** A phone has room for five digits beside an axis. */
const LONG_FROM = 1e5;

/** Formats a tick without digit grouping, like the tiles. `Intl` would take a quarter of a chart's first drawing. */
export function formatTick(tick: number): string {
  return Math.abs(tick) < LONG_FROM ? String(Number(tick.toPrecision(12))) : formatShort(tick);
}

/**
 * Returns the metric with the worst average in the chart: first by level, then relative to its good threshold. Null if there is
 * no metric.
 */
function worstMetric(
  points: readonly Values[],
  thresholds: Thresholds,
  levelled: readonly Metric[],
): Metric | null {
  const badness = (metric: Metric): readonly [level: number, reach: number] => {
    const averages = valuesOf(points, metric, 'average');
    const threshold = thresholds[metric.field];
    const sides = thresholdsOf(metric, thresholds).map((side) => {
      const [worse, least] = isLowBad(side) ? [Math.min, LARGEST] : [Math.max, -LARGEST];
      const worst = averages.reduce((a, b) => worse(a, b), least);
      const reach = threshold ? worst / threshold.good : severityOf(worst, side, metric);
      return [LEVELS.indexOf(levelOf(worst, side)), reach] as const;
    });
    return sides.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a), [0, -LARGEST]);
  };
  return levelled.reduce<Metric | null>((worst, metric) => {
    if (!worst) return metric;
    const [[level, reach], [otherLevel, otherReach]] = [badness(worst), badness(metric)];
    return otherLevel > level || (otherLevel === level && otherReach > reach) ? metric : worst;
  }, null);
}
