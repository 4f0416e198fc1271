/**
 * Posts the rows of a CSV file to a running server as if they were measured now. Posts one row at a time, so that the ids keep
 * the order of the file even if a row is retried.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../../app/config/installation.server.js';
import { csvNewline } from '../../app/ingest/csv-text.server.js';
import { unguardFormula } from '../../app/readings/formula-guard.js';
import { apiAddress, onlyFile, readArguments, requireFile, sensorName, serverUrl } from '../arguments.js';
import { fail, ImportError, problemText } from '../fail.js';
import { createProgress } from '../progress.js';
import { findMetrics } from './columns.js';
import { isBlank, readRecords } from './csv.js';
import { sent } from './readings.js';
import { readSample } from './sample.js';
import { post } from './send.js';

const USAGE = `usage: ${commandLine('replay', 'FILE.csv [--every MS] [--sensor NAME] [--url URL]')}

  FILE.csv       a CSV file whose first line names columns of metrics, such as co2 and voc, and sensor if it has one
  --every MS     posts one row every MS milliseconds; without it, the next row as soon as one is stored
  --sensor NAME  the sensor of all rows; without it, the column sensor, if there is one
  --url URL      the server, http://localhost:3000 (or the PORT of .env) by default

A WRITE_KEY in the environment or .env is sent as the server's key.`;

const OPTIONS = /** @type {const} */ ({
  every: { type: 'string', value: '1000' },
  sensor: { type: 'string', value: 'Kitchen' },
  url: { type: 'string', value: 'http://192.168.1.20:3000' },
  'as-now': { type: 'boolean' },
});

/** The replay ends if the server is unreachable for longer than this. A restart takes less. */
const RECONNECT_TIMEOUT_MS = 30_000;
const RECONNECT_EVERY_MS = 500;
/** Errors that occur before a connection exists, so that nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** @typedef {{ line: number, values: Record<string, string | number | null>, fault?: string }} Row */
/**
 * The outcome of a post. `unknown`: the row may or may not be stored. `fatal`: the row isn't stored, and further rows would fail
 * in the same way.
 *
 * @typedef {{ kind: 'stored' | 'rejected' | 'unknown' | 'fatal', reason: string }} Outcome
 */

const { file, everyMs, sensor, url } = readArguments(USAGE, OPTIONS, ({ every = '0', ...values }, words) => {
  const file = onlyFile(words, 'FILE.csv');
  if (!/^\d+$/.test(every)) throw new Error(`--every must be a number of milliseconds, not "${every}".`);
  const sensor = values.sensor === undefined ? undefined : sensorName(values.sensor);
  return { file, everyMs: Number(every), sensor, url: serverUrl(values) };
});
requireFile(file);
const records = await recordsOf(file).catch((error) =>
  fail(
    error instanceof ImportError ? `${file}: ${error.message}.` : `Can't read ${file}: ${error.message}`,
    1,
  ),
);
const rows = toRows(records);
const progress = createProgress(process.stdout, rows.length);
const interrupt = new AbortController();
const { signal } = interrupt;
process.once('SIGINT', () => interrupt.abort());

const counts = { stored: 0, rejected: 0, unknown: 0 };
const stopped = await postRows();
progress.print(`${counts.stored} of ${rows.length} rows stored in ${progress.elapsed()}, ${failures()}`);
if (stopped) console.error(stopped);
// Rejected rows are errors in the file. Only rows that may be lost make the command fail.
process.exitCode = stopped || counts.unknown > 0 ? 1 : 0;

/** @param {string} file */
async function recordsOf(file) {
  const records = [];
  const format = { delimiter: ',', newline: csvNewline(readSample(file)) };
  for await (const some of readRecords(file, format)) records.push(...some);
  return records;
}

/** @param {import('./csv.js').FileRecord[]} records @returns {Row[]} */
function toRows(records) {
  const [header, ...others] = records
    .filter(({ fields, misquoted }) => misquoted || !isBlank(fields))
    .map((record) => ({ ...record, fields: record.fields.map((field) => field.trim()) }));
  if (header?.misquoted) fail(`${file} can't be read: its first line ${header.misquoted}.`, 1);
  const names = header?.fields.map((name) => name.toLowerCase()) ?? [];
  const named = names.indexOf('sensor');
  const { metrics, faults } = findMetrics(header?.fields ?? [], {}, {});
  if (metrics.length === 0)
    fail(`${file} has no columns co2 and voc: its first line is "${names.join(',')}".`, 1);
  console.log(
    [`Columns ${metrics.map(({ taken }) => taken).join(', ')}.`, ...faults.map((fault) => `${fault}.`)].join(
      '\n',
    ),
  );
  return others.map(({ line, fields, misquoted }) => {
    const name = sensor ?? unguardFormula(fields[named] ?? '');
    const isWhole = fields.length === names.length;
    return {
      line,
      values: { ...valuesOf(fields, metrics), ...(name && { sensor: name }) },
      fault: misquoted ?? (isWhole ? undefined : 'has more or fewer fields than the first line'),
    };
  });
}

