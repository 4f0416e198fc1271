/** Reads CSV files as rows, one after another, in constant memory. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import Papa from 'papaparse';
import { findLayout } from './import-layout.js';
import { ImportError } from './import-time.js';

/** @typedef {import('./import-layout.js').Layout} Layout */
/** @typedef {{ line: number, fields: string[], layout: Layout }} Row `line` counts from 1 */

const SAMPLE_BYTES = 256 * 1024;
const PIECE_BYTES = 256 * 1024;
/** In characters. */
const ROW_LIMIT = 4 * PIECE_BYTES;

/**
 * Finds out from the beginning of a file how it is separated and which columns it has.
 *
 * @param {string} file
 * @param {import('./import-layout.js').ColumnNames} columns
 */
export function inspectFile(file, columns) {
  const sample = readSample(file);
  if (/^\uFFFD\uFFFD|\0/.test(sample)) throw new ImportError('the file is not UTF-8. Save it as "CSV UTF-8"');
  const { data, meta } = Papa.parse(/** @type {string} */ (withoutMark(sample)), { preview: 100 });
  const rows = /** @type {string[][]} */ (data);
  const header = rows.find((fields) => !isBlank(fields) && !isAnnotation(fields));
  if (!header) throw new ImportError('the file has no header line');
  return { delimiter: meta.delimiter, layout: findLayout(header, columns) };
}

/**
 * Yields the rows of a file. InfluxDB writes several tables into one file, each with annotations that begin with `#`
 * and a header line of its own.
 *
 * @param {string} file
 * @param {{ delimiter: string, columns: import('./import-layout.js').ColumnNames, onBytes: (bytes: number) => void }} options
 * @returns {AsyncGenerator<Row>}
 */
export async function* readRows(file, { delimiter, columns, onBytes }) {
  /** @type {Layout | null} */
  let layout = null;
  let header = '';
  let nextLine = 1;
  for await (const piece of readPieces(file, onBytes)) {
    const { data } = Papa.parse(/** @type {string} */ (piece), { delimiter });
    for (const fields of /** @type {string[][]} */ (data)) {
      const line = nextLine;
      nextLine += 1 + lineBreaks(fields);
      if (isBlank(fields)) continue;
      if (isAnnotation(fields)) {
        layout = null;
      } else if (layout === null) {
        layout = findLayout(fields, columns);
        header = fields.join('\n');
      } else if (fields[0] !== header.slice(0, fields[0]?.length) || fields.join('\n') !== header) {
        yield { line, fields, layout };
      }
    }
  }
}

/**
 * Yields the text of a file in pieces of whole rows, without the line break at their ends.
 *
 * @param {string} file
 * @param {(bytes: number) => void} onBytes
 */
async function* readPieces(file, onBytes) {
  const input = createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE_BYTES });
  let bytes = 0;
  let rest = '';
  for await (const chunk of input) {
    onBytes(input.bytesRead - bytes);
    const text = bytes === 0 ? withoutMark(chunk) : rest + chunk;
    bytes = input.bytesRead;
    const end = lastRowEnd(text);
    if (end >= 0) yield text.slice(0, text[end - 1] === '\r' ? end - 1 : end);
    rest = text.slice(end + 1);
    if (rest.length > ROW_LIMIT) throw new ImportError('a quote is opened and never closed');
  }
  if (rest) yield rest;
}

/**
 * Returns the last line break that isn't within quotes, or -1. A quote within quotes is doubled, so that their number
 * before the end of a row is even.
 *
 * @param {string} text
 */
function lastRowEnd(text) {
  let quotes = text.split('"').length - 1;
  let end = text.length;
  do {
    const previous = text.lastIndexOf('\n', end - 1);
    if (quotes > 0) quotes -= text.slice(previous + 1, end).split('"').length - 1;
    end = previous;
  } while (end > 0 && quotes % 2 === 1);
  return quotes % 2 === 1 ? -1 : end;
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

/** @param {string[]} fields */
function lineBreaks(fields) {
  let count = 0;
  for (const field of fields) if (field.includes('\n')) count += field.split('\n').length - 1;
  return count;
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
