/** Finds the metrics in a file by its column names, and converts values to the units of the table of metrics. */
import { readName } from '../../app/readings/metric-names.js';
import { TABLE } from '../../app/readings/metric-table.js';
import { cannotConvert, conversionFrom } from '../../app/readings/metric-units.js';
import { ImportError } from '../fail.js';

/** @typedef {import('../../app/readings/metric').MetricField} MetricField */
/** @typedef {import('../../app/readings/metric-units').Convert} Convert */
/** @typedef {Partial<Record<MetricField, string>>} Units the units given by the user, by metric */
/**
 * A column, entity or field with a metric. `convert` is missing if the values already have the table's unit. `hasUnit` is true if
 * the name or the user says the unit. `taken` describes the column for the user.
 *
 * @typedef {{ field: MetricField, index: number, name: string, taken: string, hasUnit: boolean, convert?: Convert }} MetricColumn
 */

export const FIELDS = TABLE.map(({ field }) => field);

/** @param {string} text */
const letters = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Reads a column's name. HOBO's loggers write their serial numbers and a label after it:
 * `Temp, °C (LGR S/N: 20363442, SEN S/N: 20363442, LBL: Bedroom)`.
 *
 * @param {string} header
 */
const readColumn = (header) => readName(withoutLogger(header));

/** @param {string} header */
function withoutLogger(header) {
  const [match, name, label = ''] = /^(.*?)\s*\(LGR S\/N:[^)]*?(?:LBL: ?([^),]*))?\)\s*$/i.exec(header) ?? [];
  return match ? `${label} ${name}` : header;
}

/**
 * Returns the metric in a column's name, and the column's rank among columns of that metric (lowest is best). A rank of `VAGUE`
 * or more means that the name has other words before the metric, such as a room.
 *
 * @param {string} header
 * @returns {{ field: MetricField, rank: number } | null}
 */
function metricOf(header) {
  // The "name" is a whole header line, because the delimiter isn't a comma.
  if (/[;\t]/.test(header)) return null;
  const named = readColumn(header);
  if (!named) return null;
  const { field, isAlone, name } = named;
  const quality = /corrected|compensated/i.test(header) ? 0 : /raw/i.test(header) ? 2 : 1;
  if (!isAlone) return { field, rank: VAGUE + quality };
  return { field, rank: (name === letters(field) ? 0 : 3) + quality };
}
const VAGUE = 6;

/**
 * Returns a column for a metric, with a description for the user (`taken`).
 *
 * @param {MetricField} field
 * @param {number} index
 * @param {string} header
 * @param {Units} units
 * @returns {MetricColumn}
 * @throws {ImportError} if its unit can't be converted
 */
export function metricColumn(field, index, header, units) {
  const target = /** @type {string} */ (TABLE.find((row) => row.field === field)?.unit);
  const name = header.trim();
  const unit = units[field] ?? readColumn(header)?.unit;
  const column = { field, index, name, hasUnit: unit !== undefined };
  if (unit === undefined) return { ...column, taken: `"${name}" as ${field}` };
  const convert = conversionFrom(unit, field);
  if (convert === undefined) {
    throw new ImportError(`"${name}" ${cannotConvert(unit, field)}`);
  }
  if (convert === null) return { ...column, taken: `"${name}" as ${field}` };
  const from = units[field] === undefined ? '' : `from ${unit} `;
  return { ...column, taken: `"${name}" as ${field}, converted ${from}to ${target}`, convert };
}

/**
 * Finds the columns of metrics. If a metric has several columns, takes the one with the best name: corrected values first, raw
 * values last. Takes none if the names differ in other words, such as two rooms.
 *
 * @param {string[]} header
 * @param {Partial<Record<string, string>>} given column names given by the user, by metric
 * @param {Units} units
 * @returns {{ metrics: MetricColumn[], faults: string[] }} `faults` are the reasons why columns weren't taken
 */
export function findMetrics(header, given, units) {
  const found = header.map(metricOf);
  /** @type {MetricColumn[]} */
  const metrics = [];
  /** @type {string[]} */
  const faults = [];
  for (const field of FIELDS) {
    const name = given[field];
    if (name !== undefined) {
      const index = header.findIndex((each) => sameName(each, name));
      if (index < 0) continue;
      metrics.push(metricColumn(field, index, header[index] ?? '', units));
      continue;
    }
    const ranks = found.map((each, i) =>
      each?.field === field &&
      !Object.values(given).some((other) => other && sameName(header[i] ?? '', other))
        ? each.rank
        : Number.POSITIVE_INFINITY,
    );
    const best = Math.min(...ranks);
    const index = ranks.indexOf(best);
    if (best === Number.POSITIVE_INFINITY) continue;
    const equals = header.filter((_, i) => ranks[i] === best);
    const [first = '', ...more] = equals;
    const isTwice = more.some((each) => sameName(withoutLogger(each), withoutLogger(first)));
    if (isTwice || (best >= VAGUE && more.length > 0)) {
      const names = equals.map((each) => `"${each.trim()}"`).join(' and ');
      const isSame = more.some((each) => sameName(each, first));
      const advice = isSame ? 'rename one in the first line' : 'say which with --columns';
      faults.push(`${names} may both be ${field}: ${advice}`);
      continue;
    }
    try {
      metrics.push(metricColumn(field, index, header[index] ?? '', units));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      faults.push(error.message);
    }
  }
  return { metrics, faults };
}

/** @param {string} a @param {string} b */
export const sameName = (a, b) => normalized(a) === normalized(b);

/** Normalizes a column's name for comparison. @param {string} name */
export function normalized(name) {
  return name.normalize('NFKC').trim().toLowerCase();
}

/**
 * Throws an error if a unit can't be converted to the metric's unit.
 *
 * @param {MetricField} field
 * @param {string} unit
 */
export function assertUnit(field, unit) {
  const target = TABLE.find((row) => row.field === field)?.unit ?? '';
  if (conversionFrom(unit, field) !== undefined) return;
  throw new Error(`--units: "${unit}" can't be converted to ${target || `${field}, which is an index`}.`);
}
