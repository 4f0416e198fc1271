import type { Summary } from '../../readings/chart/chart-series';
import { formatShort, shownValue, storedValue } from '../../readings/format/format-value';
import { LEVELS, levelOf } from '../../readings/level/level';
import { MAIN_METRICS, type Metric, type MetricField, type Thresholds } from '../../readings/metric';

export interface Axis {
  min: number;
  max: number;
  /** Every axis has the same number of ticks, at the same heights. */
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
 * Scales the axes of metrics with thresholds to the good threshold, so that zero, thresholds and ticks lie at the same heights.
 * The axes of other metrics fit their values, with ticks at the same heights.
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
  const [first, last, step] = ticksFor(lowest, highest);
  const steps = levelled.length > 0 ? last - first : FREE_STEPS;
  const axisOf = (metric: Metric): Axis => {
    if (!thresholds[metric.field]) return freeAxis(points, metric, steps);
    const good = goodOf(metric);
    const ticks = Array.from({ length: steps + 1 }, (_, i) => (first + i) * step * good);
    return { min: first * step * good, max: last * step * good, ticks };
  };
  const measured = metrics.filter(({ field }) => points.some((point) => point[field]));
  const heights = measured.map(({ field }) => {
    const threshold = thresholds[field];
    return threshold && threshold.moderate / threshold.good;
  });
  const [height] = heights;
  return {
    axisOf,
    zonesOf: worstMetric(points, thresholds, levelled),
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

/** Returns an axis that fits a metric's values and comfortable band, with round ticks in the viewer's unit. */
function freeAxis(points: readonly Values[], metric: Metric, steps: number): Axis {
  const { band } = metric;
  const values = [
    ...valuesOf(points, metric, 'lowest'),
    ...valuesOf(points, metric, 'highest'),
    ...(band ? [band.from, band.to] : []),
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

/** Returns the first and last tick (in steps from zero) and the step (as a multiple of the good threshold). */
function ticksFor(lowest: number, highest: number): [number, number, number] {
  for (let power = 1; ; power *= 10) {
    // Multiples of 0.25 and 0.5 also hit the good threshold. No axis is short enough for smaller steps.
    for (const step of power === 1 ? [0.25, 0.5, 1, 2, 5] : [power, 2 * power, 5 * power]) {
      const first = Math.floor(lowest / step);
      // A value on the last tick gets another tick above it, to keep its dot and zone visible.
      const last = Math.max(Math.ceil(LEAST_REACH / step), Math.floor(highest / step) + 1);
      if (last - first <= MAX_STEPS) return [first, last, step];
    }
  }
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
  const badness = (metric: Metric) => {
    const threshold = thresholds[metric.field];
    const worst = valuesOf(points, metric, 'average').reduce((a, b) => Math.max(a, b), -LARGEST);
    return threshold
      ? ([LEVELS.indexOf(levelOf(worst, threshold)), worst / threshold.good] as const)
      : ([0, 0] as const);
  };
  return levelled.reduce<Metric | null>((worst, metric) => {
    if (!worst) return metric;
    const [[level, reach], [otherLevel, otherReach]] = [badness(worst), badness(metric)];
    return otherLevel > level || (otherLevel === level && otherReach > reach) ? metric : worst;
  }, null);
}
