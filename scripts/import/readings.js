/** Converts the rows of a file to readings. */
import { unguardFormula } from '../../app/readings/formula-guard.js';
import { conversionFrom } from '../../app/readings/metric-units.js';
import { ImportError } from '../fail.js';
import { FIELDS, metricColumn } from './columns.js';
import { readRows } from './csv.js';
import { keyOf, timeText } from './layout.js';
import { decimalIn, plainValue } from './numbers.js';
import { shellQuoted } from './propose.js';
import { formatTime, timeParser } from './time.js';

/** @typedef {import('./layout.js').ColumnNames} ColumnNames */
/** @typedef {import('./columns.js').MetricField} MetricField */
/** @typedef {import('./columns.js').Convert} Convert */
/** @typedef {Partial<Record<MetricField, number | string | null>>} Values */
/** @typedef {Values & { created_at: string, sensor?: string }} Reading */

/**
 * A reading in the file, or the reason why a line isn't a reading. `skipped` lines are complete but have no value. `rows` is the
 * number of lines that the reading combines, if several.
 *
 * @typedef {{ line: number, reading?: Reading, problem?: string, skipped?: true, rows?: number }} Item
 *
 * @typedef {object} ImportOptions
 * @property {string} file
 * @property {string} delimiter
 * @property {'\n' | '\r'} newline
 * @property {import('./layout.js').Layout} layout
 * @property {number} [preamble] the number of rows before the header
 * @property {ColumnNames} columns
 * @property {import('./columns.js').Units} [units]
 * @property {string | undefined} sensor overrides the names in the file; empty for the unnamed sensor
 * @property {import('./numbers.js').Decimal} [decimal] the decimal sign; a point by default
 * @property {boolean} [isDecimalGiven] true if the user said it
 * @property {import('./time.js').TimeOptions} times
 * @property {import('./arguments.js').Condition[]} where
 * @property {Map<string, number>} [means] how many rows of each entity are means of an hour; see `surveySeries`
 */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a file's readings in the order of its lines, or in the order of time if it has one metric per row.
 *
 * @param {ImportOptions} options
 * @returns {{ items: AsyncGenerator<Item>, repeatedTimes: () => number, timeZone?: string }}
 */
export function readReadings(options) {
  const { layout } = options;
  if (layout.kind === 'wide') {
    const clock = timeParser(options.times);
    return {
      items: wideItems(options, clock),
      repeatedTimes: clock.repeated,
      timeZone: options.times.timeZone,
    };
  }
  // Such a file lists one metric after another. One pass per metric, all in parallel, joins them in constant memory.
  const metrics = longMetrics(options);
  const clocks = metrics.map(() => timeParser(options.times));
  const sources = metrics.map((metric, i) => ({
    field: metric.field,
    events: metricEvents(options, metric, /** @type {ReturnType<typeof timeParser>} */ (clocks[i]), i === 0),
  }));
  const converters = new Map(metrics.map(({ field, convert }) => [field, convert]));
  return {
    items: joinMetrics(sources, (time, values) => ({
      created_at: formatTime(time),
      ...valuesOf([...values].map(([field, value]) => [field, sent(value, converters.get(field))])),
      ...sensorMember(options.sensor),
    })),
    repeatedTimes: () => clocks.reduce((sum, clock) => sum + clock.repeated(), 0),
    timeZone: options.times.timeZone,
  };
}

/** Returns the metrics of a file with one metric per row. @param {ImportOptions} options */
export function longMetrics({ columns, units = {} }) {
  return FIELDS.flatMap((field) => {
    const name = columns[field];
    return name === undefined ? [] : [metricColumn(field, -1, name, units)];
  });
}

/** Returns the values to send. Leaves out null, except for CO2 and VOC. @param {[MetricField, number | string | null][]} found @returns {Values} */
function valuesOf(found) {
  /** @type {Values} */
  const values = { co2: null, voc: null };
  for (const [field, value] of found) if (value !== null) values[field] = value;
  return values;
}

/** The maximum number of entities or fields in an error message. */
const NAMED_KEYS = 20;

/** Returns the first `NAMED_KEYS` entities or fields in a file with one metric per row. @param {ImportOptions} options */
export async function entitiesOf(options) {
  /** @type {Set<string>} */
  const found = new Set();
  for await (const { fields, layout, misquoted } of readRows(options.file, options)) {
    if (layout.kind === 'long' && !misquoted) found.add(keyOf(fields, layout));
    if (found.size === NAMED_KEYS) break;
  }
  return [...found];
}

