/** Reads CSV files row by row in constant memory. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import Papa from 'papaparse';
import {
  breaksIn,
  csvNewline,
  misquotedDetail,
  raggedDetail,
  withNewline,
} from '../../app/ingest/csv-text.server.js';
import { ImportError } from '../fail.js';
import { normalized } from './columns.js';
import { findLayout, timeText, UnknownColumns, withNamedZone } from './layout.js';
import { proposal, timesIn } from './propose.js';
import { encodingOf, readSample } from './sample.js';

/**
 * A row of a file. `line` counts from 1. A `misquoted` row contains the text of other rows, so its fields are meaningless. The
 * fields of a `ragged` row may be in the wrong columns. Both values are error texts.
 *
 * @typedef {{ line: number, fields: string[], misquoted?: string }} FileRecord
 * @typedef {FileRecord & { layout: import('./layout.js').Layout, header: string[], ragged?: string }} Row
 */

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
 * @param {import('./layout.js').ColumnNames} columns
 * @param {import('./columns.js').Units} [units]
 */
export function inspectFile(file, columns, units = {}) {
  const sample = readSample(file);
  const newline = csvNewline(sample);
  /** The failure of the row with the most columns, which is probably the header. @type {{ width: number, error: Error, rows: string[][] } | null} */
  let failure = null;
  for (const delimiter of delimitersOf(sample)) {
    const rows = firstRows(sample, delimiter);
    for (const [preamble, fields] of rows.entries()) {
      if (isBlank(fields) || isAnnotation(fields)) continue;
      try {
        const header = withoutHash(fields);
        const layout = findLayout(header, columns, units);
        if (columns.created_at === undefined) {
          assertTimes(layout, header, wholeRows(rows.slice(preamble + 1), header));
        }
        return { delimiter, newline, preamble, layout: withNamedZone(layout, basename(file)) };
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        if (fields.length > (failure?.width ?? 0))
          failure = { width: fields.length, error, rows: rows.slice(preamble + 1) };
      }
    }
  }
  const { error, rows = [] } = failure ?? {};
  if (!(error instanceof UnknownColumns)) throw error ?? new ImportError('the file has no header line');
  throw new ImportError(`${error.message}\n${proposal(file, error.header, wholeRows(rows, error.header))}`);
}

/** @param {string[][]} rows @param {string[]} header */
const wholeRows = (rows, header) => rows.filter((fields) => fields.length >= header.length);

/**
 * @param {import('./layout.js').Layout} layout
 * @param {string[]} header
 * @param {string[][]} rows
 * @throws {UnknownColumns} if the column of times has none in these rows
 */
function assertTimes(layout, header, rows) {
  const texts = rows.map((fields) => timeText(fields, layout).trim()).filter((text) => text !== '');
  if (texts.length === 0 || timesIn(texts).length > 0) return;
  throw new UnknownColumns(`"${texts[0]}" is not a time with a date and a time of day.`, header);
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
 * @param {{ delimiter: string, newline: '\n' | '\r', preamble?: number, columns: import('./layout.js').ColumnNames, units?: import('./columns.js').Units, where: import('./arguments.js').Condition[] }} options
 * @returns {AsyncGenerator<Row>}
 */
export async function* readRows(file, options) {
  /** @type {import('./layout.js').Layout | null} */
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
  const input = createReadStream(file, { encoding: encodingOf(file), highWaterMark: PIECE_BYTES });
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
  // The rest of a file that its device has reserved may be zeros.
  return fields.length <= 1 && !fields[0]?.replaceAll('\0', '').trim();
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
