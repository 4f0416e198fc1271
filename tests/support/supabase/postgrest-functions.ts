import { summarize } from '../../../app/history/summarize.server';
import type { MetricSummary, Stretch } from '../../../app/readings/history/history-answer';
import { byMetric, METRICS, type Thresholds, thresholdOf } from '../../../app/readings/metric';
import type { MetricValues } from '../../../app/readings/reading';
import type { MetricTotals } from '../../../app/readings/roll-up/roll-up';
import { parseReadingTime } from '../../../app/readings/time/reading-time';
import { formatReadingTime } from '../../../app/readings/time/stored-time';
import { historyStore, rollUpReadings } from '../history/roll-up-readings';
import type { PostgrestDouble } from './postgrest-double';

/** A row of the table. `micros` is its time in microseconds since 1970, the precision of Postgres. */
export interface Row extends MetricValues {
  id: number;
  micros: bigint;
  /** Empty for the unnamed sensor. */
  sensor: string;
}

/** Returns the selected rows in the order of the query. */
export function select<T extends Row>(rows: readonly T[], parameters: URLSearchParams): T[] {
  const conditions: ((row: Row) => boolean)[] = [];
  for (const [name, value] of parameters) {
    if (name === 'or') conditions.push(any(splitList(value.slice(1, -1)).map(condition)));
    else if (!['select', 'order', 'limit', 'offset', 'columns'].includes(name)) {
      conditions.push(condition(`${name}.${value}`));
    }
  }
  const order = (parameters.get('order') ?? 'id.asc').split(',').map((part) => part.split('.'));
  return rows
    .filter((row) => conditions.every((matches) => matches(row)))
    .sort((a, b) => {
      for (const [column = '', direction] of order) {
        const [left, right] = [columnOf(a, column), columnOf(b, column)];
        if (left !== right) return left < right === (direction !== 'desc') ? -1 : 1;
      }
      return 0;
    });
}

/** Formats a time as Postgres does, without trailing zeros. */
export function formatTime(micros: bigint, format: 'hosted' | 'lite'): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const time = fraction ? `${seconds}.${fraction}` : seconds;
  return format === 'hosted' ? `${time}+00:00` : `${time.replace('T', ' ')}+00`;
}

/** Parses a time in UTC with `Z`. Rejects an offset, because a `+` in an address would have to be encoded. */
export function parseTime(text: string): bigint {
  const micros = text.endsWith('Z') ? parseReadingTime(text) : null;
  if (micros === null) throw new Error(`times must be sent in UTC with Z, not as ${text}`);
  return BigInt(micros);
}

/** Parses a filter: `column.operator.value`, or `and(…)` around several filters. */
function condition(text: string): (row: Row) => boolean {
  if (text.startsWith('and(')) {
    const parts = splitList(text.slice(4, -1)).map(condition);
    return (row) => parts.every((matches) => matches(row));
  }
  const [, column = '', operator, value = ''] = /^(\w+)\.(\w+)\.(.*)$/s.exec(text) ?? [];
  const limit = column === 'created_at' ? parseTime(value) : column === 'sensor' ? value : Number(value);
  const compare = (row: Row) => {
    const own = columnOf(row, column);
    return own === limit ? 0 : own < limit ? -1 : 1;
  };
  if (operator === 'eq') return (row) => compare(row) === 0;
  if (operator === 'lt') return (row) => compare(row) < 0;
  if (operator === 'lte') return (row) => compare(row) <= 0;
  if (operator === 'gt') return (row) => compare(row) > 0;
  if (operator === 'gte') return (row) => compare(row) >= 0;
  throw new Error(`unsupported filter: ${text}`);
}

const any = (conditions: ((row: Row) => boolean)[]) => (row: Row) =>
  conditions.some((matches) => matches(row));

/** Splits at commas outside parentheses. */
function splitList(text: string): string[] {
  return text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
}

function columnOf(row: Row, column: string): bigint | number | string {
  if (column === 'sensor') return row.sensor;
  return column === 'created_at' ? row.micros : row.id;
}

/** A reading as passed to the function `insert_readings`. */
export interface SentReading extends Partial<MetricValues> {
  created_at?: string | null;
  sensor?: string | null;
}

/** The parameters of the function `history`. */
export interface SentHistory {
  of_sensor: string;
  since: number;
  until: number;
  step: number;
  phase: number;
  limits: Thresholds;
}

/** A sensor's newest row, and the time of its first. */
export interface SensorRow extends Row {
  firstMicros: bigint;
}

interface Outcome {
  outcome: 'stored' | 'duplicate' | 'conflict' | 'rejected';
  reason?: string;
  reading?: Row;
}

