/** Turns the rows of a file into readings. */
import { unguardFormula } from '../../app/readings/formula-guard.js';
import { ImportError } from '../fail.js';
import { readRows } from './csv.js';
import { formatTime, timeParser } from './time.js';

/** @typedef {import('./csv.js').ColumnNames} ColumnNames */
/** @typedef {{ created_at: string, co2: number | string | null, voc: number | string | null, sensor?: string }} Reading */

/**
 * A reading of the file, or the reason why a line isn't a reading. `skipped` lines are complete but have no value.
 * `isJoined`: the reading combines two lines.
 *
 * @typedef {{ line: number, reading?: Reading, problem?: string, skipped?: true, isJoined?: true }} Item
 *
 * @typedef {object} ImportOptions
 * @property {string} file
 * @property {string} delimiter
 * @property {'\n' | '\r'} newline
 * @property {import('./csv.js').Layout} layout
 * @property {ColumnNames} columns
 * @property {string | undefined} sensor replaces the file's own names; empty for the unnamed sensor
 * @property {import('./time.js').TimeOptions} times
 * @property {import('./arguments.js').Condition[]} where
 */

/** Texts that programs write for a missing value. */
const NO_VALUE = /^(|-|na|n\/a|nan|null|none|unavailable|unknown)$/i;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** A decimal comma, possible only if another character separates the columns. */
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

/**
 * Reads a file as readings in the order of its lines; a file with one metric a row in the order of time.
 *
 * @param {ImportOptions} options
 * @returns {{ items: AsyncGenerator<Item>, repeatedTimes: () => number }}
 */
export function readReadings(options) {
  const { layout, columns } = options;
  if (layout.kind === 'wide') {
    const clock = timeParser(options.times);
    return { items: wideItems(options, clock), repeatedTimes: clock.repeated };
  }
  // A file has the rows of one metric after those of the other. Two passes join them in constant memory.
  const clocks = [timeParser(options.times), timeParser(options.times)];
  const metrics = /** @type {const} */ (['co2', 'voc']).map((metric, i) => {
    const clock = /** @type {ReturnType<typeof timeParser>} */ (clocks[i]);
    const isFirst = metric === 'co2' || columns.co2 === undefined;
    return columns[metric] === undefined
      ? noEvents()
      : metricEvents(options, columns[metric], clock, isFirst);
  });
  return {
    items: joinMetrics(/** @type {[any, any]} */ (metrics), (time, values) => ({
      created_at: formatTime(time),
      co2: sent(values.co2),
      voc: sent(values.voc),
      ...sensorMember(options.sensor),
    })),
    repeatedTimes: () => clocks.reduce((sum, clock) => sum + clock.repeated(), 0),
  };
}

/** The most entities or fields that an error names. */
const NAMED_KEYS = 20;

/** Returns the first names of metrics in a file with one metric a row. @param {ImportOptions} options */
export async function entitiesOf(options) {
  /** @type {Set<string>} */
  const found = new Set();
  for await (const { fields, layout, misquoted } of readRows(options.file, options)) {
    if (layout.kind === 'long' && !misquoted) found.add(fields[layout.key]?.trim() ?? '');
    if (found.size === NAMED_KEYS) break;
  }
  return [...found];
}

/** InfluxDB's columns that aren't tags of a series. */
const NOT_TAGS = new Set(['', 'result', 'table', '_start', '_stop', '_time', '_value', '_field']);
/** The most values of a column that an error names. */
const NAMED_VALUES = 5;

/**
 * Reads a file with one metric a row, and returns how many rows the metrics have.
 *
 * @param {ImportOptions} options
 * @throws {ImportError} if the rows of a metric belong to several series of InfluxDB, such as several sensors
 */
export async function assertOneSeries(options) {
  const { layout, columns } = options;
  const metrics = [columns.co2, columns.voc].filter((name) => name !== undefined);
  /** The values of each column, for each metric. @type {Map<string, Map<string, Set<string>>>} */
  const found = new Map(metrics.map((name) => [name, new Map()]));
  let rows = 0;
  for await (const { fields, header, layout: current, misquoted } of readRows(options.file, options)) {
    const tags = current.kind === 'long' && !misquoted && found.get(fields[current.key]?.trim() ?? '');
    if (!tags) continue;
    rows += 1;
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
      `the rows of "${name}" belong to several series: ${listed.join('; ')}. Choose one, such as with --where '${first[0]}=${[...first[1]][0]}'`,
    );
  }
  return rows;
}

/**
 * @param {ImportOptions} options
 * @param {ReturnType<typeof timeParser>} clock
 * @returns {AsyncGenerator<Item>}
 */
async function* wideItems(options, clock) {
  const { delimiter, sensor: givenSensor } = options;
  for await (const { line, fields, layout, misquoted, ragged } of readRows(options.file, options)) {
    if (layout.kind !== 'wide') throw new ImportError(`line ${line}: the file changes its columns`);
    if (misquoted || ragged) {
      yield { line, problem: misquoted ?? ragged };
      continue;
    }
    const value = (/** @type {number} */ index) => cleanValue(fields[index], delimiter);
    const [co2, voc] = [value(layout.co2), value(layout.voc)];
    if (co2 === null && voc === null) {
      yield { line, skipped: true };
      continue;
    }
    const named = unguardFormula(fields[layout.sensor]?.trim() ?? '');
    const { time, problem } = readTime(clock, fields[layout.created_at], line, named);
    if (time === undefined) {
      yield { line, problem };
      continue;
    }
    const sensor = givenSensor ?? named;
    yield {
      line,
      reading: { created_at: formatTime(time), co2: sent(co2), voc: sent(voc), ...sensorMember(sensor) },
    };
  }
}

