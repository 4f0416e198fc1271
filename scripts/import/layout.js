/** Finds the columns of a file by the names in its header line. */
import { ImportError } from '../fail.js';
import { FIELDS, findMetrics, normalized, sameName } from './columns.js';

/** The error for a header whose columns aren't known. */
export class UnknownColumns extends ImportError {
  /** @param {string} message @param {string[]} header */
  constructor(message, header) {
    super(message);
    this.header = header;
  }
}

/** @typedef {'created_at' | 'sensor' | import('./columns.js').MetricField} Member */
/** @typedef {Partial<Record<Member, string>>} ColumnNames */
/** @typedef {import('./columns.js').Units} Units */

/**
 * The columns of a file. `wide`: each row is a reading. `long`: each row is one metric, named in the first column of `key` that
 * isn't empty. `given` is true if the user named columns. `unused` are the names of columns that aren't imported.
 *
 * @typedef {object} WideLayout
 * @property {'wide'} kind
 * @property {string} source
 * @property {boolean} given
 * @property {number} created_at
 * @property {number} clock the column of the time of day, if `created_at` has only the date; else -1
 * @property {import('./time.js').TimeOptions} times options that the name of the time's column says
 * @property {number} particles the column with the type of a sensor that must be one of particles; else -1
 * @property {number} sensor
 * @property {import('./columns.js').MetricColumn[]} metrics
 * @property {string[]} taken descriptions of the columns for the user
 * @property {string[]} faults
 * @property {string[]} unused
 *
 * @typedef {{ kind: 'long', source: string, created_at: number[], key: number[], value: number, isMean: boolean, times: import('./time.js').TimeOptions }} LongLayout
 * @typedef {WideLayout | LongLayout} Layout
 */

const MEMBERS = /** @type {readonly Member[]} */ (['created_at', ...FIELDS, 'sensor']);

/**
 * The other columns of known files, preferred names first.
 *
 * Sources: the header lines of airboard's own export, of AirGradient's dashboard (Data Export), and of InfluxDB
 * (docs.influxdata.com, "Annotated CSV", pivoted; the `influx` shell of version 1 with `-format csv`). Sensor.Community's archive
 * (archive.sensor.community) has times in UTC and pressure in Pa; P0 is PM1, P1 is PM10, P2 is PM2.5, and P4 is PM4.
 */
/**
 * @typedef {object} KnownFile
 * @property {string} source
 * @property {string[]} created_at
 * @property {string[]} sensor
 * @property {string[]} [needs] columns that only this source has
 * @property {ColumnNames} [columns]
 * @property {Units} [units]
 * @property {string} [timeZone]
 */

/** @type {KnownFile[]} */
const WIDE = [
  { source: 'airboard', created_at: ['created_at'], sensor: ['sensor'], needs: ['id', 'sensor'] },
  { source: 'AirGradient', created_at: ['utc date/time'], sensor: ['location name'] },
  { source: 'InfluxDB', created_at: ['_time'], sensor: [] },
  { source: 'PurpleAir', created_at: ['time_stamp'], sensor: ['sensor_index'] },
  {
    source: 'Sensor.Community',
    created_at: ['timestamp'],
    sensor: ['sensor_id'],
    needs: ['sensor_type', 'location', 'lat', 'lon'],
    columns: { pm1: 'P0', pm10: 'P1', pm25: 'P2', pm4: 'P4' },
    units: { pressure: 'Pa' },
    timeZone: 'UTC',
  },
  {
    source: 'a table',
    // openSenseMap, PurpleAir's card, Airthings, and tables of Home Assistant's database.
    created_at: [
      ...['created_at', 'timestamp', 'time', 'datetime', 'date/time', 'date time'],
      ...['createdat', 'utcdatetime', 'recorded', 'last_updated_ts', 'start_ts'],
      ...['observed', 'date', 'datum', 'epoch_utc'],
    ],
    sensor: ['sensor'],
  },
];

/**
 * Known files with one metric per row, the columns of each from the best to the last. Sources: Home Assistant's frontend,
 * `ha-panel-history.ts` (History, "Download data"), the tables `states` and `statistics` of its database (recorder, db_schema.py),
 * and InfluxDB's "Annotated CSV" without a pivot.
 */
