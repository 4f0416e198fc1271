/** The layouts of CSV files that `npm run import` knows, by the names in their header lines. */
import { commandLine } from '../../app/config/installation.server.js';
import { ImportError } from './error.js';

/** @typedef {'created_at' | 'co2' | 'voc' | 'sensor'} Member */
/** @typedef {Partial<Record<Member, string>>} ColumnNames */

/**
 * `wide`: a row is a reading. `long`: a row is one metric, and `key` says which. `given` lists the columns, for a person,
 * if the user gave some.
 *
 * @typedef {{ kind: 'wide', source: string, given?: string, created_at: number, co2: number, voc: number, sensor: number }} WideLayout
 * @typedef {{ kind: 'long', source: string, created_at: number, key: number, value: number }} LongLayout
 * @typedef {WideLayout | LongLayout} Layout
 */

const MEMBERS = /** @type {const} */ (['created_at', 'co2', 'voc', 'sensor']);
const METRICS = /** @type {const} */ (['co2', 'voc']);

/**
 * Columns of known files, the preferred name first.
 *
 * Sources: the header lines of airboard's own export, of AirGradient's dashboard (Data Export), and of InfluxDB
 * (docs.influxdata.com, "Annotated CSV", pivoted; the `influx` shell of version 1 with `-format csv`).
 *
 * @type {{ source: string, names: Record<Member, string[]> }[]}
 */
const WIDE = [
  {
    source: 'airboard',
    names: { created_at: ['created_at'], co2: ['co2'], voc: ['voc'], sensor: ['sensor'] },
  },
  {
    source: 'AirGradient',
    names: {
      created_at: ['utc date/time'],
      co2: ['co2 (ppm) corrected', 'co2 (ppm)', 'co2 (ppm) raw'],
      voc: ['tvoc (ppb)'],
      sensor: ['location name'],
    },
  },
  { source: 'InfluxDB', names: { created_at: ['_time'], co2: ['co2'], voc: ['voc', 'tvoc'], sensor: [] } },
  {
    source: 'a table',
    names: { created_at: ['time'], co2: ['co2'], voc: ['voc', 'tvoc'], sensor: ['sensor'] },
  },
];

/**
 * Sources: the frontend of Home Assistant, `ha-panel-history.ts` (History, "Download data"), and InfluxDB's
 * "Annotated CSV" as it comes from a query.
 */
const LONG = [
  { source: 'Home Assistant', created_at: 'last_changed', key: 'entity_id', value: 'state' },
  { source: 'InfluxDB', created_at: '_time', key: '_field', value: '_value' },
];

/**
 * Recognises the layout of a file by its header line.
 *
 * @param {string[]} header
 * @param {ColumnNames} columns names that the user gave; they come before those of known files
 * @returns {Layout}
 */
export function findLayout(header, columns) {
  const names = header.map(normalized);
  const indexOf = (/** @type {string | undefined} */ name) =>
    name === undefined ? -1 : names.indexOf(normalized(name));
  if (columns.created_at === undefined) {
    for (const { source, created_at, key, value } of LONG) {
      const found = { created_at: indexOf(created_at), key: indexOf(key), value: indexOf(value) };
      if (Math.min(...Object.values(found)) >= 0) return { kind: 'long', source, ...found };
    }
  }
  for (const member of MEMBERS) {
    if (columns[member] !== undefined && indexOf(columns[member]) < 0) {
      throw new ImportError(`the file has no column "${columns[member]}". It has: ${listed(header)}`);
    }
  }
  const areGiven = MEMBERS.some((member) => columns[member] !== undefined);
  for (const { source, names } of WIDE) {
    const [created_at = -1, co2 = -1, voc = -1, sensor = -1] = MEMBERS.map((member) => {
      const candidates = columns[member] === undefined ? names[member] : [columns[member]];
      return candidates.map(indexOf).find((index) => index >= 0) ?? -1;
    });
    if (created_at >= 0 && Math.max(co2, voc) >= 0) {
      const found = { created_at, co2, voc, sensor };
      return { kind: 'wide', source, ...(areGiven && { given: paired(header, found) }), ...found };
    }
  }
  throw new ImportError(`the file's columns are not known: ${listed(header)}.\n${example(header)}`);
}

/**
 * Returns `"Time" as created_at, "CO2 (ppm)" as co2`.
 *
 * @param {string[]} header
 * @param {Record<Member, number>} found
 */
function paired(header, found) {
  const used = MEMBERS.filter((member) => found[member] >= 0);
  return used.map((member) => `"${header[found[member]]?.trim()}" as ${member}`).join(', ');
}

/** @param {string[]} header */
function listed(header) {
  return header.map((name) => `"${name}"`).join(', ');
}

/**
 * Suggests the command for a file whose columns aren't known.
 *
 * @param {string[]} header
 */
function example(header) {
  const guess = (/** @type {RegExp} */ pattern, /** @type {string} */ fallback) =>
    header.find((name) => pattern.test(normalized(name))) ?? fallback;
  const named = [
    ['created_at', guess(/time|date|zeit|datum/, 'Time')],
    ...METRICS.map((metric) => [metric, guess(new RegExp(metric), metric.toUpperCase())]),
  ];
  const columns = named.map(
    ([member, name]) => `${member}=${/[^\w.-]/.test(name ?? '') ? `"${name}"` : name}`,
  );
  return `Say which they are, for example:\n\n  ${commandLine('import', `FILE.csv --columns '${columns.join(',')}' --time-zone Europe/Berlin`)}`;
}

/**
 * Returns a column's name without what programs write differently.
 *
 * @param {string} name
 */
export function normalized(name) {
  return name.normalize('NFKC').trim().toLowerCase();
}
