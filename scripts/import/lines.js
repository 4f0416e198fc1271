/**
 * Reads files of InfluxDB's line protocol, as `influxd inspect export-lp` (InfluxDB 2), `influx_inspect export` (InfluxDB 1) and
 * Telegraf's output to a file write them.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { lineJoiner, parsePoint, pointValues, UNIT_FIELD } from '../../app/ingest/line-point.server.js';
import { TABLE } from '../../app/readings/metric-table.js';
import { SENSOR_TAGS } from '../../app/readings/sensor-name.js';
import { ImportError } from '../fail.js';
import { FIELDS } from './columns.js';
import { encodingOf, readSample } from './sample.js';
import { formatTime, timeParser } from './time.js';

/** @typedef {import('./columns.js').MetricField} MetricField */
/** @typedef {import('./readings.js').Item} Item */
/**
 * The values of a field with a metric, as numbers because a file may have millions: `times` in microseconds, `lines` from 1.
 *
 * @typedef {{ metric: MetricField, times: number[], values: number[], lines: number[] }} Series
 */
/** The series of a sensor by the name of their field. @typedef {Map<string, Series>} SensorSeries */

/** Commands at the beginning of an export of InfluxDB 1. */
const COMMAND = /^CREATE (DATABASE|RETENTION POLICY)\b/;
/** @param {string} line */
const isNoPoint = (line) => line === '' || line.startsWith('#') || COMMAND.test(line);

/** @param {string} file */
export function isLines(file) {
  const lines = readSample(file)
    .replace(/^\uFEFF/, '')
    .split('\n');
  const first = lines.map((line) => line.trim()).find((line) => !isNoPoint(line));
  return first !== undefined && typeof parsePoint(first) !== 'string';
}

/**
 * Reads a file. An export lists all values of a field, then those of the next, so the values are kept in memory and joined: those of
 * a sensor at the same time are one reading.
 *
 * @param {string} file
 * @param {object} options
 * @param {string | undefined} options.sensor overrides the names in the file; empty for the unnamed sensor
 * @param {import('./layout.js').ColumnNames} options.columns the names of fields by metric, and the tag that names the sensor
 * @param {import('./columns.js').Units} options.units
 * @param {import('./arguments.js').Condition[]} options.where tags that a line must have; `_measurement` is its measurement
 * @throws {ImportError} if a unit is open, or no line has a metric
 */
export async function lineReadings(file, { sensor: given, columns, units, where }) {
  const { sensor: tag, ...names } = columns;
  const tags = tag === undefined ? (process.env.SENSOR_TAG?.split(/[\s,]+/).filter(Boolean) ?? []) : [tag];
  const rules = { tags: tags.length > 0 ? tags : SENSOR_TAGS, columns: names, units };
  const clock = timeParser({});
  /** @type {Map<string, SensorSeries>} */
  const sensors = new Map();
  /** @type {Item[]} */
  const problems = [];
  /** The fields of each metric, and those of none. @type {Map<string, Set<string>>} */
  const taken = new Map();
  /** @type {Set<string>} */
  const others = new Set();
  const missing = new Set(where.map(({ column }) => column));
  let [line, values] = [0, 0];
  const unitOf = await unitsOfSeries(file);

  /** @param {string} text @returns {string | undefined} why the line can't be taken */
  function add(text) {
    const point = parsePoint(text);
    if (typeof point === 'string') return point;
    const unit = unitOf.size > 0 ? unitOf.get(seriesOf(point)) : undefined;
    if (unit !== undefined) point.fields.push([UNIT_FIELD, unit]);
    const tagOf = (/** @type {string} */ name) =>
      name === '_measurement' ? point.measurement : point.tags.get(name);
    for (const { column } of where) if (tagOf(column) !== undefined) missing.delete(column);
    if (!where.every(({ column, value }) => tagOf(column) === value)) return undefined;
    const found = pointValues(point, rules);
    for (const name of Object.keys(found.others)) others.add(name);
    if (found.likely) {
      const { field, unit, name, value } = found.likely;
      const own = TABLE.find((row) => row.field === field)?.unit;
      throw new ImportError(
        `line ${line}: "${name}" is ${value} without a unit, which may be ${unit}. Add --units ${field}=${unit}, or --units ${field}=${own}`,
      );
    }
    if (found.fault || found.names.length === 0) return found.fault;
    if (point.time === undefined) return 'has no time';
    const time = clock.parse(String(point.time));
    const sensor = given ?? found.sensor ?? '';
    const series = sensors.get(sensor) ?? new Map();
    sensors.set(sensor, series);
    for (const [metric, name] of found.names) {
      taken.set(metric, (taken.get(metric) ?? new Set()).add(name));
      const known = series.get(name) ?? { metric, times: [], values: [], lines: [] };
      series.set(name, known);
      known.times.push(time);
      known.values.push(Number(found.values[metric]));
      known.lines.push(line);
      values += 1;
    }
    return undefined;
  }

  for await (const { at, text } of linesOf(file)) {
    line = at;
    if (isNoPoint(text)) continue;
    const problem = tried(() => add(text));
    if (problem) problems.push({ line, problem });
  }
  const [column] = missing;
  if (column !== undefined) throw new ImportError(`no line has a tag "${column}" for --where`);
  if (sensors.size === 0 && problems.length === 0) {
    const listed = [...others].map((name) => `"${name}"`).join(', ') || 'none';
    throw new ImportError(
      `no line has a metric. Name one, such as --columns co2=NAME. The fields are ${listed}`,
    );
  }
  return {
    items: joined(sensors, problems),
    rows: values,
    taken: `line protocol: ${FIELDS.flatMap((field) => describe(field, taken.get(field))).join(', ')}.`,
    untaken: others.size > 0 ? [`Not imported: ${[...others].map((name) => `"${name}"`).join(', ')}.`] : [],
  };
}

