/**
 * Reads CSV files row by row in constant memory, and detects their columns from the header lines.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import Papa from 'papaparse';
import { commandLine } from '../../app/config/installation.server.js';
import {
  breaksIn,
  csvNewline,
  misquotedDetail,
  raggedDetail,
  withNewline,
} from '../../app/ingest/csv-text.server.js';
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
 * A row of a file. `line` counts from 1. A `misquoted` row contains the text of other rows, so its fields are meaningless. The
 * fields of a `ragged` row may be in the wrong columns. Both values are error texts.
 *
 * @typedef {{ line: number, fields: string[], misquoted?: string }} FileRecord
 * @typedef {FileRecord & { layout: Layout, header: string[], ragged?: string }} Row
 */

const SAMPLE_BYTES = 256 * 1024;
const PIECE_BYTES = 256 * 1024;
/** The maximum length of a row in characters. */
const ROW_LIMIT = 4 * PIECE_BYTES;

/** The header is searched for in this many rows, because loggers write titles before it. */
const PREAMBLE_ROWS = 30;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Detects a file's delimiter, newline and columns from its first part, and the number of rows before the header.
 *
 * @param {string} file
 * @param {ColumnNames} columns
 * @param {Units} [units]
 */
export function inspectFile(file, columns, units = {}) {
  const sample = readSample(file);
  const newline = csvNewline(sample);
  /** The failure of the row with the most columns, which is probably the header. @type {{ width: number, error: Error } | null} */
  let failure = null;
  for (const delimiter of delimitersOf(sample)) {
    for (const [preamble, fields] of firstRows(sample, delimiter).entries()) {
      if (isBlank(fields) || isAnnotation(fields)) continue;
      try {
        return { delimiter, newline, preamble, layout: findLayout(withoutHash(fields), columns, units) };
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        if (fields.length > (failure?.width ?? 0)) failure = { width: fields.length, error };
      }
    }
  }
  throw failure?.error ?? new ImportError('the file has no header line');
}

/**
 * Returns a file's header line, which is its first row that isn't an annotation.
 *
 * @param {string} file
 */
export function readHeader(file) {
  const sample = readSample(file);
  const rows = firstRows(sample, delimitersOf(sample)[0] ?? ',');
  const header = rows.find((fields) => !isBlank(fields) && !isAnnotation(fields));
  if (!header) throw new ImportError('the file has no header line');
  return { header };
}

/** Returns the delimiters to try: that of a line `sep=;`, which Excel reads, or the likely one, and then all. @param {string} sample */
function delimitersOf(sample) {
  const text = withoutMark(sample);
  const [, named] = /^"?sep=(.)"?\r?\n/i.exec(text) ?? [];
  const likely = named ?? Papa.parse(text, { preview: 100 }).meta.delimiter;
  return [likely, ...DELIMITERS.filter((each) => each !== likely)];
}

/** @param {string} sample @param {string} delimiter */
function firstRows(sample, delimiter) {
  const { data } = Papa.parse(/** @type {string} */ (withoutMark(sample)), {
    delimiter,
    preview: PREAMBLE_ROWS,
  });
  return /** @type {string[][]} */ (data);
}

/**
 * Yields a file's rows that match `where`. InfluxDB writes several tables into one file, each with its own header line and with
 * annotations that start with `#`.
 *
 * @param {string} file
 * @param {{ delimiter: string, newline: '\n' | '\r', preamble?: number, columns: ColumnNames, units?: Units, where: import('./arguments.js').Condition[] }} options
 * @returns {AsyncGenerator<Row>}
 */
export async function* readRows(file, options) {
  /** @type {Layout | null} */
  let layout = null;
  /** @type {string[]} */
  let header = [];
  /** The conditions with the indexes of their columns. */
  let chosen = whereIn(header, []);
  /** Columns of conditions that no table has contained yet. */
  const missing = new Set(options.where.map(({ column }) => column));
  let before = options.preamble ?? 0;
  for await (const records of readRecords(file, options)) {
    for (const record of records) {
      const { line, fields, misquoted } = record;
      if (before > 0) {
        before -= 1;
        continue;
      }
      if (isBlank(fields) && !misquoted) continue;
      if (misquoted) {
        if (layout === null) throw new ImportError(`line ${line}: the header ${misquoted}`);
        yield { ...record, layout, header };
      } else if (isAnnotation(fields)) {
        layout = null;
      } else if (layout === null) {
        header = withoutHash(fields);
        layout = findLayout(header, options.columns, options.units);
        chosen = whereIn(header, options.where);
        for (const { column, index } of chosen) if (index >= 0) missing.delete(column);
      } else if (fields[0]?.startsWith('#') && fields.length < header.length) {
        // A comment.
      } else if (fields[0] !== header[0] || fields.join('\n') !== header.join('\n')) {
        if (!chosen.every(({ index, value }) => fields[index]?.trim() === value)) continue;
        const ragged = isRagged(fields, header) ? raggedDetail(fields.length, header.length) : undefined;
        yield { ...record, layout, header, ragged };
      }
    }
  }
  const [column] = missing;
  if (column !== undefined) {
    const names = header.map((name) => `"${name}"`).join(', ');
    throw new ImportError(`the file has no column "${column}" for --where. It has: ${names}`);
  }
}