/** @returns {AsyncGenerator<MetricEvent>} */
async function* noEvents() {}

/**
 * Yields the rows of one metric.
 *
 * @param {ImportOptions} options
 * @param {string} name
 * @param {ReturnType<typeof timeParser>} clock
 * @param {boolean} isFirst true for the metric that reports misquoted rows
 * @returns {AsyncGenerator<MetricEvent>}
 */
async function* metricEvents(options, name, clock, isFirst) {
  let newest = Number.NEGATIVE_INFINITY;
  let isFound = false;
  for await (const { line, fields, layout, misquoted, ragged } of readRows(options.file, options)) {
    if (layout.kind !== 'long') throw new ImportError(`line ${line}: the file changes its columns`);
    if (misquoted) {
      // The file is read once per metric, and these lines may belong to either: report them once.
      if (isFirst) yield { line, problem: misquoted };
      continue;
    }
    if (ragged && fields.some((field) => field.trim() === name)) {
      yield { line, problem: ragged };
      continue;
    }
    const key = fields[layout.key]?.trim() ?? '';
    if (key !== name) continue;
    isFound = true;
    const { time, problem } = readTime(clock, fields[layout.created_at], line);
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
    yield { line, time, value: cleanValue(fields[layout.value], options.delimiter) };
  }
  if (isFound) return;
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

/** @param {string | undefined} text @param {string} delimiter */
function cleanValue(text, delimiter) {
  const value = text?.trim() ?? '';
  if (NO_VALUE.test(value)) return null;
  return delimiter !== ',' && DECIMAL_COMMA.test(value) ? value.replace(',', '.') : value;
}

/** Text that isn't a number is sent unchanged, so that the server's error explains it. @param {string | null} value */
function sent(value) {
  return value !== null && NUMBER.test(value) ? Number(value) : value;
}

/** @param {string | undefined} sensor */
function sensorMember(sensor) {
  return sensor ? { sensor } : {};
}

/** @typedef {'co2' | 'voc'} Metric */
/**
 * A row of one metric: a time with a value, which is null once the metric is unavailable, or a problem.
 *
 * @typedef {{ line: number, time?: number, value?: string | null, problem?: string }} MetricEvent
 */
/** @typedef {{ line: number, time: number, value: string }} Measured */

/** In microseconds. */
const TOGETHER = 5e6;
const HOLDS = 3600e6;

/**
 * Joins rows of one metric, as Home Assistant and InfluxDB export them, to readings.
 *
 * Values of both metrics that are at most 5 s apart are one reading, at the time of the first. Any other value is a
 * reading with the last value of the other metric: Home Assistant writes a row only when a value changes, so the last
 * one still holds. It holds for an hour at most, and not beyond a row that says it is unavailable; then the other metric
 * is null.
 *
 * @template Reading
 * @param {[AsyncIterable<MetricEvent>, AsyncIterable<MetricEvent>]} sources rows of CO2 and of VOC, each oldest first
 * @param {(time: number, values: Record<Metric, string | null>) => Reading} toReading
 * @returns {AsyncGenerator<{ line: number, reading?: Reading, problem?: string, skipped?: true, isJoined?: true }>} a reading that
 *   `isJoined` is of two rows
 */
export async function* joinMetrics(sources, toReading) {
  /** @type {Record<Metric, Measured | null>} */
  const known = { co2: null, voc: null };
  /** @type {(Measured & { metric: Metric }) | null} */
  let waiting = null;

  /** @param {Measured & { metric: Metric }} first @param {string} [together] */
  const reading = ({ line, time, metric, value }, together) => {
    const other = known[metric === 'co2' ? 'voc' : 'co2'];
    const held = other && time - other.time <= HOLDS ? other.value : null;
    const [mine, theirs] = [value, together ?? held];
    return {
      line,
      ...(together !== undefined && { isJoined: /** @type {const} */ (true) }),
      reading: toReading(time, metric === 'co2' ? { co2: mine, voc: theirs } : { co2: theirs, voc: mine }),
    };
  };

  for await (const { metric, event } of byTime(sources)) {
    const { line, time, value, problem } = event;
    if (time === undefined) {
      yield { line, problem };
    } else if (value === null || value === undefined) {
      if (waiting) yield reading(waiting);
      waiting = null;
      known[metric] = null;
      yield { line, skipped: true };
    } else if (waiting && waiting.metric !== metric && time - waiting.time <= TOGETHER) {
      known[metric] = { line, time, value };
      yield reading(waiting, value);
      waiting = null;
    } else {
      if (waiting) yield reading(waiting);
      known[metric] = { line, time, value };
      waiting = { metric, line, time, value };
    }
  }
  if (waiting) yield reading(waiting);
}

/**
 * Yields the rows of both sources in the order of time.
 *
 * @param {[AsyncIterable<MetricEvent>, AsyncIterable<MetricEvent>]} sources
 * @returns {AsyncGenerator<{ metric: Metric, event: MetricEvent }>}
 */
async function* byTime([co2Source, vocSource]) {
  const [co2Rows, vocRows] = [co2Source[Symbol.asyncIterator](), vocSource[Symbol.asyncIterator]()];
  let [co2, voc] = await Promise.all([co2Rows.next(), vocRows.next()]);
  while (!co2.done || !voc.done) {
    if (!co2.done && (voc.done || timeOf(co2.value) <= timeOf(voc.value))) {
      yield { metric: 'co2', event: co2.value };
      co2 = await co2Rows.next();
    } else {
      yield { metric: 'voc', event: /** @type {MetricEvent} */ (voc.value) };
      voc = await vocRows.next();
    }
  }
}

/** @param {MetricEvent} event */
function timeOf({ time = Number.NEGATIVE_INFINITY }) {
  return time;
}