const LONG = [
  {
    source: 'Home Assistant',
    created_at: ['last_updated_ts', 'last_changed_ts', 'last_changed', 'last_updated'],
    key: ['entity_id', 'metadata_id'],
    value: 'state',
  },
  {
    source: "Home Assistant's statistics",
    created_at: ['start_ts', 'start'],
    key: ['statistic_id', 'entity_id', 'metadata_id'],
    value: 'mean',
    isMean: true,
  },
  { source: 'InfluxDB', created_at: ['_time'], key: ['_field'], value: '_value' },
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
    // The table `statistics` has a state too, that of meters.
    const long = LONG.findLast(({ value }) => indexOf(value) >= 0);
    const [times, keys] = [long?.created_at, long?.key].map((names = []) =>
      names.map(indexOf).filter((index) => index >= 0),
    );
    if (long && times?.length && keys?.length) {
      const { source, value, isMean = false } = long;
      return { kind: 'long', source, created_at: times, key: keys, value: indexOf(value), isMean, times: {} };
    }
  }
  const { date, clock } = timeColumns(header, columns, indexOf);
  /** @type {string[]} */
  let faults = [];
  for (const member of MEMBERS) {
    if (
      columns[member] !== undefined &&
      indexOf(columns[member]) < 0 &&
      !(member === 'created_at' && date >= 0)
    ) {
      throw new ImportError(`the file has no column "${columns[member]}". It has: ${listed(header)}`);
    }
  }
  for (const { source, needs = [], timeZone, ...names } of WIDE) {
    if (needs.some((name) => indexOf(name) < 0)) continue;
    const found = findMetrics(header, { ...names.columns, ...columns }, { ...names.units, ...units });
    faults = found.faults;
    // PurpleAir's VOC is on a scale of its own sensor.
    const metrics = found.metrics.filter(
      ({ field }) => field !== 'voc' || source !== 'PurpleAir' || columns.voc !== undefined,
    );
    const [created_at, sensor] = /** @type {const} */ (['created_at', 'sensor']).map((member) => {
      const given = columns[member];
      const isOther =
        source !== 'a table' &&
        member === 'created_at' &&
        !names[member].some((name) => sameName(name, given ?? name));
      if (isOther) return -1;
      const candidates = given === undefined ? names[member] : [given];
      if (member === 'created_at' && date >= 0) return source === 'a table' ? date : -1;
      const index = candidates.map(indexOf).find((index) => index >= 0) ?? -1;
      const isTime = member === 'created_at' && source === 'a table' && columns.created_at === undefined;
      return index < 0 && isTime ? header.findIndex((each) => TIME_NAME.test(normalized(each))) : index;
    });
    if (created_at === undefined || created_at < 0 || sensor === undefined || metrics.length === 0) continue;
    // The name is a whole header line, because the delimiter is another one.
    if (metrics.some(({ index }) => index === created_at)) continue;
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
      times: { timeZone, ...timeRules(header[created_at] ?? '') },
      particles: metrics.some(({ field, name }) => columns[field] === undefined && /^p[12]$/i.test(name))
        ? indexOf('sensor_type')
        : -1,
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
  throw new UnknownColumns(`the file's columns are not known: ${listed(header)}.${reasons}`, header);
}

/** Names of times that say more, such as the format: `Time(dd/mm/yyyy)`, `Date Time, GMT+01:00`. */
const TIME_NAME = /^((date|datum)[ /&_-]*((and|und) )?(time|zeit|uhrzeit)|timestamp|time|zeitstempel)\b/;
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
  // The date and the time of day of an AirVisual Pro are local, its timestamp isn't.
  if (created_at === undefined && names.includes('timestamp')) return { date: -1, clock: -1 };
  const [date = -1, clock = -1] =
    created_at === undefined
      ? [DATE_NAME, CLOCK_NAME].map((name) => names.findIndex((each) => name.test(each)))
      : indexOf(created_at) < 0
        ? created_at.split('+').map(indexOf)
        : [];
  return date >= 0 && clock >= 0 ? { date, clock } : { date: -1, clock: -1 };
}

/**
 * Returns what a column's name says of its times: the zone, and the order of day and month.
 *
 * @param {string} name such as `Date Time, GMT-07:00`, `timestamp(America/Denver)` and `Time(dd/mm/yyyy)`
 * @returns {import('./time.js').TimeOptions}
 */
function timeRules(name) {
  const [, offset] = /(?:GMT|UTC) ?([+-]\d\d?(?::?\d\d)?)/.exec(name) ?? [];
  const [, zone] = ZONE_NAME.exec(name) ?? [];
  const timeZone = offset ?? zone ?? (/^utc|\b(utc|gmt)\b/i.test(name) ? 'UTC' : undefined);
  /** @type {import('./time.js').DateOrder | undefined} */
  const dateOrder = /\bdd?\/mm?\b/i.test(name) ? 'dmy' : /\bmm?\/dd?\b/i.test(name) ? 'mdy' : undefined;
  return { ...(dateOrder && { dateOrder }), ...(timeZone && { timeZone }) };
}

/**
 * Adds the offset in the name of a file of Aranet's app, such as `Aranet4 0C39F_2023-04-07T17_14_19-0600.csv`: that of the phone when
 * the file was exported.
 *
 * @param {Layout} layout
 * @param {string} fileName
 * @returns {Layout}
 */
export function withNamedZone(layout, fileName) {
  const [, timeZone] = /_\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d([+-]\d{4})/.exec(fileName) ?? [];
  if (layout.kind !== 'wide' || !timeZone || layout.times.timeZone) return layout;
  const [time, ...others] = layout.taken;
  const said = `${time} at UTC${timeZone} by the file's name (if the clocks changed since its first reading, add --time-zone)`;
  return { ...layout, times: { ...layout.times, timeZone }, taken: [said, ...others] };
}

const ZONE_NAME =
  /\b((?:Africa|America|Antarctica|Asia|Atlantic|Australia|Canada|Etc|Europe|Indian|Pacific|US)(?:\/[A-Z][\w+-]*)+)/;

/** The maximum length of a file's names in a message: two lines of a terminal. */
const NAMED_CHARACTERS = 160;

/** @param {string[]} header */
function listed(header) {
  const text = header.map((name) => `"${name}"`).join(', ');
  return text.length <= NAMED_CHARACTERS ? text : `${text.slice(0, NAMED_CHARACTERS)}…`;
}

/** Returns the entity or field of a row with one metric. @param {string[]} fields @param {LongLayout} layout */
export const keyOf = (fields, { key }) => firstOf(fields, key);

/** Returns a row's time, which may be in two columns. @param {string[]} fields @param {Layout} layout */
export function timeText(fields, layout) {
  if (layout.kind === 'long') return firstOf(fields, layout.created_at);
  const { created_at, clock } = layout;
  const date = fields[created_at]?.trim() ?? '';
  return clock < 0 || date.includes(':') ? date : `${date} ${fields[clock]?.trim() ?? ''}`;
}

/** Returns the first field that isn't empty. SQLite prints nothing for NULL. @param {string[]} fields @param {number[]} indexes */
function firstOf(fields, indexes) {
  for (const index of indexes) {
    const text = fields[index]?.trim();
    if (text && text !== 'NULL') return text;
  }
  return '';
}
