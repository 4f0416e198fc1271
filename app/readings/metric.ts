import { type MetricRow, TABLE } from './metric-table.js';

/** Values below `good` are good, values below `moderate` moderate, all others poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** The member of a reading that has a metric's value. */
export type MetricField = (typeof TABLE)[number]['field'];

/** A quantity that a reading measures. */
export interface Metric extends MetricRow {
  field: MetricField;
  /** Converts a stored value to `unit`, where a viewer reads another unit than the table's: `value * factor + offset`. */
  shown?: { factor: number; offset: number };
}

/** All metrics, in the order in which they are shown. */
export const METRICS: readonly Metric[] = TABLE;

/** CO2 and VOC, which every reading and answer has, even if as null. */
export type CoreField = 'co2' | 'voc';
type OtherField = Exclude<MetricField, CoreField>;

/** Something of each metric. Others than CO2 and VOC are there only if there is something of them. */
export type ByMetric<T, Core extends T = T> = Record<CoreField, Core | null> & {
  [F in OtherField]?: T | null;
};

/** The thresholds of the metrics that have levels: settings of the server, such as `CO2_GOOD`. */
export type Thresholds = Record<CoreField, Threshold> & { [F in OtherField]?: Threshold };

/** Returns the thresholds of a metric that has levels. */
export function thresholdOf(thresholds: Thresholds, field: MetricField): Threshold {
  const threshold = thresholds[field];
  if (!threshold) throw new RangeError(`${field} has no thresholds`);
  return threshold;
}

/** The words for a metric without a value. */
export const NOT_MEASURED = 'not measured';

/** Returns the metric of a field. */
export function metricOf(field: MetricField): Metric {
  const metric = METRICS.find((each) => each.field === field);
  if (!metric) throw new RangeError(`No metric ${field}`);
  return metric;
}

export const CO2: Metric = metricOf('co2');
export const VOC: Metric = metricOf('voc');

/** The metrics that pages show in any case, and charts unless the viewer chooses others. */
export const MAIN_METRICS: readonly Metric[] = [CO2, VOC];

/** The metrics of viewers who read temperatures in °F. Values are stored, sent and computed in °C. */
export const METRICS_IN_FAHRENHEIT: readonly Metric[] = METRICS.map((metric) =>
  metric.unit === '°C' ? { ...metric, unit: '°F', shown: { factor: 1.8, offset: 32 } } : metric,
);

/** Returns the metrics that at least one of these readings, or points of a chart, has a value of. */
export function measuredMetrics(
  rows: readonly ByMetric<unknown>[],
  metrics: readonly Metric[] = METRICS,
): Metric[] {
  return metrics.filter(({ field }) => rows.some((row) => (row[field] ?? null) !== null));
}

/** Returns the metrics that tables show of these rows: CO2 and VOC, or the measured ones if there are others too. */
export function shownMetrics(
  rows: readonly ByMetric<unknown>[],
  metrics: readonly Metric[] = METRICS,
): readonly Metric[] {
  const measured = measuredMetrics(rows, metrics);
  return hasOnlyMain(measured) ? MAIN_METRICS : measured;
}

/** Returns true if a sensor with these metrics measures nothing besides CO2 and VOC. */
export function hasOnlyMain(measured: readonly Metric[]): boolean {
  return measured.every((metric) => MAIN_METRICS.includes(metric));
}

/** Returns the one or two metrics that a page shows first: CO2 and VOC, or the first two of a sensor that has neither. */
export function mainMetrics(measured: readonly Metric[]): readonly Metric[] {
  const main = measured.filter((metric) => MAIN_METRICS.includes(metric));
  return main.length > 0 ? main : measured.slice(0, 2);
}

/** Returns `get(metric)` for each metric. Of others than CO2 and VOC, null is left out. */
export function byMetric<T, Core extends T = T>(get: (metric: Metric) => T | null): ByMetric<T, Core> {
  const values: ByMetric<T> = { co2: null, voc: null };
  for (const metric of METRICS) {
    const value = get(metric);
    if (value !== null || metric.field in values) values[metric.field] = value;
  }
  // The caller knows what CO2 and VOC have, because they always have thresholds.
  return values as ByMetric<T, Core>;
}
