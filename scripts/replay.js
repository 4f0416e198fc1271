/**
 * `npm run replay`: posts the rows of a CSV to a running server, in the order of the file. One at a time:
 * the server gives ids in the order of its commits, and a row that is refused must not be overtaken.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DEFAULT_PORT } from '../app/config/defaults.server.js';
import { loadEnvFile } from '../app/config/env-file.server.js';
import { postRow, ReplayStopped } from './post-row.js';
import { createProgress } from './progress.js';
import { readCsv } from './read-csv.js';

const USAGE = `usage: npm run replay -- FILE.csv [--every MS] [--url URL]

  FILE.csv     columns created_at, co2 and voc in any order, named in the first line
  --every MS   one row every so many milliseconds; without it, as fast as they are stored
  --url URL    the server, http://localhost:3000 (or at the PORT of .env) if not given

A WRITE_KEY in the environment goes along as the server's key.`;

loadEnvFile();
const { file, everyMs, url } = readArguments();
const rows = readRows(file);
const progress = createProgress(process.stdout, rows.length);
const interrupt = new AbortController();
const { signal } = interrupt;
process.once('SIGINT', () => interrupt.abort());

const counts = { stored: 0, refused: 0, unknown: 0 };
let done = 0;
let stopped = '';
try {
  for (const { line, values } of rows) {
    const due = performance.now() + everyMs;
    await send(line, values);
    done += 1;
    progress.update(done, failures());
    if (done < rows.length) signal.throwIfAborted();
    const early = due - performance.now();
    if (early > 0 && done < rows.length) await sleep(early, undefined, { signal });
  }
} catch (error) {
  if (!(error instanceof ReplayStopped) && !signal.aborted) throw error;
  stopped = `Stopped at line ${rows[done]?.line}, which is not stored, nor is any after it`;
  stopped += signal.aborted ? '.' : `: ${/** @type {Error} */ (error).message}`;
}
progress.say(`${counts.stored} of ${rows.length} rows stored in ${progress.elapsed()}, ${failures()}`);
if (stopped) console.error(stopped);
// A bad row is the file's fault, and has been named; a row that may be lost is a failure.
process.exitCode = stopped || counts.unknown > 0 ? 1 : 0;

/**
 * @param {number} line
 * @param {{ co2: string, voc: string } | null} values
 */
async function send(line, values) {
  const { kind, reason } = values
    ? await postRow(url, values, {
        key: process.env.WRITE_KEY,
        isWaitedFor: counts.stored > 0,
        signal,
        onWait: (why) => progress.update(done, why),
      })
    : { kind: /** @type {const} */ ('refused'), reason: 'it has not as many fields as the first line' };
  counts[kind] += 1;
  if (kind === 'refused') progress.say(`line ${line}: skipped: ${reason}`);
  if (kind === 'unknown') progress.say(`line ${line}: ${reason}`);
}

function failures() {
  const { refused, unknown } = counts;
  const parts = [refused && `${refused} skipped`, unknown && `${unknown} not known`].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'no failures';
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        every: { type: 'string', default: '0' },
        url: { type: 'string', default: `http://localhost:${process.env.PORT || DEFAULT_PORT}` },
      },
    });
    const [file, ...others] = positionals;
    if (file === undefined) throw new Error('which file?');
    if (others.length > 0) throw new Error(`one file at a time: what is ${others.join(' ')}?`);
    if (!/^\d+$/.test(values.every)) throw new Error(`--every wants milliseconds, not "${values.every}"`);
    if (!/^https?:/.test(values.url) || !URL.canParse(values.url)) {
      throw new Error(`--url wants an address like http://localhost:3000, not "${values.url}"`);
    }
    return { file, everyMs: Number(values.every), url: values.url };
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${USAGE}`, 2);
  }
}

/**
 * @param {string} file
 * @returns {{ line: number, values: { co2: string, voc: string } | null }[]} null for a row of another width
 */
function readRows(file) {
  /** @type {string} */
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return fail(`can't read ${file}: ${/** @type {Error} */ (error).message}`, 1);
  }
  const [header, ...rows] = readCsv(text);
  const columns = header?.fields.map((name) => name.toLowerCase()) ?? [];
  const [co2, voc] = ['co2', 'voc'].map((name) => columns.indexOf(name));
  if (co2 === undefined || voc === undefined || co2 < 0 || voc < 0) {
    return fail(`${file} has no columns co2 and voc: its first line is "${columns.join(',')}".`, 1);
  }
  return rows.map(({ line, fields }) => ({
    line,
    values: fields.length === columns.length ? { co2: fields[co2] ?? '', voc: fields[voc] ?? '' } : null,
  }));
}

/**
 * @param {string} message
 * @param {number} exitCode
 * @returns {never}
 */
function fail(message, exitCode) {
  console.error(message);
  process.exit(exitCode);
}
