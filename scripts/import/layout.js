/** Finds the columns of a file by the names in its header line. */
import { commandLine } from '../../app/config/installation.server.js';
import { likelyMetric } from '../../app/readings/metric-names.js';
import { ImportError } from '../fail.js';
import { FIELDS, findMetrics, normalized, sameName } from './columns.js';

/** @typedef {'created_at' | 'sensor' | import('./columns.js').MetricField} Member */
/** @typedef {Partial<Record<Member, string>>} ColumnNames */
/** @typedef {import('./columns.js').Units} Units */

/**
 * The columns of a file. `wide`: each row is a reading. `long`: each row is one metric, named in the column `key`. `given` is
 * true if the user named columns. `unused` are the names of columns that aren't imported.
 *
 * @typedef {object} WideLayout
 * @property {'wide'} kind
 * @property {string} source
 * @property {boolean} given
 * @property {number} created_at
 * @property {number} clock the column of the time of day, if `created_at` has only the date; else -1
 * @property {string} offset from UTC, as the name of the time's column says it; else empty
 * @property {import('./time.js').TimeOptions} times options that the name of the time's column says
 * @property {number} sensor
 * @property {import('./columns.js').MetricColumn[]} metrics
 * @property {string[]} taken descriptions of the columns for the user
 * @property {string[]} faults
 * @property {string[]} unused
 *
 * @typedef {{ kind: 'long', source: string, created_at: number, key: number, value: number }} LongLayout
 * @typedef {WideLayout | LongLayout} Layout
 */

const MEMBERS = /** @type {readonly Member[]} */ (['created_at', ...FIELDS, 'sensor']);

/**
 * The other columns of known files, preferred names first.
 *
 * Sources: the header lines of airboard's own export, of AirGradient's dashboard (Data Export), and of InfluxDB
 * (docs.influxdata.com, "Annotated CSV", pivoted; the `influx` shell of version 1 with `-format csv`).
 */
const WIDE = [
  { source: 'airboard', created_at: ['created_at'], sensor: ['sensor'] },
  { source: 'AirGradient', created_at: ['utc date/time'], sensor: ['location name'] },
  { source: 'InfluxDB', created_at: ['_time'], sensor: [] },
  { source: 'PurpleAir', created_at: ['time_stamp'], sensor: ['sensor_index'] },
  {
    source: 'a table',
    // openSenseMap, PurpleAir's card, Airthings, and tables of Home Assistant's database.
    created_at: [
      ...['time', 'timestamp', 'datetime', 'date/time', 'date time'],
      ...['createdat', 'utcdatetime', 'recorded', 'last_updated_ts'],
    ],
    sensor: ['sensor'],
  },
];

/**
 * Known files with one metric per row. Sources: Home Assistant's frontend, `ha-panel-history.ts` (History, "Download data"), and
 * InfluxDB's "Annotated CSV" without a pivot.
 */
const LONG = [
  { source: 'Home Assistant', created_at: 'last_changed', key: 'entity_id', value: 'state' },
  { source: 'InfluxDB', created_at: '_time', key: '_field', value: '_value' },
];

/**
 * Detects a file's layout from its header line.
 *
 * @param {string[]} header
 * @param {ColumnNames} columns names given by the user, which take precedence over those of known files
 * @param {Units} [units]
 * @returns {Layout}
 */
export function findLayout(header, columns, units = {}) {
  const indexOf = (/** @type {string | undefined} */ name) =>
    name === undefined ? -1 : header.findIndex((each) => sameName(each, name));
  if (columns.created_at === undefined) {
    for (const { source, created_at, key, value } of LONG) {
      const found = { created_at: indexOf(created_at), key: indexOf(key), value: indexOf(value) };
      if (Math.min(...Object.values(found)) >= 0) return { kind: 'long', source, ...found };
    }
  }
  const { date, clock } = timeColumns(header, columns, indexOf);
  for (const member of MEMBERS) {
    if (
      columns[member] !== undefined &&
      indexOf(columns[member]) < 0 &&
      !(member === 'created_at' && date >= 0)
    ) {
      throw new ImportError(`the file has no column "${columns[member]}". It has: ${listed(header)}`);
    }
  }
  const { metrics: all, faults } = findMetrics(header, columns, units);
  // PurpleAir's VOC is on a scale of its own sensor.
  const isPurpleAir = indexOf('time_stamp') >= 0 && columns.voc === undefined;
  const metrics = isPurpleAir ? all.filter(({ field }) => field !== 'voc') : all;
  for (const { source, ...names } of WIDE) {
    const [created_at, sensor] = /** @type {const} */ (['created_at', 'sensor']).map((member) => {
      const candidates = columns[member] === undefined ? names[member] : [columns[member]];
      if (member === 'created_at' && date >= 0) return date;
      const index = candidates.map(indexOf).find((index) => index >= 0) ?? -1;
      const isTime = member === 'created_at' && source === 'a table' && columns.created_at === undefined;
      return index < 0 && isTime ? header.findIndex((each) => TIME_NAME.test(normalized(each))) : index;
    });
    if (created_at === undefined || created_at < 0 || sensor === undefined || metrics.length === 0) continue;
    // The ids of an airboard export aren't imported, because each server assigns its own.
    const id = source === 'airboard' ? indexOf('id') : -1;
    const used = [created_at, clock, sensor, id, ...metrics.map(({ index }) => index)];
    const name = (/** @type {number} */ index) => `"${header[index]?.trim()}"`;
    return {
      kind: 'wide',
      source,
      given: MEMBERS.some((member) => columns[member] !== undefined),
      created_at,
      clock,
      ...timeRules(header[created_at] ?? ''),
      sensor,
      metrics,
      taken: [
        clock < 0
          ? `${name(created_at)} as created_at`
          : `${name(created_at)} and ${name(clock)} as created_at`,
        ...metrics.map(({ taken }) => taken),
        ...(sensor < 0 ? [] : [`${name(sensor)} as sensor`]),
      ],
      faults,
      unused: header.flatMap((each, i) =>
        each.trim() === '' || used.includes(i) || faults.some((fault) => fault.includes(name(i)))
          ? []
          : [name(i)],
      ),
    };
  }
  const reasons = faults.map((fault) => ` ${fault}.`).join('');
  throw new ImportError(`the file's columns are not known: ${listed(header)}.${reasons}\n${example(header)}`);
}

