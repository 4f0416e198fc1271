/**
 * `npm run replay`: posts the rows of a CSV file to a running server, in the order of the file. It sends one row at a
 * time, because the server assigns ids in the order of its commits, and a retried row must not be overtaken.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Papa from 'papaparse';
import { commandLine } from '../app/config/installation.server.js';
import { breaksIn, misquotedDetail } from '../app/ingest/csv-problem.server.js';
import { unguardFormula } from '../app/readings/formula-guard.js';
import { onlyFile, readArguments, requireFile, sensorName, serverUrl } from './arguments.js';
import { fail } from './fail.js';
import { postRow } from './post-row.js';
import { createProgress } from './progress.js';

const USAGE = `usage: ${commandLine('replay', 'FILE.csv [--every MS] [--sensor NAME] [--url URL]')}

  FILE.csv       a CSV file whose first line names the columns co2 and voc, and sensor if it has one; others are ignored
  --every MS     posts one row every MS milliseconds; without it, the next row as soon as one is stored
  --sensor NAME  the sensor of all rows; without it, the column sensor, if there is one
  --url URL      the server, http://localhost:3000 (or the PORT of .env) by default

A WRITE_KEY in the environment or .env is sent as the server's key.`;

const { file, everyMs, sensor, url } = replayArguments();
const rows = readRows(file);
const progress = createProgress(process.stdout, rows.length);
const interrupt = new AbortController();
const { signal } = interrupt;
process.once('SIGINT', () => interrupt.abort());

const counts = { stored: 0, rejected: 0, unknown: 0 };
const stopped = await postRows();
progress.print(`${counts.stored} of ${rows.length} rows stored in ${progress.elapsed()}, ${failures()}`);
if (stopped) console.error(stopped);
// A rejected row is the file's fault; a row that may be lost is a failure.
process.exitCode = stopped || counts.unknown > 0 ? 1 : 0;

/** Posts the rows, and returns a message if it had to stop before the last one. */
async function postRows() {
  for (const [done, row] of rows.entries()) {
    const { line } = row;
    const nextAt = performance.now() + everyMs;
    try {
      signal.throwIfAborted();
      const { kind, reason } = await post(row, done);
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
    // An interrupt ends the wait; the next row then reports it.
    if (waitMs > 0 && done + 1 < rows.length) await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
  return null;
}

/**
 * @param {ReturnType<typeof readRows>[number]} row
 * @param {number} done
 * @returns {Promise<import('./post-row.js').PostResult>}
 */
async function post({ values, fault }, done) {
  if (fault) return { kind: 'rejected', reason: `it ${fault}` };
  return postRow(url, values, {
    key: process.env.WRITE_KEY,
    retryIfUnreachable: counts.stored > 0,
    signal,
    onWait: (reason) => progress.update(done, reason),
  });
}

/**
 * @param {number} line
 * @param {string} [reason]
 */
function stoppedAt(line, reason) {
  return `Stopped at line ${line} (it and all after it are not stored)${reason ? `: ${reason}` : '.'}`;
}

function failures() {
  const { rejected, unknown } = counts;
  const parts = [rejected && `${rejected} skipped`, unknown && `${unknown} not known`].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'no failures';
}

function replayArguments() {
  const options = /** @type {const} */ ({
    every: { type: 'string', value: '1000' },
    sensor: { type: 'string', value: 'Kitchen' },
    url: { type: 'string', value: 'http://192.168.1.20:3000' },
  });
  return readArguments(USAGE, options, ({ every = '0', sensor, ...others }, words) => {
    const file = onlyFile(words, 'FILE.csv');
    if (!/^\d+$/.test(every)) throw new Error(`--every must be a number of milliseconds, not "${every}".`);
    const name = sensor === undefined ? undefined : sensorName(sensor);
    return { file, everyMs: Number(every), sensor: name, url: serverUrl(others) };
  });
}

/** @param {string} file */
function readRows(file) {
  const [header, ...rows] = parseCsv(readText(file));
  const columns = header?.fields.map((name) => name.toLowerCase()) ?? [];
  const [co2, voc, named] = ['co2', 'voc', 'sensor'].map((name) => columns.indexOf(name));
  if (header?.fault) return fail(`${file} can't be read: its first line ${header.fault}.`, 1);
  if (co2 === undefined || voc === undefined || named === undefined || Math.min(co2, voc) < 0) {
    return fail(`${file} has no columns co2 and voc: its first line is "${columns.join(',')}".`, 1);
  }
  return rows.map(({ line, fields, fault }) => ({
    line,
    values: {
      co2: fields[co2] ?? '',
      voc: fields[voc] ?? '',
      ...sensorMember(sensor ?? unguardFormula(fields[named] ?? '')),
    },
    fault: fault ?? (fields.length === columns.length ? null : 'has not as many fields as the first line'),
  }));
}

/** @param {string} sensor */
function sensorMember(sensor) {
  return sensor ? { sensor } : {};
}

/**
 * Returns the rows of a CSV text with the lines in which they begin, from 1, and without blank lines. The fields of a row
 * with a `fault` mean nothing.
 *
 * @param {string} text
 */
function parseCsv(text) {
  // Carriage returns before line feeds are trimmed with the fields. Old Macs have no line feeds.
  const newline = text.includes('\n') ? '\n' : '\r';
  const { data, errors } = /** @type {Papa.ParseResult<string[]>} */ (
    Papa.parse(text, { delimiter: ',', newline })
  );
  const codes = new Map(errors.map(({ row, code }) => [row, code]));
  let line = 1;
  const rows = data.map((cells, row) => {
    const code = codes.get(row);
    const fault = code && misquotedDetail(line, cells, newline, code === 'MissingQuotes');
    const parsed = { line, fields: cells.map((cell) => cell.trim()), fault };
    line += 1 + breaksIn(cells, newline);
    return parsed;
  });
  return rows.filter(({ fields, fault }) => fault || fields.length > 1 || fields[0] !== '');
}

/** @param {string} file */
function readText(file) {
  requireFile(file);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return fail(`Can't read ${file}: ${/** @type {Error} */ (error).message}`, 1);
  }
}
