/** Values below `good` are good, values below `moderate` moderate, all others poor. */
export interface Threshold {
  good: number;
  moderate: number;
}

/** What the table says of a metric. */
interface MetricRow {
  /** The member of a reading that has its value. */
  field: string;
  name: string;
  /** The unit that values are stored and shown in; empty for an index. */
  unit: string;
  /** The most decimals that are shown. */
  decimals: number;
  /** The values that a working sensor reports. */
  plausible: { from: number; to: number };
  /** A value below this is a fault of the sensor: outdoor air has more. */
  outdoorLeast?: number;
  /** The default thresholds of its levels. A metric without them has no levels and decides no verdict. */
  threshold?: Threshold;
  /** A comfortable value is at least `from` and below `to`. Only of metrics without thresholds. */
  band?: { from: number; to: number };
  /** What helps if the level isn't good. */
  advice?: string;
  /** The colour of its line in both schemes, with a contrast of at least 4.5:1 on every background of a chart. */
  color: { light: string; dark: string };
  /** The dashes of its line in pixels of the stroke and the gap; empty for a solid line. */
  dash: readonly number[];
  /** The name of its gauge in `/metrics`. */
  prometheus: string;
  /** Home Assistant's class of such a sensor; null if it has none. */
  deviceClass: string | null;
  /** Names that devices and files give it besides `field`, in lower case without spaces and punctuation. */
  aliases: readonly string[];
}

const OPEN_A_WINDOW = 'Open a window.';
const VENTILATE = 'Ventilate, and look for the source.';
const FILTER = 'Filter the air, or ventilate if the air outside is better.';

/**
 * The table of metrics, in the order in which they are shown. To add one, add a row here and a migration to each store
 * (CONTRIBUTING.md).
 */
const TABLE = [
  {
    // German Environment Agency: Gesundheitliche Bewertung von Kohlendioxid in der Innenraumluft, 2008. Outdoor air has more
    // than 420 PPM, and had at least 300 through the last hundred years.
    field: 'co2',
    name: 'CO2',
    unit: 'PPM',
    decimals: 2,
    plausible: { from: 300, to: 40_000 },
    outdoorLeast: 300,
    threshold: { good: 1000, moderate: 2000 },
    advice: OPEN_A_WINDOW,
    color: { light: '#0b5cad', dark: '#7cb8f5' },
    dash: [],
    prometheus: 'airboard_co2_ppm',
    deviceClass: 'carbon_dioxide',
    aliases: ['carbondioxide', 'rco2'],
  },
  {
    field: 'voc',
    name: 'VOC',
    unit: 'PPB',
    decimals: 2,
    plausible: { from: 0, to: 60_000 },
    threshold: { good: 400, moderate: 800 },
    advice: OPEN_A_WINDOW,
    color: { light: '#a3287a', dark: '#f08acb' },
    dash: [6, 4],
    prometheus: 'airboard_voc_ppb',
    deviceClass: 'volatile_organic_compounds_parts',
    aliases: ['tvoc', 'totalvoc'],
  },
  {
    // Sensirion, "What is Sensirion's VOC Index?", 2022: 100 is the sensor's own average of the last 24 hours, and higher is
    // more than usual.
    field: 'voc_index',
    name: 'VOC index',
    unit: '',
    decimals: 0,
    plausible: { from: 1, to: 500 },
    threshold: { good: 150, moderate: 250 },
    advice: VENTILATE,
    color: { light: '#6d3fb0', dark: '#c9a2f5' },
    dash: [2, 3],
    prometheus: 'airboard_voc_index',
    deviceClass: null,
    aliases: ['tvocindex', 'vocidx'],
  },
  {
    // Sensirion, "What is Sensirion's NOx Index?", 2022: 1 is the sensor's own average, and higher is more than usual.
    field: 'nox_index',
    name: 'NOx index',
    unit: '',
    decimals: 0,
    plausible: { from: 1, to: 500 },
    threshold: { good: 20, moderate: 150 },
    advice: VENTILATE,
    color: { light: '#8f4700', dark: '#ffb070' },
    dash: [8, 3, 2, 3],
    prometheus: 'airboard_nox_index',
    deviceClass: null,
    aliases: ['noxidx', 'nox'],
  },
  {
    // Good: WHO's guideline for 24 hours, 2021. Moderate: US EPA's standard for 24 hours.
    field: 'pm25',
    name: 'PM2.5',
    unit: 'µg/m³',
    decimals: 1,
    plausible: { from: 0, to: 1000 },
    threshold: { good: 15, moderate: 35 },
    advice: FILTER,
    color: { light: '#6b5600', dark: '#e8c15a' },
    dash: [4, 2],
    prometheus: 'airboard_pm25_ugm3',
    deviceClass: 'pm25',
    aliases: ['pm02', 'pm2p5', 'pm2d5', 'pm02compensated', 'pm25ugm3', 'particulatematter25'],
  },
  {
    // Good: WHO's guideline for 24 hours, 2021. Moderate: US EPA's standard for 24 hours.
    field: 'pm10',
    name: 'PM10',
    unit: 'µg/m³',
    decimals: 1,
    plausible: { from: 0, to: 1000 },
    threshold: { good: 45, moderate: 150 },
    advice: FILTER,
    color: { light: '#4d6100', dark: '#c6d35c' },
    dash: [10, 3],
    prometheus: 'airboard_pm10_ugm3',
    deviceClass: 'pm10',
    aliases: ['pm100', 'pm10p0', 'particulatematter10'],
  },
  {
    field: 'temperature',
    name: 'Temperature',
    unit: '°C',
    decimals: 1,
    plausible: { from: -40, to: 85 },
    color: { light: '#b3261e', dark: '#ff9a86' },
    dash: [],
    prometheus: 'airboard_temperature_celsius',
    deviceClass: 'temperature',
    aliases: ['temp', 'atmp', 'atmpcompensated', 'tempc'],
  },
  {
    // 30 to 60 %: US EPA, "A Brief Guide to Mold, Moisture and Your Home", 2012.
    field: 'humidity',
    name: 'Humidity',
    unit: '%',
    decimals: 1,
    plausible: { from: 0, to: 100 },
    band: { from: 30, to: 60 },
    color: { light: '#00637f', dark: '#6fd3ea' },
    dash: [6, 4],
    prometheus: 'airboard_humidity_percent',
    deviceClass: 'humidity',
    aliases: ['rhum', 'rhumcompensated', 'rh', 'relativehumidity', 'hum'],
  },
  {
    field: 'pressure',
    name: 'Pressure',
    unit: 'hPa',
    decimals: 1,
    plausible: { from: 300, to: 1100 },
    color: { light: '#4a5a6a', dark: '#b4c2d0' },
    dash: [2, 3],
    prometheus: 'airboard_pressure_hpa',
    deviceClass: 'atmospheric_pressure',
    aliases: ['airpressure', 'atmosphericpressure', 'barometer'],
  },
] as const satisfies readonly MetricRow[];

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