/** InfluxDB's columns that aren't tags. */
const NOT_TAGS = new Set(['', 'result', 'table', '_start', '_stop', '_time', '_value', '_field']);
/** The maximum number of a column's values in an error message. */
const NAMED_VALUES = 5;

/** A full hour, as Home Assistant writes it. */
const FULL_HOUR = /T\d\d:00:00(\.0+)?(Z|[+-]\d\d:?\d\d)$/;
/** So many rows of an entity at full hours are no coincidence, and then those of the others aren't either. */
const LEAST_MEANS = 3;

/**
 * Counts the rows of the metrics in a file with one metric per row. Home Assistant's file has the long-term statistics of an entity
 * before its states, in the same columns: `means` are the numbers of these rows.
 *
 * @param {ImportOptions} options
 * @throws {ImportError} if a metric's rows belong to several InfluxDB series, such as several sensors
 */
export async function surveySeries(options) {
  const { layout, columns } = options;
  const metrics = FIELDS.flatMap((field) => columns[field] ?? []);
  /** The values of each column, for each metric. @type {Map<string, Map<string, Set<string>>>} */
  const found = new Map(metrics.map((name) => [name, new Map()]));
  /** @type {Map<string, { count: number, hasStates: boolean }>} */
  const hours = new Map(metrics.map((name) => [name, { count: 0, hasStates: false }]));
  let rows = 0;
  for await (const { fields, header, layout: current, misquoted } of readRows(options.file, options)) {
    const tags = current.kind === 'long' && !misquoted && found.get(keyOf(fields, current));
    if (!tags || current.kind !== 'long') continue;
    rows += 1;
    const hour = hours.get(keyOf(fields, current));
    if (hour && !hour.hasStates) {
      hour.hasStates = !FULL_HOUR.test(timeText(fields, current));
      if (!hour.hasStates) hour.count += 1;
    }
    if (layout.source !== 'InfluxDB') continue;
    for (const [i, column] of header.entries()) {
      if (NOT_TAGS.has(column.trim())) continue;
      const values = tags.get(column) ?? new Set();
      if (values.size <= NAMED_VALUES) tags.set(column, values.add(fields[i]?.trim() ?? ''));
    }
  }
  for (const [name, tags] of found) {
    const several = [...tags].filter(([, values]) => values.size > 1);
    const [first] = several;
    if (!first) continue;
    const listed = several.map(([column, values]) => {
      const shown = [...values].slice(0, NAMED_VALUES).map((value) => value || '(empty)');
      return `${column} is ${shown.join(', ')}${values.size > NAMED_VALUES ? ' and more' : ''}`;
    });
    throw new ImportError(
      `the rows of "${name}" belong to several series: ${listed.join('; ')}. Choose one, such as with --where ${shellQuoted(`${first[0]}=${[...first[1]][0]}`)}`,
    );
  }
  const hasMeans =
    layout.source === 'Home Assistant' && [...hours.values()].some(({ count }) => count >= LEAST_MEANS);
  const means = [...hours].filter(([, { count }]) => hasMeans && count > 0);
  return { rows, means: new Map(means.map(([name, { count }]) => [name, count])) };
}

/**
 * @param {ImportOptions} options
 * @param {ReturnType<typeof timeParser>} clock
 * @returns {AsyncGenerator<Item>}
 */
async function* wideItems(options, clock) {
  const { sensor: givenSensor } = options;
  for await (const { line, fields, layout, misquoted, ragged } of readRows(options.file, options)) {
    if (layout.kind !== 'wide') throw new ImportError(`line ${line}: the file changes its columns`);
    if (misquoted || ragged) {
      yield { line, problem: misquoted ?? ragged };
      continue;
    }
    const cells = layout.metrics.map((metric) => ({
      ...metric,
      ...readValue(fields[metric.index], metric, options),
    }));
    const values = valuesOf(
      cells.map(({ field, value, convert }) => [field, sent(...withoutUnit(value, field, convert))]),
    );
    if (Object.values(values).every((value) => value === null)) {
      yield { line, skipped: true };
      continue;
    }
    const doubt = cells.find(({ problem }) => problem)?.problem ?? otherSensor(fields, layout);
    if (doubt) {
      yield { line, problem: doubt };
      continue;
    }
    const named = unguardFormula(fields[layout.sensor]?.trim() ?? '');
    const { time, problem } = readTime(clock, timeText(fields, layout), line, named);
    if (time === undefined) {
      yield { line, problem };
      continue;
    }
    const sensor = givenSensor ?? named;
    yield { line, reading: { created_at: formatTime(time), ...values, ...sensorMember(sensor) } };
  }
}

