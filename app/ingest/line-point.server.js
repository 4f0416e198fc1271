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
 * The values of a line by metric, converted to its unit. `others` are the numbers under other names, and further
 * numbers of a metric. `names` are the names of the fields with metrics. `fault` is why a value can't be taken; then none of the line
 * is. `likely` is the unit of that value, if only its unit is open.
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
  /^(temp|sensors|cpu|disk|diskio|mem|smart_(device|attribute)|smartctl.*|hddtemp|ipmi_sensor|nvidia_smi|amd_rocm_smi|redfish_.*|docker.*|kernel|net|wireless|processes|swap|system)$/;

/**
 * Returns true if no field is of the air in the room of the sensor: Telegraf's values of a computer, and OpenWeatherMap's of a city,
 * which have the computer's name as the tag `host`.
 *
 * @param {Point} point
 */
const isOfOther = ({ measurement, tags }) =>
  OF_COMPUTERS.test(measurement) || (measurement === 'weather' && tags.has('city_id'));

/** Home Assistant's integration tags each line with the entity. @param {Point} point */
const isOfEntity = ({ tags }) => tags.has('domain') && tags.has('entity_id');

/** The text field in which Home Assistant writes the unit unless the measurement is the unit. */
export const UNIT_FIELD = 'unit_of_measurement_str';

/**
 * Returns the values of a point. If several fields have the same metric, the first counts, or the one with the metric's own name.
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
  for (const { sent, named, metric, field } of numbersOf(point, columns)) {
    if (field === undefined || field in found.values) {
      found.others[field === undefined ? named.name : `${named.name} (another ${field})`] = sent;
      continue;
    }
    const unit = units[field] ?? metric?.unit ?? named.unit;
    const value = inMetric(field, sent, unit, metric?.or, named.name);
    if (typeof value === 'string') {
      const other = unit === undefined ? likelyUnit(field, sent) : null;
      return {
        ...found,
        fault: value,
        ...(other && { likely: { field, unit: other, name: named.name, value: sent } }),
      };
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
 * Returns the numbers of a point with their metrics: first those that the user names, then those with a metric's own name.
 *
 * Home Assistant writes each attribute of an entity as a field, such as the setpoint of a thermostat. Only the `value` of a sensor is
 * measured: that of a lamp or an alarm is 1 for `on`.
 *
 * @param {Point} point
 * @param {Partial<Record<string, string>>} columns
 */
function numbersOf(point, columns) {
  if (isOfOther(point)) return [];
  const isEntity = isOfEntity(point);
  const isSensor = point.tags.get('domain') === 'sensor';
  return point.fields
    .flatMap(([name, sent]) => {
      if (typeof sent !== 'number') return [];
      const named = nameOf(point, name);
      const given = Object.keys(columns).find((field) => columns[field] === named.name);
      if (isEntity && given === undefined && !(isSensor && name === 'value')) return [];
      const metric = given === undefined ? readName(named.name) : null;
      const field = /** @type {MetricField | undefined} */ (given ?? metric?.field);
      const rank = given !== undefined ? 0 : named.name === field ? 1 : 2;
      return [{ sent, named, metric, field, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}

/**
 * Returns the name of a value, and the unit beside it. Under `value`, the measurement has the name. Home Assistant writes the name as
 * the tag `entity_id`, and the unit as the measurement or as text.
 *
 * @param {Point} point
 * @param {string} field
 * @returns {{ name: string, unit?: string }}
 */
function nameOf({ measurement, tags, fields }, field) {
  if (field !== 'value') return { name: field };
  const entity = tags.get('entity_id');
  if (!entity) return { name: measurement };
  const text = fields.find(([name]) => name === UNIT_FIELD)?.[1];
  const unit = isUnit(measurement) ? measurement : text;
  return typeof unit === 'string' && unit !== '' ? { name: entity, unit } : { name: entity };
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
  /"((?:\\[\s\S]|[^"\\])*)"|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[iu]?(?=[, ]|$)|(true|false|t|f)(?=[, ]|$)/iy;
const TIME = / +(-?\d{1,19})$/y;

/** A text field, up to the line's end if it isn't closed. */
const TEXT = /="(?:\\.|[^"\\])*("|\\?$)/g;
/** The measurement and the tags, in which a quote is an ordinary character. */
const HEAD = /^(?:\\.|[^\\ ])*/;
/** The rest of a text field that began in an earlier line. */
const REST = /^(?:\\.|[^"\\])*"/;
/** Line breaks are read up to this length of a point, in characters. */
const LONGEST = 16 * 1024;

/**
 * Returns a function that takes the lines of a text one by one, and returns the complete ones, joined where a text field has line
 * breaks. Without a line, it returns those that are left. If a quote is never closed, each line stays alone, so that only the faulty
 * one is lost. `at` counts from 1.
 *
 * @returns {(line?: string) => { at: number, text: string }[]}
 */
export function lineJoiner() {
  /** @type {{ at: number, text: string }[]} */
  const open = [];
  let [at, length] = [0, 0];
  return (line) => {
    if (line === undefined) return open.splice(0);
    at += 1;
    open.push({ at, text: line });
    length = open.length > 1 ? length + line.length + 1 : line.length;
    const isOpen = endsInText(line, open.length > 1);
    if (isOpen && length <= LONGEST) return [];
    const lines = open.splice(0);
    if (lines.length === 1) return lines;
    const text = lines
      .map((each) => each.text)
      .join('\n')
      .trim();
    const isPoint = !isOpen && typeof parsePoint(text) !== 'string';
    return isPoint ? [{ at: at + 1 - lines.length, text }] : lines;
  };
}

/**
 * Returns true if a line ends in a text field.
 *
 * @param {string} line
 * @param {boolean} isOpen whether it begins in one
 */
function endsInText(line, isOpen) {
  if (!line.includes('"') || line.length > LONGEST) return isOpen;
  const trimmed = line.trimStart();
  if (!isOpen && trimmed.startsWith('#')) return false;
  const start = (isOpen ? REST : HEAD).exec(trimmed);
  if (start === null) return true;
  const last = [...trimmed.slice(start[0].length).matchAll(TEXT)].at(-1);
  return last !== undefined && last[1] !== '"';
}

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
