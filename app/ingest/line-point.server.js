/**
 * Reads lines of InfluxDB's line protocol, for the server and `npm run import`. Plain JavaScript, because the import runs without
 * a build: https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
 *
 *     air,host=kitchen co2=612,temperature=21.4 1772359500000000000
 */
import { readName } from '../readings/metric-names.js';
import { cannotConvert, conversionFrom, inUnit, isUnit, likelyUnit } from '../readings/metric-units.js';

/** @typedef {import('../readings/metric').MetricField} MetricField */
/**
 * A line with its tags and fields. `time` is in the unit of the sender, since 1970.
 *
 * @typedef {{ measurement: string, tags: Map<string, string>, fields: [string, number | boolean | string][], time?: bigint }} Point
 */
/**
 * The values of a line by metric, converted to its unit. `others` are the numbers under other names. `names` are the names of the
 * fields with metrics. `fault` is why a value can't be taken; then none of the line is. `likely` is the unit of that value, if only
 * its unit is open.
 *
 * @typedef {{ values: Partial<Record<MetricField, number>>, others: Record<string, number>, names: [MetricField, string][], sensor?: string, fault?: string, likely?: { field: MetricField, unit: string, name: string, value: number } }} PointValues
 */
/**
 * What the user says about the names in lines.
 *
 * @typedef {object} PointRules
 * @property {readonly string[]} tags the tags that name a sensor; the first one that a line has counts
 * @property {Partial<Record<string, string>>} [columns] the names of fields, by metric
 * @property {Partial<Record<MetricField, string>>} [units] the units of fields whose names don't say them
 */

/** Measurements of Telegraf about the computer that it runs on. Their temperatures aren't those of the air. */
const OF_COMPUTERS =
  /^(temp|sensors|cpu|disk|diskio|mem|smart_(device|attribute)|hddtemp|ipmi_sensor|nvidia_smi|amd_rocm_smi|redfish_.*|docker.*|kernel|net|processes|swap|system)$/;

/**
 * Returns the values of a point.
 *
 * @param {Point} point
 * @param {PointRules} rules
 * @returns {PointValues}
 */
export function pointValues(point, { tags, columns = {}, units = {} }) {
  /** @type {PointValues} */
  const found = { values: {}, others: {}, names: [] };
  /** @type {string[]} */
  const places = [];
  for (const [name, sent] of point.fields) {
    // Home Assistant writes attributes as text.
    if (typeof sent !== 'number' || OF_COMPUTERS.test(point.measurement)) continue;
    const named = nameOf(point, name);
    const given = Object.keys(columns).find((field) => columns[field] === named.name);
    const metric = given === undefined ? readName(named.name) : null;
    const field = /** @type {MetricField | undefined} */ (given ?? metric?.field);
    if (field === undefined) {
      found.others[named.name] = sent;
      continue;
    }
    const unit = units[field] ?? metric?.unit ?? named.unit;
    const value = inMetric(field, sent, unit, metric?.or, name);
    if (typeof value === 'string') {
      const other = unit === undefined ? likelyUnit(field, sent) : null;
      return { ...found, fault: value, ...(other && { likely: { field, unit: other, name, value: sent } }) };
    }
    found.values[field] = value;
    found.names.push([field, named.name]);
    if (metric?.place) places.push(metric.place);
  }
  const tag = tags.find((each) => point.tags.get(each));
  const isOwn = point.fields.some(([name]) => name === 'value');
  const sensor = (tag && point.tags.get(tag)) ?? (isOwn ? places[0] : undefined);
  return sensor === undefined ? found : { ...found, sensor };
}

/**
 * Returns the name of a value, and the unit beside it. Under `value`, the measurement has the name. Home Assistant writes the unit
 * as the measurement, and the name as the tag `entity_id`.
 *
 * @param {Point} point
 * @param {string} field
 * @returns {{ name: string, unit?: string }}
 */
function nameOf({ measurement, tags }, field) {
  if (field !== 'value') return { name: field };
  const entity = tags.get('entity_id');
  return entity && isUnit(measurement)
    ? { name: entity, unit: measurement }
    : { name: entity ?? measurement };
}

/**
 * Converts a value to its metric's unit, or returns why that can't be done.
 *
 * @param {MetricField} field
 * @param {number} value
 * @param {string | undefined} unit
 * @param {MetricField | undefined} or another metric that the name may mean
 * @param {string} name
 */
function inMetric(field, value, unit, or, name) {
  if (or && unit === undefined)
    return `"${name}" may be in PPB or an index: write it as ${inUnit(field)} or as ${inUnit(or)}`;
  if (unit === undefined) {
    const other = likelyUnit(field, value);
    if (!other) return value;
    return `"${name}" has no unit and may be in ${other}: write it as ${inUnit(field)}, or name it ${field}_${other.replace('°', '')}`;
  }
  const convert = conversionFrom(unit, field);
  if (convert === undefined) return `"${name}" ${cannotConvert(unit, field)}`;
  return convert ? convert(value) : value;
}

/** The measurement, a tag's key or value, and a field's key: commas, spaces and equals signs are escaped. */
const MEASUREMENT = /(?:\\.|[^\\, ])+/y;
const KEY = /(?:\\.|[^\\,= ])+/y;
const VALUE =
  /"((?:\\.|[^"\\])*)"|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[iu]?(?=[, ]|$)|(true|false|t|f)(?=[, ]|$)/iy;
const TIME = / +(-?\d{1,19})$/y;

/**
 * Parses a trimmed line. Returns what is wrong with it instead.
 *
 * @param {string} line
 * @returns {Point | string}
 */
export function parsePoint(line) {
  let at = 0;
  const take = (/** @type {RegExp} */ pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const unescaped = (/** @type {string} */ text) => text.replace(/\\([,= ])/g, '$1');
  const measurement = take(MEASUREMENT)?.[0];
  if (measurement === undefined) return NOT_LINES;
  const tags = new Map();
  while (line[at] === ',') {
    at += 1;
    const key = take(KEY)?.[0];
    if (key === undefined || line[at] !== '=') return NOT_LINES;
    at += 1;
    tags.set(unescaped(key), unescaped(take(KEY)?.[0] ?? ''));
  }
  /** @type {Point['fields']} */
  const fields = [];
  if (line[at] !== ' ') return NOT_LINES;
  while (line[at] === ' ') at += 1;
  for (;;) {
    const key = take(KEY)?.[0];
    if (key === undefined || line[at] !== '=') return NOT_LINES;
    at += 1;
    const [value, text, number] = take(VALUE) ?? [];
    if (value === undefined) return `has no number, text or true or false for "${unescaped(key)}"`;
    fields.push([unescaped(key), text ?? (number !== undefined ? Number(number) : /^t/i.test(value))]);
    if (line[at] !== ',') break;
    at += 1;
  }
  const time = take(TIME)?.[1];
  if (time === undefined && line.slice(at).trim() !== '')
    return 'has something else than a time after its fields';
  return {
    measurement: unescaped(measurement),
    tags,
    fields,
    ...(time !== undefined && { time: BigInt(time) }),
  };
}

const NOT_LINES = 'is not line protocol, such as air,sensor=kitchen co2=612 1772359500000000000';