/** Names of times that say more, such as the format: `Time(dd/mm/yyyy)`, `Date Time, GMT+01:00`. */
const TIME_NAME = /^(date[ /_-]?(and )?time|timestamp|time|zeitstempel)\b/;
const DATE_NAME = /^(date|datum|fecha|data|dato)\b(?!.*(time|zeit|uhr|hora))/;
const CLOCK_NAME = /^(time|zeit|uhrzeit|heure|hora|ora|tid|tijd)\b/;

/**
 * Returns the columns of the date and of the time of day, or -1 twice. The user names both as `created_at=Date+Time`.
 *
 * @param {string[]} header
 * @param {ColumnNames} columns
 * @param {(name: string) => number} indexOf
 */
function timeColumns(header, { created_at }, indexOf) {
  const names = header.map(normalized);
  const [date = -1, clock = -1] =
    created_at === undefined
      ? [DATE_NAME, CLOCK_NAME].map((name) => names.findIndex((each) => name.test(each)))
      : indexOf(created_at) < 0
        ? created_at.split('+').map(indexOf)
        : [];
  return date >= 0 && clock >= 0 ? { date, clock } : { date: -1, clock: -1 };
}

/** Returns what a column's name says of its times: an offset from UTC, and the order of day and month. @param {string} name */
function timeRules(name) {
  const [, offset = ''] = /(?:GMT|UTC) ?([+-]\d\d:?\d\d)/.exec(name) ?? [];
  /** @type {import('./time.js').DateOrder | undefined} */
  const dateOrder = /\bdd?\/mm?\b/i.test(name) ? 'dmy' : /\bmm?\/dd?\b/i.test(name) ? 'mdy' : undefined;
  const isUtc = offset === '' && /^utc|\butc\b/i.test(name);
  return { offset, times: { ...(dateOrder && { dateOrder }), ...(isUtc && { timeZone: 'UTC' }) } };
}

/** The maximum length of a file's names in a message: two lines of a terminal. */
const NAMED_CHARACTERS = 160;

/** @param {string[]} header */
function listed(header) {
  const text = header.map((name) => `"${name}"`).join(', ');
  return text.length <= NAMED_CHARACTERS ? text : `${text.slice(0, NAMED_CHARACTERS)}…`;
}

/**
 * Suggests a command for a file with unknown columns. A metric gets the first column whose name contains one of its names;
 * without such a column, the first one besides the time is any metric.
 *
 * @param {string[]} header
 */
function example(header) {
  const names = header.map((name) => name.trim()).filter((name) => name !== '');
  const { date, clock } = timeColumns(names, {}, () => -1);
  const time =
    date < 0
      ? (names.find((name) => /time|date|zeit|datum/.test(normalized(name))) ??
        names.find((name) => !likelyMetric(name)) ??
        'Time')
      : `${names[date]}+${names[clock]}`;
  const others = names.filter((name) => !time.split('+').includes(name));
  const guessed = new Map();
  for (const name of others) {
    const field = likelyMetric(name);
    if (field && !guessed.has(field)) guessed.set(field, name);
  }
  const isGuessed = guessed.size > 0;
  const named = [
    ['created_at', time],
    ...(isGuessed
      ? guessed
      : [['METRIC', others.find((name) => !/sensor|room|raum/i.test(name)) ?? 'Value']]),
  ];
  const columns = named.map(
    ([member, name]) => `${member}=${/[^\w.-]/.test(name ?? '') ? `"${name}"` : name}`,
  );
  const command = commandLine(
    'import',
    `FILE.csv --columns '${columns.join(',')}' --time-zone Europe/Berlin`,
  );
  return `Name them, for example:\n\n  ${command}${isGuessed ? '' : `\n\nMETRIC is one of ${FIELDS.join(', ')}`}`;
}
