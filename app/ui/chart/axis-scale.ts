import type { Summary } from '../../readings/chart/chart-series';
import { formatShort } from '../../readings/format/format-value';
import { LEVELS, levelOf } from '../../readings/level/level';
import {
  MAIN_METRICS,
  type Metric,
  type MetricField,
  type Thresholds,
  thresholdOf,
} from '../../readings/metric';

export interface Axis {
  min: number;
  max: number;
  /** As many as every other axis has, at the same heights. */
  ticks: number[];
}

/** The axes of a chart, and whose thresholds bound its zones. */
export interface AxisScale {
  axisOf(metric: Metric): Axis;
  /** The metric whose thresholds are drawn: the worse one, where the thresholds of the others lie at other heights. */
  zonesOf: Metric;
  /** True if the thresholds of all measured metrics lie at the same heights, so that the zones are true for each. */
  isShared: boolean;
}

type Values = { [F in MetricField]?: Summary | null };

/** Every axis reaches this many times its good threshold, so that good air looks low. */
const LEAST_REACH = 1.5;

const MAX_STEPS = 6;

/** A larger number overflows on an axis, and Chart.js would compute forever. */
const LARGEST = 1e290;

export function drawable(value: number): number {
  return Math.min(Math.max(value, -LARGEST), LARGEST);
}

/** Scales all axes to the good threshold, so that zero, thresholds and ticks lie at the same heights. */
export function axisScale(
  points: readonly Values[],
  thresholds: Thresholds,
  metrics: readonly Metric[] = MAIN_METRICS,
): AxisScale {
  const inThresholds = (edge: 'lowest' | 'highest') =>
    metrics.flatMap(({ field }) =>
      points.flatMap(({ [field]: summary }) =>
        summary ? drawable(summary[edge]) / thresholdOf(thresholds, field).good : [],
      ),
    );
  const lowest = inThresholds('lowest').reduce((a, b) => Math.min(a, b), 0);
  const highest = inThresholds('highest').reduce((a, b) => Math.max(a, b), 0);
  const [first, last, step] = ticksFor(lowest, highest);
  const axisOf = ({ field }: Metric): Axis => {
    const { good } = thresholdOf(thresholds, field);
    const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step * good);
    return { min: first * step * good, max: last * step * good, ticks };
  };
  const measured = metrics.filter(({ field }) => points.some((point) => point[field]));
  const heights = measured.map(
    ({ field }) => thresholdOf(thresholds, field).moderate / thresholdOf(thresholds, field).good,
  );
  return {
    axisOf,
    zonesOf: worstMetric(points, thresholds, metrics),
    isShared: heights.every((height) => Math.abs(height / (heights[0] ?? 1) - 1) < 1e-6),
  };
}

/** Returns the first and the last tick, counted in steps from zero, and the step, all in good thresholds. */
function ticksFor(lowest: number, highest: number): [number, number, number] {
  for (let power = 1; ; power *= 10) {
    // The quarter and the half meet the good threshold too. No axis is short enough for less.
    for (const step of power === 1 ? [0.25, 0.5, 1, 2, 5] : [power, 2 * power, 5 * power]) {
      const first = Math.floor(lowest / step);
      // A value on a tick gets another one above it: its dot and its zone stay visible.
      const last = Math.max(Math.ceil(LEAST_REACH / step), Math.floor(highest / step) + 1);
      if (last - first <= MAX_STEPS) return [first, last, step];
    }
  }
}

/** On a phone there is room for five digits beside an axis. */
const LONG_FROM = 1e5;

/** Formats a tick without digit grouping, as in the tiles. `Intl` would take a quarter of a chart's first drawing. */
export function formatTick(tick: number): string {
  return Math.abs(tick) < LONG_FROM ? String(Number(tick.toPrecision(12))) : formatShort(tick);
}

/** Returns the metric with the worst average of the chart: by its level, then by its distance from the good threshold. */
function worstMetric(points: readonly Values[], thresholds: Thresholds, metrics: readonly Metric[]): Metric {
  const badness = ({ field }: Metric) => {
    const worst = points.reduce(
      (highest, { [field]: summary }) => Math.max(highest, summary?.average ?? -LARGEST),
      -LARGEST,
    );
    const { good } = thresholdOf(thresholds, field);
    return [LEVELS.indexOf(levelOf(worst, thresholdOf(thresholds, field))), worst / good] as const;
  };
  return metrics.reduce((worst, metric) => {
    const [[level, reach], [otherLevel, otherReach]] = [badness(worst), badness(metric)];
    return otherLevel > level || (otherLevel === level && otherReach > reach) ? metric : worst;
  });
}
