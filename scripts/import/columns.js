/** Finds the metrics in a file by its column names, and converts values to the units of the table of metrics. */
import { metricNamed, TABLE } from '../../app/readings/metric-table.js';
import { ImportError } from '../fail.js';

/** @typedef {import('../../app/readings/metric').MetricField} MetricField */
/** @typedef {(value: number) => number} Convert */
/** @typedef {Partial<Record<MetricField, string>>} Units the units given by the user, by metric */
/**
 * A column, entity or field with a metric. `convert` is missing if the values already have the table's unit. `taken` describes
 * the column for the user.
 *
 * @typedef {{ field: MetricField, index: number, name: string, taken: string, convert?: Convert }} MetricColumn
 */

export const FIELDS = TABLE.map(({ field }) => field);

/** @type {(factor: number) => Convert} Rounds away floating-point errors. */
const times = (factor) => (value) => Number((value * factor).toPrecision(12));

/** @type {Convert} */
const fromFahrenheit = (value) => Number((((value - 32) * 5) / 9).toFixed(6));

/**
 * For each unit of the table, the units that can be converted to it; null for another name of the same unit.
 *
 * @type {Record<string, Record<string, Convert | null>>}
 */
const UNITS = {
  PPM: { ppb: times(0.001) },
  PPB: { ppm: times(1000) },
  'µg/m³': { mgm3: times(1000) },
  '°C': {
    celsius: null,
    f: fromFahrenheit,
    fahrenheit: fromFahrenheit,
    k: (value) => Number((value - 273.15).toFixed(6)),
  },
  '%': { '%rh': null, percent: null, pct: null },
  hPa: {
    mbar: null,
    mb: null,
    pa: times(0.01),
    kpa: times(10),
    bar: times(1000),
    inhg: times(33.863886),
    mmhg: times(1.333224),
  },
};

/** @param {string} text such as `°F` and `µg/m³` */
const unitKey = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('μ', 'u')
    .replace(/deg(rees?)?|[^a-z0-9%]/g, '');

/**
 * Returns the conversion to a unit of the table; null if none is needed, undefined if none is possible.
 *
 * @param {string} unit
 * @param {string} target
 */
const conversion = (unit, target) =>
  target !== '' && unitKey(unit) === unitKey(target) ? null : UNITS[target]?.[unitKey(unit)];

const KNOWN_UNITS = new Set([
  ...TABLE.map(({ unit }) => unitKey(unit)).filter(Boolean),
  ...Object.values(UNITS).flatMap((units) => Object.keys(units)),
]);

/**
 * Splits a column name such as `Temp (°F) corrected`, `temp_f` or `Temp °F` into name and unit.
 *
 * @param {string} header
 * @returns {{ name: string, unit?: string }}
 */
function splitName(header) {
  const text = header.trim();
  for (const pattern of [/^(.*?)[([]([^)\]]*)[)\]](.*)$/, /^(.*[^\s_,/-])[\s_,/-]+(\S+)()$/]) {
    const [, before = '', unit = '', after = ''] = pattern.exec(text) ?? [];
    const name = `${before} ${after}`.normalize('NFKC').trim();
    if (KNOWN_UNITS.has(unitKey(unit)) && metricNamed(plainName(name))) return { name, unit };
  }
  return { name: text.normalize('NFKC') };
}

/** @param {string} name */
const plainName = (name) => name.replace(/\b(corrected|compensated|raw|average|avg|mean)\b/gi, '');

/** @param {string} text */
const letters = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

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
  const { name } = splitName(header);
  const plain = plainName(name);
  const field = metricNamed(plain);
  if (!field) return null;
  const quality = /corrected|compensated/i.test(name) ? 0 : /raw/i.test(name) ? 2 : 1;
  if (letters(plain) === letters(field)) return { field, rank: quality };
  const row = TABLE.find((row) => row.field === field);
  const isWhole = row?.aliases.some((alias) => alias === letters(plain));
  return { field, rank: (isWhole ? 3 : VAGUE) + quality };
}
const VAGUE = 6;

/** Returns the metric with the longest name in a column's name, for a suggestion; null if there is none. @param {string} header */
export function likelyMetric(header) {
  const text = letters(header.normalize('NFKC'));
  const found = TABLE.flatMap(({ field, aliases }) =>
    [field, ...aliases].map((name) => ({ field, name: letters(name) })),
  ).filter(({ name }) => name.length > 2 && text.includes(name));
  return found.sort((a, b) => b.name.length - a.name.length)[0]?.field ?? null;
}

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
  const unit = units[field] ?? splitName(header).unit;
  const column = { field, index, name };
  if (unit === undefined) return { ...column, taken: `"${name}" as ${field}` };
  const convert = conversion(unit, target);
  if (convert === undefined) {
    throw new ImportError(`"${name}" is in ${unit}, which can't be converted to ${target || 'an index'}`);
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
    if (best >= VAGUE && ranks.lastIndexOf(best) !== index) {
      const names = header.filter((_, i) => ranks[i] === best).map((each) => `"${each.trim()}"`);
      faults.push(`${names.join(' and ')} may both be ${field}: say which with --columns`);
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
  if (conversion(unit, target) !== undefined) return;
  throw new Error(`--units: "${unit}" can't be converted to ${target || `${field}, which is an index`}.`);
}
