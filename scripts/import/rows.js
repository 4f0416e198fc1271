/** Reads CSV files as rows, one after another, in constant memory. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import Papa from 'papaparse';
import { csvNewline, withNewline } from '../../app/ingest/csv-newline.server.js';
import { breaksIn, misquotedDetail, raggedDetail } from '../../app/ingest/csv-problem.server.js';
import { ImportError } from './error.js';
import { findLayout, normalized } from './layout.js';

/** @typedef {import('./layout.js').Layout} Layout */
/**
 * A row of a file. `line` counts from 1. A `misquoted` row has swallowed others, so that its fields mean nothing; the
 * fields of a `ragged` one may be in each other's places.
 *
 * @typedef {{ line: number, fields: string[], misquoted?: string }} FileRecord
 * @typedef {FileRecord & { layout: Layout, header: string[], ragged?: string }} Row
 */

const SAMPLE_BYTES = 256 * 1024;
const PIECE_BYTES = 256 * 1024;
/** In characters. */
const ROW_LIMIT = 4 * PIECE_BYTES;

/**
 * Finds out from the beginning of a file how it is separated and which columns it has.
 *
 * @param {string} file
 * @param {import('./layout.js').ColumnNames} columns
 */
export function inspectFile(file, columns) {
  const sample = readSample(file);
  if (/^\uFFFD\uFFFD|\0/.test(sample)) throw new ImportError('the file is not UTF-8. Save it as "CSV UTF-8"');
  const { data, meta } = Papa.parse(/** @type {string} */ (withoutMark(sample)), { preview: 100 });
  const rows = /** @type {string[][]} */ (data);
  const header = rows.find((fields) => !isBlank(fields) && !isAnnotation(fields));
  if (!header) throw new ImportError('the file has no header line');
  return { delimiter: meta.delimiter, newline: csvNewline(sample), layout: findLayout(header, columns) };
}

/**
 * Yields the rows of a file that `where` chooses. InfluxDB writes several tables into one file, each with annotations that begin with `#`
 * and a header line of its own.
 *
 * @param {string} file
 * @param {{ delimiter: string, newline: '\n' | '\r', columns: import('./layout.js').ColumnNames, where: import('./arguments.js').Condition[] }} options
 * @returns {AsyncGenerator<Row>}
 */
export async function* readRows(file, options) {
  /** @type {Layout | null} */
  let layout = null;
  /** @type {string[]} */
  let header = [];
  /** The conditions with the places of their columns. */
  let chosen = whereIn(header, []);
  /** Columns of conditions that no table had so far. */
  const missing = new Set(options.where.map(({ column }) => column));
  for await (const records of readRecords(file, options)) {
    for (const record of records) {
      const { line, fields, misquoted } = record;
      if (isBlank(fields) && !misquoted) continue;
      if (misquoted) {
        if (layout === null) throw new ImportError(`line ${line}: the header ${misquoted}`);
        yield { ...record, layout, header };
      } else if (isAnnotation(fields)) {
        layout = null;
      } else if (layout === null) {
        layout = findLayout(fields, options.columns);
        header = fields;
        chosen = whereIn(header, options.where);
        for (const { column, index } of chosen) if (index >= 0) missing.delete(column);
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

/**
 * @param {string[]} header
 * @param {import('./arguments.js').Condition[]} where
 */
function whereIn(header, where) {
  const names = header.map(normalized);
  return where.map(({ column, value }) => ({
    column,
    value: value.trim(),
    index: names.indexOf(normalized(column)),
  }));
}

/**
 * Counts the lines of a file.
 *
 * @param {string} file
 * @param {'\n' | '\r'} newline
 */
export function countLines(file, newline) {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(PIECE_BYTES);
  let lines = 0;
  /** The last byte; a line may lack its end. */
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
 * Yields the records of a file in groups, because a promise for each record is slow.
 *
 * @param {string} file
 * @param {{ delimiter: string, newline: '\n' | '\r' }} options
 * @returns {AsyncGenerator<FileRecord[]>}
 */
async function* readRecords(file, { delimiter, newline }) {
  const input = createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE_BYTES });
  // Papa's own streams use this class. Its function `parse` can't leave an incomplete record for the next piece.
  const parser = new Papa.Parser({ delimiter, newline });
  let line = 1;
  let isStart = true;
  /** The beginning of a record that goes on in the next piece. */
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
function isBlank(fields) {
  return fields.length <= 1 && !fields[0]?.trim();
}

/** @param {string[]} fields */
function isAnnotation([first = '']) {
  return first.startsWith('#');
}

/** @param {string} text */
function withoutMark(text) {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Returns true if a row lacks a column of its header, or has a value beyond the last. Programs may leave empty columns
 * at the end of either.
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

/** @param {string} file */
function readSample(file) {
  const buffer = Buffer.alloc(SAMPLE_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, SAMPLE_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