/** @param {string[]} header @param {import('./arguments.js').Condition[]} where */
function whereIn(header, where) {
  const names = header.map(normalized);
  return where.map(({ column, value }) => ({
    column,
    value: value.trim(),
    index: names.indexOf(normalized(column)),
  }));
}

/** Counts the lines of a file. @param {string} file @param {'\n' | '\r'} newline */
export function countLines(file, newline) {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(PIECE_BYTES);
  let lines = 0;
  /** The last byte, because the last line may lack a newline. */
  let last = '';
  for (;;) {
    const text = buffer.toString('latin1', 0, readSync(descriptor, buffer));
    if (text === '') break;
    lines += text.split(newline).length - 1;
    last = text.slice(-1);
  }
  closeSync(descriptor);
  return last === newline || last === '' ? lines : lines + 1;
}

/**
 * Yields a file's records in groups, because a promise per record is slow.
 *
 * @param {string} file
 * @param {{ delimiter: string, newline: '\n' | '\r' }} options
 * @returns {AsyncGenerator<FileRecord[]>}
 */
export async function* readRecords(file, { delimiter, newline }) {
  const input = createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE_BYTES });
  // Uses the class behind Papa's streams, because the function `Papa.parse` can't keep an incomplete record for the next piece.
  const parser = new Papa.Parser({ delimiter, newline });
  let line = 1;
  let isStart = true;
  /** The start of a record that continues in the next piece. */
  let rest = '';

  /** @param {string} text @param {boolean} isEnd */
  function parse(text, isEnd) {
    const { data, errors, meta } = parser.parse(text, 0, !isEnd);
    const codes = new Map(errors.map((/** @type {Papa.ParseError} */ { row, code }) => [row, code]));
    rest = isEnd ? '' : text.slice(meta.cursor);
    return /** @type {string[][]} */ (data).map((fields, row) => {
      const code = codes.get(row);
      const misquoted = code && misquotedDetail(line, fields, newline, code === 'MissingQuotes');
      const record = { line, fields, misquoted };
      line += 1 + breaksIn(fields, newline);
      return record;
    });
  }

  for await (const chunk of input) {
    const text = withNewline(chunk, newline);
    yield parse(isStart ? withoutMark(text) : rest + text, false);
    isStart = false;
    if (rest.length > ROW_LIMIT) throw new ImportError(`line ${line}: a quote is opened and never closed`);
  }
  if (rest) yield parse(rest, true);
}

/** @param {string[]} fields */
export function isBlank(fields) {
  return fields.length <= 1 && !fields[0]?.trim();
}

/** Returns true for a row of InfluxDB's "Annotated CSV" about the table that follows. @param {string[]} fields */
function isAnnotation([first = '']) {
  return /^#(group|datatype|default|constant|timezone)\b/.test(first);
}

/** Removes the `#` with which some programs begin a header. @param {string[]} fields */
function withoutHash([first = '', ...others]) {
  return [first.replace(/^#\s*/, ''), ...others];
}

/** @param {string} text */
function withoutMark(text) {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Returns true if a row has fewer fields than the header has named columns, or a value beyond the last column. Empty columns at
 * the end of a row or header don't matter.
 *
 * @param {string[]} fields
 * @param {string[]} header
 */
function isRagged(fields, header) {
  if (fields.length === header.length) return false;
  const isNamed = (/** @type {string} */ name) => name.trim() !== '';
  return (
    fields.length <= header.findLastIndex(isNamed) ||
    fields.slice(header.length).some((field) => field.trim())
  );
}

/**
 * Returns the first `SAMPLE_BYTES` of a file.
 *
 * @param {string} file
 * @throws {ImportError} if it isn't UTF-8
 */
export function readSample(file) {
  const buffer = Buffer.alloc(SAMPLE_BYTES);
  const descriptor = openSync(file, 'r');
  const sample = buffer.toString('utf8', 0, readSync(descriptor, buffer));
  closeSync(descriptor);
  if (sample.startsWith('SQLite format 3')) {
    throw new ImportError(
      `the file is a database, such as a backup. To replace the current one with it: ${commandLine('restore', file)}`,
    );
  }
  if (/^\uFFFD\uFFFD|\0/.test(sample)) throw new ImportError('the file is not UTF-8. Save it as "CSV UTF-8"');
  return sample;
}

/**
 * Detects a file's layout from its header line.
 *
 * @param {string[]} header
 * @param {ColumnNames} columns names given by the user, which take precedence over those of known files
 * @param {Units} [units]
 * @returns {Layout}
 */
function findLayout(header, columns, units = {}) {
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