/**
 * Returns why P1 and P2 of a row in Sensor.Community's archive aren't PM10 and PM2.5.
 *
 * @param {string[]} fields
 * @param {import('./layout.js').WideLayout} layout
 */
function otherSensor(fields, { particles }) {
  const type = fields[particles]?.trim();
  if (type === undefined || /^(sds|pms|hpm|sps|npm|nextpm|ips)/i.test(type)) return undefined;
  return `P1 and P2 of a "${type}" may not be PM10 and PM2.5 in µg/m³. If they are: --columns pm10=P1,pm25=P2`;
}

/**
 * Yields the rows of one metric.
 *
 * @param {ImportOptions} options
 * @param {import('./columns.js').MetricColumn} metric
 * @param {ReturnType<typeof timeParser>} clock
 * @param {boolean} isFirst true for the metric that reports misquoted rows
 * @returns {AsyncGenerator<MetricEvent>}
 */
async function* metricEvents(options, metric, clock, isFirst) {
  const { name } = metric;
  let newest = Number.NEGATIVE_INFINITY;
  let rows = 0;
  for await (const { line, fields, layout, misquoted, ragged } of readRows(options.file, options)) {
    if (layout.kind !== 'long') throw new ImportError(`line ${line}: the file changes its columns`);
    if (misquoted) {
      // The file is read once per metric. Report these lines only once, because they may belong to any metric.
      if (isFirst) yield { line, problem: misquoted };
      continue;
    }
    if (ragged && fields.some((field) => field.trim() === name)) {
      yield { line, problem: ragged };
      continue;
    }
    if (keyOf(fields, layout) !== name) continue;
    rows += 1;
    const { time, problem } = readTime(clock, timeText(fields, layout), line);
    if (time === undefined) {
      yield { line, problem };
      continue;
    }
    if (time < newest) {
      throw new ImportError(
        `line ${line}: ${name} goes back in time. Export one sensor at a time, the oldest reading first`,
      );
    }
    newest = time;
    const { value, problem: doubt } = readValue(fields[layout.value], metric, options);
    const isMean = layout.isMean || rows <= (options.means?.get(name) ?? 0);
    yield doubt ? { line, problem: doubt } : { line, time, value, ...(isMean && { isMean }) };
  }
  if (rows > 0) return;
  const found = await entitiesOf(options);
  throw new ImportError(`the file has no rows of "${name}". It has: ${found.join(', ')}`);
}

/**
 * @param {ReturnType<typeof timeParser>} clock
 * @param {string | undefined} text
 * @param {number} line
 * @param {string} [sensor]
 * @returns {{ time?: number, problem?: string }}
 */
function readTime(clock, text = '', line, sensor) {
  try {
    return { time: clock.parse(text.trim(), sensor) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: error.message };
    if (error instanceof ImportError) throw new ImportError(`line ${line}: ${error.message}`);
    throw error;
  }
}

/**
 * Returns a value with a decimal point, or why it is doubtful: it may have a separator of thousands where the file has its decimal
 * sign.
 *
 * @param {string | undefined} text
 * @param {import('./columns.js').MetricColumn} metric
 * @param {ImportOptions} options
 */
function readValue(text, { field, name, convert }, { decimal = '.', isDecimalGiven }) {
  const likely = isDecimalGiven ? undefined : decimalIn(text, field, convert)?.likely;
  if (likely && likely !== decimal) {
    const [asFile, asOther] = [decimal, likely].map((sign) => Number(plainValue(text, sign).value));
    const problem = `"${name}" is "${text}", which may be ${asOther} rather than ${asFile}: add --decimal=${decimal} for ${asFile}, or --decimal=${likely} for ${asOther}`;
    return { value: null, problem };
  }
  return plainValue(text, decimal);
}

/**
 * Returns a value such as `612 ppm` or `68 °F` as a number, and its conversion. Any other value is returned unchanged.
 *
 * @param {string | null} value
 * @param {MetricField} field
 * @param {Convert} [convert] the conversion of the column's values
 * @returns {[string | null, Convert?]}
 */