/**
 * Returns a row's values to post: unchanged, except for converted units. An empty cell becomes null if the file has other
 * metrics than CO2 and VOC.
 *
 * @param {string[]} fields
 * @param {import('./columns.js').MetricColumn[]} metrics
 */
function valuesOf(fields, metrics) {
  const hasOthers = metrics.some(({ field }) => field !== 'co2' && field !== 'voc');
  const cells = metrics.map(({ field, index, convert }) => {
    const cell = fields[index] ?? '';
    if (cell === '' && hasOthers) return [field, null];
    return [field, convert ? sent(cell, convert) : cell];
  });
  return { co2: null, voc: null, ...Object.fromEntries(cells) };
}

/** Posts the rows. Returns a message if it had to stop early, else null. */
async function postRows() {
  for (const [done, row] of rows.entries()) {
    const { line } = row;
    const nextAt = performance.now() + everyMs;
    try {
      signal.throwIfAborted();
      const { kind, reason } = await postRow(row, done);
      if (kind === 'fatal') return stoppedAt(line, reason);
      counts[kind] += 1;
      if (kind === 'rejected') progress.print(`line ${line}: skipped: ${reason}`);
      if (kind === 'unknown') progress.print(`line ${line}: ${reason}`);
    } catch (error) {
      if (!signal.aborted) throw error;
      return stoppedAt(line);
    }
    progress.update(done + 1, failures());
    const waitMs = nextAt - performance.now();
    // An interrupt ends the wait. The check before the next row reports it.
    if (waitMs > 0 && done + 1 < rows.length) await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
  return null;
}

/**
 * Posts one row unchanged, because the server validates it. Retries only if it is certain that the row wasn't stored.
 *
 * @param {Row} row
 * @param {number} done the number of rows before it
 * @returns {Promise<Outcome>} rejects with an `AbortError` if interrupted during a wait
 */
async function postRow({ values, fault }, done) {
  if (fault) return { kind: 'rejected', reason: `it ${fault}` };
  const address = apiAddress(url, '/api/data');
  const reconnectUntil = Date.now() + RECONNECT_TIMEOUT_MS;
  // Never interrupt a request, because the row might then be stored or not.
  const options = { key: process.env.WRITE_KEY, signal: new AbortController().signal };
  for (;;) {
    const { status, body, retryAfterS, reason: noAnswer } = await post(address, values, options);
    const reason = noAnswer || problemText(status, body);
    if (status === 201) return { kind: 'stored', reason };
    if (status === 400) return { kind: 'rejected', reason };
    if (status === 429 || (status === 503 && !body.mayBeStored)) {
      progress.update(done, `${reason} Retrying in ${retryAfterS} s`);
      await sleep(retryAfterS * 1000, undefined, { signal });
    } else if (status === null && NOT_CONNECTED.has(reason)) {
      if (counts.stored === 0 || Date.now() > reconnectUntil) {
        const advice = 'Start the server, or name another one with --url.';
        return { kind: 'fatal', reason: `no server answers at ${url} (${reason}). ${advice}` };
      }
      progress.update(done, `Waiting for the server (${reason})`);
      await sleep(RECONNECT_EVERY_MS, undefined, { signal });
    } else if (status === null || status >= 500) {
      return { kind: 'unknown', reason: `it may or may not be stored, and is not sent again: ${reason}` };
    } else {
      const hint = status === 401 ? " Set WRITE_KEY to the server's key." : '';
      return { kind: 'fatal', reason: `the server refuses posts: ${reason}${hint}` };
    }
  }
}

/** @param {number} line @param {string} [reason] */
function stoppedAt(line, reason) {
  return `Stopped at line ${line} (this line and all after it are not stored)${reason ? `: ${reason}` : '.'}`;
}

function failures() {
  const { rejected, unknown } = counts;
  const parts = [rejected && `${rejected} skipped`, unknown && `${unknown} not known`].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'no failures';
}
