import type { ChartPoint } from '../../readings/chart-series';
import { timeLabel } from '../../readings/chart-series';
import { formatValue } from '../../readings/format-value';
import { METRICS } from '../../readings/metric';

/**
 * Describes the chart in words: the text alternative for screen readers.
 *
 * @param withTimes true once the viewer's time zone is known
 */
export function describeChart(points: readonly ChartPoint[], withTimes: boolean): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return 'Line chart without readings.';
  const span = withTimes ? ` from ${timeLabel(first.from)} to ${timeLabel(last.to)}` : '';
  const metrics = METRICS.map(({ field, name, unit }) => {
    const lowest = Math.min(...points.map((point) => point[field].lowest));
    const highest = Math.max(...points.map((point) => point[field].highest));
    const newest = formatValue(last[field].average);
    return `${name} between ${formatValue(lowest)} and ${formatValue(highest)} ${unit}, newest point ${newest}.`;
  });
  const gaps = points.filter(({ gapBefore }) => gapBefore).length;
  const missing =
    gaps === 0 ? '' : ` Readings are missing in ${gaps === 1 ? 'one place' : `${gaps} places`}.`;
  return `Line chart${span}: ${points.length === 1 ? 'one point' : `${points.length} points`}. ${metrics.join(' ')}${missing}`;
}