function withoutUnit(value, field, convert) {
  const [, number, unit] = /^([+-]?\d+(?:\.\d+)?)\s*([^\d\s.,].*)$/.exec(value ?? '') ?? [];
  const own = number === undefined || unit === undefined ? undefined : conversionFrom(unit, field);
  return number === undefined || own === undefined ? [value, convert] : [number, own ?? undefined];
}

/**
 * Converts a number. Returns other text unchanged, so that the server's error explains it.
 *
 * @param {string | null} value
 * @param {Convert} [convert]
 */
export function sent(value, convert = (number) => number) {
  return value !== null && NUMBER.test(value) ? convert(Number(value)) : value;
}

/** @param {string | undefined} sensor */
function sensorMember(sensor) {
  return sensor ? { sensor } : {};
}

/**
 * A row of one metric: a time and a value (null if the metric is unavailable), or a problem. `isMean` is true for the mean of an hour.
 *
 * @typedef {{ line: number, time?: number, value?: string | null, isMean?: boolean, problem?: string }} MetricEvent
 */
/** @typedef {{ field: MetricField, events: AsyncIterable<MetricEvent> }} MetricSource */

/** Durations in microseconds (see `joinMetrics`). */
const TOGETHER = 5e6;
const HOLDS = 3600e6;

/**
 * Joins rows with one metric each, as exported by Home Assistant and InfluxDB, to readings.
 *
 * Values of different metrics at most 5 s apart form one reading, at the time of the first. A metric without a row keeps its
 * last value, because Home Assistant writes a row only when a value changes. A value is kept for at most an hour, and not beyond
 * a row that marks the metric as unavailable. A mean isn't kept.
 *
 * @template Reading
 * @param {MetricSource[]} sources the rows of each metric, oldest first
 * @param {(time: number, values: Map<MetricField, string>) => Reading} toReading
 * @returns {AsyncGenerator<{ line: number, reading?: Reading, problem?: string, skipped?: true, rows?: number }>}
 */
export async function* joinMetrics(sources, toReading) {
  /** The last value of each metric. @type {Map<MetricField, { time: number, value: string, isMean?: boolean }>} */
  const known = new Map();
  /** The reading to which further values may belong. @type {{ line: number, time: number, fields: Set<MetricField> } | null} */
  let waiting = null;

  function* flush() {
    if (!waiting) return;
    const { line, time, fields } = waiting;
    waiting = null;
    const held = [...known].filter(
      ([field, last]) => fields.has(field) || (!last.isMean && time - last.time <= HOLDS),
    );
    const values = new Map(held.map(([field, { value }]) => [field, value]));
    yield { line, ...(fields.size > 1 && { rows: fields.size }), reading: toReading(time, values) };
  }

  for await (const { field, event } of byTime(sources)) {
    const { line, time, value, isMean, problem } = event;
    if (time === undefined) {
      yield { line, problem };
    } else if (value === null || value === undefined) {
      yield* flush();
      known.delete(field);
      yield { line, skipped: true };
    } else {
      if (waiting && (waiting.fields.has(field) || time - waiting.time > TOGETHER)) yield* flush();
      waiting ??= { line, time, fields: new Set() };
      waiting.fields.add(field);
      known.set(field, { time, value, isMean });
      if (waiting.fields.size === sources.length && sources.length > 1) yield* flush();
    }
  }
  yield* flush();
}

/**
 * Yields the rows of all sources in order of time.
 *
 * @param {MetricSource[]} sources
 * @returns {AsyncGenerator<{ field: MetricField, event: MetricEvent }>}
 */
async function* byTime(sources) {
  const iterators = sources.map(({ field, events }) => ({ field, rows: events[Symbol.asyncIterator]() }));
  const next = await Promise.all(iterators.map(async (each) => ({ ...each, row: await each.rows.next() })));
  for (;;) {
    let first = null;
    for (const each of next) {
      if (!each.row.done && (!first || timeOf(each.row.value) < timeOf(first.row.value))) first = each;
    }
    if (!first) return;
    yield { field: first.field, event: first.row.value };
    first.row = await first.rows.next();
  }
}

/** @param {MetricEvent} event */
function timeOf({ time = Number.NEGATIVE_INFINITY }) {
  return time;
}
