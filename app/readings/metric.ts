import { type MetricRow, TABLE } from './metric-table.js';

/** Values below `good` are good, values below `moderate` are moderate, and all others are poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/**
 * The limits of comfort: a value is good from `from` on and below `to`. It is poor below `poor_below` and from `poor_from` on,
 * and else moderate. A limit that is left out has no effect.
 */
export interface ComfortLimits {
  poor_below?: number;
  from?: number;
  to?: number;
  poor_from?: number;
}

/** The property of a reading that holds a metric's value. */
export type MetricField = (typeof TABLE)[number]['field'];

/** A measured quantity. */
export interface Metric extends MetricRow {
  field: MetricField;
  /** Converts a stored value to `unit` by `value * factor + offset`. Only if the viewer's unit differs from the stored one. */
  shown?: { factor: number; offset: number };
}

/** All metrics, in display order. */
export const METRICS: readonly Metric[] = TABLE;

/** CO2 and VOC. Every reading and answer has these fields, with null if not measured. */
export type CoreField = 'co2' | 'voc';
type OtherField = Exclude<MetricField, CoreField>;

export function isCore(field: MetricField): field is CoreField {
  return field === 'co2' || field === 'voc';
}

/** One item per metric. CO2 and VOC are always present, if only as null; the others are left out if they have no item. */
export type ByMetric<T, Core extends T = T> = Record<CoreField, Core | null> & {
  [F in OtherField]?: T | null;
};

/**
 * The thresholds of the metrics that have levels, from server settings such as `CO2_GOOD`. `comfort` has those of temperature and
 * humidity, which only a sensor's own settings can give.
 */
export type Thresholds = Record<CoreField, Threshold> & { [F in OtherField]?: Threshold } & {
  comfort?: { [F in MetricField]?: ComfortLimits };
};

/** Returns true if no working sensor reports a value. Such a value is stored, but is no measurement. */
export function isFaulty(value: number, { plausible }: Pick<Metric, 'plausible'>): boolean {
  return value < plausible.from || value > plausible.to;
}

/**
 * Returns true if a value is impossible or a sensor's error code: a faulty one, except those from 0 on that are too low. Devices that
 * warm up send such values, and so does the counter of `/postdata`.
 */
export function isDoubtful(value: number, { plausible }: Pick<Metric, 'plausible'>): boolean {
  return value < Math.min(0, plausible.from) || value > plausible.to;
}

/** The text for a metric without a value. */
export const NOT_MEASURED = 'not measured';

export function metricOf(field: MetricField): Metric {
  const metric = METRICS.find((each) => each.field === field);
  if (!metric) throw new RangeError(`No metric ${field}`);
  return metric;
}

export const CO2: Metric = metricOf('co2');
export const VOC: Metric = metricOf('voc');

/** The metrics that pages always show. Charts show them unless the viewer chooses others. */
export const MAIN_METRICS: readonly Metric[] = [CO2, VOC];

/** All metrics, for viewers who use °F. Values are stored, sent and computed in °C. */
export const METRICS_IN_FAHRENHEIT: readonly Metric[] = METRICS.map((metric) =>
  metric.unit === '°C' ? { ...metric, unit: '°F', shown: { factor: 1.8, offset: 32 } } : metric,
);

/** Returns the metrics that have a value in at least one of the rows (readings or chart points). */
export function measuredMetrics(
  rows: readonly ByMetric<unknown>[],
  metrics: readonly Metric[] = METRICS,
): Metric[] {
  return metrics.filter(({ field }) => rows.some((row) => (row[field] ?? null) !== null));
}

/** Returns the metrics that tables show: all measured ones, or CO2 and VOC if no others are measured. */
export function shownMetrics(
  rows: readonly ByMetric<unknown>[],
  metrics: readonly Metric[] = METRICS,
): readonly Metric[] {
  const measured = measuredMetrics(rows, metrics);
  return hasOnlyMain(measured) ? MAIN_METRICS : measured;
}

/** Returns true if a sensor measures nothing besides CO2 and VOC. */
export function hasOnlyMain(measured: readonly Metric[]): boolean {
  return measured.every((metric) => MAIN_METRICS.includes(metric));
}

/** Returns the one or two metrics that a page shows first: CO2 and VOC, or the first two if the sensor measures neither. */
export function mainMetrics(measured: readonly Metric[]): readonly Metric[] {
  const main = measured.filter((metric) => MAIN_METRICS.includes(metric));
  return main.length > 0 ? main : measured.slice(0, 2);
}

/** Returns `get(metric)` for each metric. Leaves out null, except for CO2 and VOC. */
export function byMetric<T, Core extends T = T>(get: (metric: Metric) => T | null): ByMetric<T, Core> {
  const values: ByMetric<T> = { co2: null, voc: null };
  for (const metric of METRICS) {
    const value = get(metric);
    if (value !== null || isCore(metric.field)) values[metric.field] = value;
  }
  // The cast is safe, because CO2 and VOC always have thresholds.
  return values as ByMetric<T, Core>;
}