/**
 * Yields the trimmed lines of a file. A text field may have line breaks.
 *
 * @param {string} file
 */
async function* linesOf(file) {
  const join = lineJoiner();
  const trimmed = (/** @type {{ at: number, text: string }} */ { at, text }) => ({ at, text: text.trim() });
  const input = createReadStream(file, encodingOf(file));
  for await (const raw of createInterface({ input, crlfDelay: Infinity })) {
    for (const each of join(raw.replace(/^\uFEFF/, ''))) yield trimmed(each);
  }
  for (const each of join()) yield trimmed(each);
}

/**
 * Returns the units that Home Assistant writes as text, by series. An export has them in other lines than the values.
 *
 * @param {string} file
 */
async function unitsOfSeries(file) {
  /** @type {Map<string, string>} */
  const units = new Map();
  for await (const { text } of linesOf(file)) {
    if (!text.includes(UNIT_FIELD)) continue;
    const point = parsePoint(text);
    if (typeof point === 'string') continue;
    const unit = point.fields.find(([name]) => name === UNIT_FIELD)?.[1];
    if (typeof unit !== 'string') continue;
    const series = seriesOf(point);
    const known = units.get(series);
    // The values of a series that changed its unit can't be converted, so they are refused.
    units.set(series, known === undefined || known === unit ? unit : `${known} or ${unit}`);
  }
  return units;
}

/** @param {import('../../app/ingest/line-point.server.js').Point} point */
const seriesOf = ({ measurement, tags }) => JSON.stringify([measurement, ...tags]);

/** @param {() => string | undefined} read */
function tried(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** @param {MetricField} field @param {Set<string>} [names] */
const describe = (field, names = new Set()) => [...names].map((name) => `"${name}" as ${field}`);

/**
 * Yields the problems, and then the readings of each sensor, oldest first. A second value of a metric at the same time makes a second
 * reading. The first has the value of the field with the metric's own name.
 *
 * @param {Map<string, SensorSeries>} sensors
 * @param {Item[]} problems
 * @returns {AsyncGenerator<Item>}
 */
async function* joined(sensors, problems) {
  yield* problems;
  for (const [sensor, series] of sensors) {
    const cursors = [...series]
      .sort(([a, { metric }], [b, other]) => Number(b === other.metric) - Number(a === metric))
      .map(([, each]) => ({ ...each, order: orderOf(each.times), at: 0 }));
    const indexAt = (/** @type {(typeof cursors)[number]} */ { order, at }) => order?.[at] ?? at;
    const timeAt = (/** @type {(typeof cursors)[number]} */ cursor) =>
      cursor.times[indexAt(cursor)] ?? Number.POSITIVE_INFINITY;
    for (;;) {
      const time = Math.min(...cursors.map(timeAt));
      if (time === Number.POSITIVE_INFINITY) break;
      /** The values of each metric at this time. @type {Map<MetricField, number[]>} */
      const found = new Map();
      let line = Number.POSITIVE_INFINITY;
      let rows = 0;
      for (const cursor of cursors) {
        for (; timeAt(cursor) === time; cursor.at += 1) {
          const index = indexAt(cursor);
          const values = found.get(cursor.metric) ?? [];
          const value = /** @type {number} */ (cursor.values[index]);
          if (!values.includes(value)) found.set(cursor.metric, [...values, value]);
          line = Math.min(line, cursor.lines[index] ?? line);
          rows += 1;
        }
      }
      const count = Math.max(...[...found.values()].map((values) => values.length));
      for (let i = 0; i < count; i += 1) {
        const values = [...found].map(([field, all]) => [field, all[Math.min(i, all.length - 1)]]);
        const reading = { co2: null, voc: null, ...Object.fromEntries(values), created_at: formatTime(time) };
        yield { line, rows: i === 0 ? rows : 0, reading: { ...reading, ...(sensor && { sensor }) } };
      }
    }
  }
}

/** Returns the positions of times in order; null if they are in order, as usual. @param {number[]} times */
function orderOf(times) {
  if (times.every((time, i) => i === 0 || time >= Number(times[i - 1]))) return null;
  return Uint32Array.from(times.keys()).sort((a, b) => Number(times[a]) - Number(times[b]));
}
