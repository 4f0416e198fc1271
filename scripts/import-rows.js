/** Reads CSV files as rows, one after another, in constant memory. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream';
import Papa from 'papaparse';
import { findLayout } from './import-layout.js';
import { ImportError } from './import-time.js';

/** @typedef {import('./import-layout.js').Layout} Layout */
/** @typedef {{ line: number, fields: string[], layout: Layout }} Row `line` counts from 1 */

const SAMPLE_BYTES = 256 * 1024;

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
  const input = createReadStream(file, { encoding: 'utf8' });
  const parsed = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter });
  pipeline(input, parsed, () => {});
  /** @type {Layout | null} */
  let layout = null;
  let header = '';
  let nextLine = 1;
  let bytes = 0;
  for await (const fields of /** @type {AsyncIterable<string[]>} */ (parsed)) {
    const line = nextLine;
    nextLine += 1 + lineBreaks(fields);
    if (input.bytesRead !== bytes) {
      onBytes(input.bytesRead - bytes);
      bytes = input.bytesRead;
    }
    if (isBlank(fields)) continue;
    if (isAnnotation(fields)) {
      layout = null;
    } else if (layout === null) {
      fields[0] = withoutMark(fields[0] ?? '');
      layout = findLayout(fields, columns);
      header = fields.join('\n');
    } else if (fields.join('\n') !== header) {
      yield { line, fields, layout };
    }
  }
}

/** @param {string[]} fields */
function isBlank(fields) {
  return fields.length <= 1 && !fields[0]?.trim();
}

/** @param {string[]} fields */
function isAnnotation([first = '']) {
  return withoutMark(first).startsWith('#');
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
