/** Proposes a command for a file with unknown columns, after trying it on the file's first rows. */
import { commandLine } from '../../app/config/installation.server.js';
import { likelyMetric, mentionsMetric } from '../../app/readings/metric-names.js';
import { ImportError } from '../fail.js';
import { parseColumns } from './arguments.js';
import { FIELDS, normalized, sameName } from './columns.js';
import { findLayout } from './layout.js';
import { timeParser } from './time.js';

/** Quotes a text for a shell, if it needs quotes. @param {string} text */
export const shellQuoted = (text) =>
  /^[\w./@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes a column's name for `--columns`, if it needs quotes. @param {string} name */
const columnQuoted = (name) => (/[^\w.+-]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/**
 * Returns a command for a file with unknown columns. A metric gets the first column whose name contains one of its names and whose
 * values are numbers; without such a column, the first one with numbers is any metric.
 *
 * @param {string} file
 * @param {string[]} header
 * @param {string[][]} rows the first rows
 */
export function proposal(file, header, rows) {
  // A command can't tell columns with the same name apart.
  const isOnly = (/** @type {string} */ name) => header.filter((each) => sameName(each, name)).length === 1;
  const names = header.map((name) => (isOnly(name) ? name.trim() : ''));
  const time = timeColumns(names, rows);
  if (!time) {
    const first = rows[0]?.join(' | ').slice(0, 160) ?? '';
    return `No column has a date and a time of day, and no two columns together have them. The first row is: ${first}`;
  }
  const others = names.flatMap((name, i) => (name === '' || time.indexes.includes(i) ? [] : [i]));
  const key = others.find((i) => namesMetrics(rows, i));
  if (key !== undefined) {
    return `Each row has one metric, named in "${names[key]}". Such files are read if the first line calls the columns _time, _field (the metric) and _value: rename them`;
  }
  const numeric = others.filter((i) => hasNumbers(rows, i));
  /** @type {Map<string, number>} */
  const guessed = new Map();
  for (const i of numeric) {
    const field = likelyMetric(names[i] ?? '');
    if (field && !guessed.has(field)) guessed.set(field, i);
  }
  const isGuessed = guessed.size > 0;
  if (!isGuessed) {
    const any = numeric.find(
      (i) => !SENSOR_NAME.test(normalized(names[i] ?? '')) && !mentionsMetric(names[i] ?? ''),
    );
    if (any === undefined) return 'No column has numbers of a metric that airboard keeps';
    guessed.set('METRIC', any);
  }
  const sensor = sensorColumn(
    rows,
    time,
    others.filter((i) => ![...guessed.values()].includes(i)),
  );
  if (sensor !== undefined) guessed.set('sensor', sensor);
  const columns = [
    `created_at=${columnQuoted(time.indexes.map((i) => names[i]).join('+'))}`,
    ...[...guessed].map(([member, i]) => `${member}=${columnQuoted(names[i] ?? '')}`),
  ].join(',');
  const layout = findLayout(header, parseColumns(columns.replace('METRIC=', 'co2=')));
  const needsZone = time.needsZone && !layout.times.timeZone;
  const zone = needsZone ? ' --time-zone ZONE' : '';
  const command = commandLine('import', `${shellQuoted(file)} --columns ${shellQuoted(columns)}${zone}`);
  return [
    `Name them, for example:\n\n  ${command}`,
    ...(needsZone ? ['ZONE is that of the times, such as Europe/Berlin or UTC'] : []),
    ...(isGuessed ? [] : [`METRIC is one of ${FIELDS.join(', ')}`]),
  ].join('\n\n');
}

const SENSOR_NAME = /sensor|room|raum|device|location|station|name|(^|[^a-z])id($|[^a-z])/i;
const TIME_NAME = /time|date|zeit|datum|fecha|epoch|unix/;

/** @typedef {{ indexes: number[], needsZone: boolean }} TimeColumns */

/**
 * Returns the column whose texts are times, or the columns of the date and of the time of day; null without such columns.
 *
 * @param {string[]} names
 * @param {string[][]} rows
 * @returns {TimeColumns | null}
 */
function timeColumns(names, rows) {
  const all = names.flatMap((name, i) => (name === '' ? [] : [i]));
  const rank = (/** @type {number} */ i) =>
    TIME_NAME.test(normalized(names[i] ?? '')) ? 0 : likelyMetric(names[i] ?? '') ? 2 : 1;
  const ranked = all.toSorted((a, b) => rank(a) - rank(b) || a - b);
  const pairs = ranked.flatMap((date) =>
    ranked.filter((clock) => clock !== date).map((clock) => [date, clock]),
  );
  /** @type {TimeColumns | null} */
  let found = null;
  for (const indexes of [...ranked.map((i) => [i]), ...(rows.length > 0 ? pairs : [])]) {
    if (found && (indexes.length > 1 || rows.length === 0)) break;
    const texts = rows.map((row) => timeOf(row, indexes)).filter((text) => text !== '');
    if (texts.length === 0 && rows.length > 0) continue;
    const needsZone = zoneNeed(texts);
    if (needsZone === null) continue;
    // A time with an offset, or Unix time, is better than a local one.
    if (!needsZone) return { indexes, needsZone };
    found ??= { indexes, needsZone };
  }
  return found;
}

/** @param {string[]} row @param {number[]} indexes */
const timeOf = (row, indexes) =>
  indexes
    .map((i) => row[i]?.trim() ?? '')
    .join(' ')
    .trim();

const ORDERS = /** @type {const} */ (['dmy', 'mdy']);

/** Returns the texts that are times. @param {string[]} texts */
export function timesIn(texts) {
  const parsers = ORDERS.map((dateOrder) => timeParser({ timeZone: 'UTC', dateOrder }));
  return texts.filter((text) => parsers.some(({ parse }) => tried(() => parse(text)) === true));
}

/** Returns true if times need a zone, and null if most texts aren't times. @param {string[]} texts */
function zoneNeed(texts) {
  if (timesIn(texts).length < 0.9 * texts.length) return null;
  const withoutZone = ORDERS.map((dateOrder) => timeParser({ dateOrder }));
  const lacksZone = (/** @type {string} */ text) =>
    withoutZone.some(({ parse }) => tried(() => parse(text)) === 'option');
  return texts.length === 0 || texts.some(lacksZone);
}

/** Returns true if a time was read, false if it wasn't, and `option` if an option is missing. @param {() => unknown} parse */
function tried(parse) {
  try {
    parse();
    return true;
  } catch (error) {
    return error instanceof ImportError ? 'option' : false;
  }
}

/** Returns true if the values of a column are names of metrics. @param {string[][]} rows @param {number} index */
function namesMetrics(rows, index) {
  return rows.length > 0 && rows.every((row) => mentionsMetric(row[index] ?? ''));
}

/** @param {string[][]} rows @param {number} index */
function hasNumbers(rows, index) {
  const texts = rows.map((row) => row[index]?.trim() ?? '').filter((text) => /\d/.test(text));
  return (
    rows.length === 0 || (texts.length > 0 && texts.every((text) => /^[+-]?[\d.,]+(\s?\D{0,8})$/.test(text)))
  );
}

/**
 * Returns the column that tells rows with the same time apart, as that of the rooms does.
 *
 * @param {string[][]} rows
 * @param {TimeColumns} time
 * @param {number[]} others
 */
function sensorColumn(rows, { indexes }, others) {
  const distinct = (/** @type {number[]} */ columns) => new Set(rows.map((row) => timeOf(row, columns))).size;
  const times = distinct(indexes);
  if (times === rows.length) return undefined;
  const best = others.toSorted(
    (a, b) => distinct([...indexes, b]) - distinct([...indexes, a]) || distinct([a]) - distinct([b]),
  )[0];
  return best !== undefined && distinct([...indexes, best]) > times ? best : undefined;
}
