/** `npm run export`: writes a running server's readings to a file or standard output, as its API sends them, and its notes. */
import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { counted } from '../app/readings/format/counted.js';
import { apiAddress, keyHeader, nextPage } from './arguments.js';
import { exportArguments } from './export-arguments.js';
import { fail, problemText } from './fail.js';
import { toLines } from './json-lines.js';

const CONNECT_TIMEOUT_MS = 60_000;

/** Text that occurs exactly once per reading. Inside a JSON string, its quote would be escaped. */
const MARKS = { csv: '\n', ndjson: '\n', json: '{"id":' };
/** The maximum number of sensors in an error message. */
const NAMED_SENSORS = 20;

const { file, format, url, query, isRaw } = exportArguments();
let written = 0;
const notesFile = file && `${file.slice(0, file.length - extname(file).length)}-notes.csv`;
for (const existing of [file, notesFile])
  if (existing && existsSync(existing)) fail(`Nothing was written: ${existing} exists already.`, 1);
const readings = await download();
await (file ? writeFile(file) : writeOut());
if (notesFile) await writeNotes(notesFile);

/** Returns a stream of the readings in the requested format. Consuming it updates `written`. */
async function download() {
  if (query.sensor !== undefined) await requireSensor(query.sensor);
  const address = apiAddress(url, '/api/data');
  // The API doesn't send NDJSON, so `toLines` converts its JSON array.
  const asked = { ...query, format: format === 'csv' ? 'csv' : 'json', ...(isRaw && { raw: 'true' }) };
  address.search = String(new URLSearchParams(asked));
  const response = await get(address);
  if (!response.ok || !response.body) return fail(await refusal(response), 1);
  const body = Readable.fromWeb(/** @type {import('node:stream/web').ReadableStream} */ (response.body));
  return countReadings(format === 'ndjson' ? toLines(body) : body);
}

/** Exits with code 1 if the server has no sensor with this name. @param {string} sensor */
async function requireSensor(sensor) {
  const names = [];
  /** @type {URL | null} */
  let next = apiAddress(url, '/api/sensors');
  while (next) {
    const response = await get(next);
    if (!response.ok) fail(await refusal(response), 1);
    names.push(...(await response.json()).map((/** @type {{ name: string }} */ { name }) => name));
    next = nextPage(next, response.headers);
  }
  if (names.includes(sensor)) return;
  const shown = names.slice(0, NAMED_SENSORS).map((/** @type {string} */ name) => JSON.stringify(name));
  const more = names.length > NAMED_SENSORS ? ` and ${names.length - NAMED_SENSORS} more` : '';
  const found =
    names.length > 0 ? `The server has ${shown.join(', ')}${more}.` : 'The server has no readings.';
  fail(`Nothing was written: there is no sensor ${JSON.stringify(sensor)}. ${found}`, 1);
}

/**
 * Passes the data through, and counts the readings in `written`.
 *
 * @param {AsyncIterable<Buffer | string>} parts
 */
async function* countReadings(parts) {
  const mark = MARKS[/** @type {keyof typeof MARKS} */ (format)];
  // The first line of CSV is the header.
  written = format === 'csv' ? -1 : 0;
  let rest = '';
  for await (const part of parts) {
    const pieces = (rest + part.toString('latin1')).split(mark);
    written += pieces.length - 1;
    // Keep the end, which may contain the start of a mark.
    rest = mark.length > 1 ? (pieces.at(-1) ?? '').slice(1 - mark.length) : '';
    yield part;
  }
}

/** @param {URL} address */
async function get(address) {
  const signal = new AbortController();
  const timer = setTimeout(() => signal.abort(), CONNECT_TIMEOUT_MS);
  try {
    return await fetch(address, { headers: keyHeader(), signal: signal.signal });
  } catch (error) {
    const { cause, message } = /** @type {Error & { cause?: { code?: string } }} */ (error);
    const reason = cause?.code ?? message;
    return fail(`No server answers at ${url} (${reason}). Start it, or name another one with --url.`, 1);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Response} response */
async function refusal(response) {
  const body = await response.json().catch(() => ({}));
  const reason = problemText(response.status, { detail: response.statusText, ...body });
  return `The server refused the request with ${response.status}: ${reason}`;
}

/** Writes the file under a temporary name until it is complete. @param {string} file */
async function writeFile(file) {
  const part = `${file}.part`;
  try {
    const output = createWriteStream(part, { flush: true });
    await pipeline(readings, output);
    renameSync(part, file);
    const { bytesWritten } = output;
    const size =
      bytesWritten < 1e4
        ? `${bytesWritten} bytes`
        : bytesWritten < 1e6
          ? `${Math.round(bytesWritten / 1e3)} kB`
          : `${(bytesWritten / 1e6).toFixed(1)} MB`;
    console.log(`${counted(written, 'reading')} written to ${file} (${size})`);
  } catch (error) {
    rmSync(part, { force: true });
    fail(`Nothing was written: ${reasonOf(error)}`, 1);
  }
}

/** Writes the notes of the same sensor and span, if there are any. @param {string} file */
async function writeNotes(file) {
  const { header, rows } = await downloadNotes();
  if (rows.length === 0) return;
  try {
    writeFileSync(file, [header, ...rows, ''].join('\r\n'), { flag: 'wx', flush: true });
  } catch (error) {
    fail(`The notes were not written: ${reasonOf(error)}`, 1);
  }
  console.log(`${counted(rows.length, 'note')} written to ${file}`);
}

/** Returns all notes as rows of CSV, oldest first. The server sends the newest 1,000 before a time. */
async function downloadNotes() {
  /** Rows by id. @type {Map<string, string>} */
  let rows = new Map();
  let header = '';
  let before = query.to;
  for (;;) {
    const address = apiAddress(url, '/api/notes');
    address.search = String(new URLSearchParams({ ...query, ...(before && { to: before }), format: 'csv' }));
    const response = await get(address);
    // Versions before 0.3 have no notes.
    if (response.status === 404) return { header, rows: [] };
    if (!response.ok) return fail(`The notes were not written. ${await refusal(response)}`, 1);
    const [first = '', ...lines] = (await response.text()).trimEnd().split('\r\n');
    const known = rows.size;
    rows = new Map([...lines.map((line) => /** @type {const} */ ([idOf(line), line])), ...rows]);
    header = first;
    const oldest = lines[0]?.split(',', 1)[0];
    if (!oldest || rows.size === known) return { header, rows: [...rows.values()] };
    // Includes the other notes of this millisecond.
    before = new Date(Date.parse(oldest) + 1).toISOString();
  }
}

/** @param {string} row */
function idOf(row) {
  return row.slice(row.lastIndexOf(',') + 1);
}

async function writeOut() {
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // A reader such as `head` closes the pipe early.
    if (error.code === 'EPIPE') process.exit(0);
    fail(`The readings are incomplete: ${error.message}`, 1);
  });
  try {
    for await (const bytes of readings) {
      if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
    }
  } catch (error) {
    fail(`The readings are incomplete: ${reasonOf(error)}`, 1);
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const { message, cause } = /** @type {Error & { cause?: Error }} */ (error);
  // If the connection breaks, the message of `fetch` is only "terminated".
  return message === 'terminated' ? `the connection broke (${cause?.message ?? message})` : message;
}