/** Implements the migration's function `insert_readings`. */
export function insertReadings(sent: readonly SentReading[], table: PostgrestDouble): Outcome[] {
  return sent.map(({ created_at = null, sensor, ...metrics }) => {
    const values = byMetric(({ field }) => metrics[field] ?? null);
    const row = { ...values, sensor: sensor ?? '' };
    const micros = created_at === null ? undefined : BigInt(parseReadingTime(created_at) ?? Number.NaN);
    const known = micros === undefined ? undefined : table.find(row.sensor, micros);
    if (known) {
      const isSame = METRICS.every(({ field }) => (known[field] ?? null) === (values[field] ?? null));
      return { outcome: isSame ? 'duplicate' : 'conflict', reading: known };
    }
    const reason = violation({ ...row, micros });
    if (reason) return { outcome: 'rejected', reason };
    return { outcome: 'stored', reading: table.insert({ ...row, micros }) };
  });
}

/** Implements the migration's function `sensors`. */
export function sensorRows(rows: readonly Row[]): SensorRow[] {
  const sensors = new Map<string, SensorRow>();
  for (const row of rows) {
    const known = sensors.get(row.sensor);
    const newest = known && known.micros > row.micros ? known : row;
    const first = known && known.firstMicros < row.micros ? known.firstMicros : row.micros;
    sensors.set(row.sensor, { ...newest, firstMicros: first });
  }
  return [...sensors.values()];
}

/** Implements the migration's function `history`. */
export function historySteps(
  rows: readonly Row[],
  { of_sensor, since, until, limits, ...steps }: SentHistory,
): unknown[] {
  return rollUpReadings(readingsOf(rows, of_sensor), steps, thresholdsOf(limits))
    .filter(({ start }) => start >= since && start < until)
    .map((step) => ({ ...step, ...byMetric(({ field }) => withLargeSum(step[field] ?? null)) }));
}

/** Implements the migration's function `summary`. */
export async function summaryNumbers(
  rows: readonly Row[],
  { of_sensor, since, until, limits }: Omit<SentHistory, 'step' | 'phase'>,
): Promise<unknown> {
  const store = historyStore(readingsOf(rows, of_sensor));
  const { readings, ...metrics } = await summarize(
    store,
    { sensor: '', from: since, to: until },
    thresholdsOf(limits),
  );
  const numbers = byMetric(({ field }) => {
    const metric = metrics[field];
    return metric ? numbersOf(metric) : null;
  });
  return { readings, ...numbers };
}

/** Returns the thresholds in the bounds of the metrics. */
function thresholdsOf(limits: Thresholds): Thresholds {
  const fields = METRICS.filter(({ threshold }) => threshold).map(({ field }) => field);
  const pairs = fields.map((field) => {
    const { good, moderate } = thresholdOf(limits, field);
    return [field, { good, moderate }];
  });
  return Object.fromEntries(pairs) as Thresholds;
}

function numbersOf(metric: MetricSummary) {
  const { lowest, average, highest } = metric;
  const seconds = (time: string | null) => (time === null ? null : Date.parse(time) / 1000);
  const stretch = (found: Stretch | null) => found && { ...found, from: seconds(found.from) };
  return {
    values: average === null ? 0 : 1,
    sum: average,
    lowest,
    highest,
    lowest_at: seconds(metric.lowest_at),
    highest_at: seconds(metric.highest_at),
    ...('good_seconds' in metric
      ? {
          seconds: {
            good: metric.good_seconds,
            moderate: metric.moderate_seconds,
            poor: metric.poor_seconds,
          },
          longest_not_good: stretch(metric.longest_not_good),
          longest_poor: stretch(metric.longest_poor),
        }
      : {
          seconds: {
            good: metric.measured_seconds - (metric.outside_seconds ?? 0),
            moderate: metric.outside_seconds ?? 0,
            poor: 0,
          },
          longest_not_good: null,
          longest_poor: null,
        }),
  };
}

function readingsOf(rows: readonly Row[], of_sensor: string) {
  return rows
    .filter(({ sensor }) => sensor === of_sensor)
    .sort((a, b) => Number(a.micros - b.micros))
    .map((row) => ({ ...row, created_at: formatReadingTime(Number(row.micros)) }));
}

/** Sums may exceed JavaScript's largest number. JSON can contain such numbers, but `JSON.stringify` can't write them. */
const withLargeSum = (totals: MetricTotals | null) =>
  totals && !Number.isFinite(totals.sum) ? { ...totals, sum: String(totals.sum) } : totals;

/** Returns the message of the constraint or trigger that the values violate. */
function violation({ sensor, micros, ...values }: Omit<Row, 'id' | 'micros'> & { micros?: bigint }) {
  const violates = (name: string) => `new row for relation "data" violates check constraint "data_${name}"`;
  if (micros !== undefined && micros < FIRST_TIME) return `created_at ${micros} is before 2000`;
  if (micros !== undefined && micros > BigInt(Date.now() + 60_000) * 1000n) {
    return `created_at ${micros} is more than 60 s ahead of the database's clock`;
  }
  for (const [field, value] of Object.entries(values)) {
    if (!Number.isFinite(Number(value))) return violates(`${field}_finite`);
  }
  if (Object.values(values).every((value) => value === null)) return violates('metric');
  if ([...sensor].length > 64 || sensor !== sensor.trim() || /\p{Cc}/u.test(sensor))
    return violates('sensor');
  return null;
}

const FIRST_TIME = BigInt(Date.UTC(2000, 0)) * 1000n;
