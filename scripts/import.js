/**
 * `npm run import`: sends the readings of a CSV file to a running server with their own times, in batches. Reads the
 * file as it sends, so that its size doesn't matter.
 */
import { statSync } from 'node:fs';
import { fail } from './fail.js';
import { readArguments } from './import/arguments.js';
import { ImportError } from './import/error.js';
import { readReadings } from './import/readings.js';
import { inspectFile } from './import/rows.js';
import { batchSender } from './import/send.js';
import { createProgress } from './progress.js';

const BATCH_READINGS = 1000;
/** The most refused lines that are printed. */
const SHOWN_PROBLEMS = 20;
const SHOWN_READINGS = 5;
const [KB, MB] = [1e3, 1e6];

const { file, sensor, url, columns, times, isDryRun } = readArguments();
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
const counts = { stored: 0, known: 0, refused: 0, skipped: 0 };
let shownProblems = 0;
let bytesRead = 0;
/** The line up to which everything is sent. */
let sentLine = 0;

const { readings, source } = await openFile();
const { size } = statSync(file);
const isLarge = size >= MB;
const unit = isLarge ? MB : KB;
const progress = createProgress(process.stdout, size / unit, isLarge ? 'MB' : 'kB', isLarge ? 1 : 0);
await (isDryRun ? showReadings() : sendReadings());

async function openFile() {
  try {
    const { delimiter, newline, layout } = inspectFile(file, columns);
    const named = layout.kind === 'long' ? longNames(layout.source) : columns;
    const onBytes = (/** @type {number} */ bytes) => {
      bytesRead += bytes;
    };
    const options = { file, delimiter, newline, layout, columns: named, sensor, times, onBytes };
    const source = (layout.kind === 'wide' && layout.given) || `of ${layout.source}`;
    return { readings: readReadings(options), source };
  } catch (error) {
    return failed(error);
  }
}

/**
 * Returns what the two metrics are called in a file with one metric a row.
 *
 * @param {string} source
 */
function longNames(source) {
  if (columns.co2 !== undefined || columns.voc !== undefined) return columns;
  if (source === 'InfluxDB') return { co2: 'co2', voc: 'voc' };
  throw new ImportError(
    'say which entities are measured: --co2 sensor.NAME, --voc sensor.NAME, or both. The first column of the file has their names',
  );
}

async function showReadings() {
  console.log(`${file}: columns ${source}. The first readings:`);
  let shown = 0;
  try {
    for await (const { line, reading, problem } of readings.items) {
      if (problem) printProblem(line, problem);
      if (reading) console.log(`line ${line}: ${JSON.stringify(reading)}`);
      if (reading && ++shown >= SHOWN_READINGS) break;
    }
  } catch (error) {
    failed(error);
  }
  console.log('Nothing was sent (--dry-run).');
}

async function sendReadings() {
  const send = batchSender({
    url,
    key: process.env.WRITE_KEY,
    signal: interrupt.signal,
    onWait: showProgress,
  });
  /** @type {import('./import/send.js').Line[]} */
  let batch = [];
  /** The batch that is being sent, while the next one is read. */
  let sending = Promise.resolve();
  const flush = async () => {
    const lines = batch;
    batch = [];
    await sending;
    sending = send(lines).then((outcome) => noteOutcome(lines, outcome));
    // It is awaited with the next batch, which may take a while to read.
    sending.catch(() => {});
  };
  try {
    for await (const { line, reading, problem, skipped } of readings.items) {
      interrupt.signal.throwIfAborted();
      if (skipped) counts.skipped += 1;
      if (problem) noteProblem(line, problem);
      if (reading) batch.push({ line, reading });
      if (batch.length >= BATCH_READINGS) await flush();
    }
    if (batch.length > 0) await flush();
    await sending;
  } catch (error) {
    await sending.catch(() => {});
    progress.print(summary());
    if (interrupt.signal.aborted) fail(stopped('Stopped'), 130);
    failed(error);
  }
  progress.print(`${summary()} in ${progress.elapsed()}`);
  noteRepeatedTimes();
  // A refused line is the file's fault, but a script that runs the import has to notice it.
  process.exitCode = counts.refused > 0 ? 1 : 0;
}

/**
 * @param {import('./import/send.js').Line[]} lines
 * @param {import('./import/send.js').Outcome} outcome
 */
function noteOutcome(lines, { stored, known, refused, problems }) {
  counts.stored += stored;
  counts.known += known;
  counts.refused += refused;
  sentLine = lines.at(-1)?.line ?? sentLine;
  for (const { line, problem } of problems) printProblem(line, problem);
  showProgress();
}

/** @param {number} line @param {string} problem */
function noteProblem(line, problem) {
  counts.refused += 1;
  printProblem(line, problem);
}

/** @param {number} line @param {string} problem */
function printProblem(line, problem) {
  shownProblems += 1;
  if (shownProblems <= SHOWN_PROBLEMS) progress.print(`line ${line}: refused: ${problem}`);
  if (shownProblems === SHOWN_PROBLEMS) progress.print('(no further lines are shown)');
}

/** @param {string} [note] */
function showProgress(note = summary()) {
  // A file with one metric a row is read once for each.
  progress.update(bytesRead / readings.passes / unit, note);
}

function summary() {
  const { stored, known, refused, skipped } = counts;
  return `${stored} stored, ${known} known already, ${refused} refused${skipped ? `, ${skipped} without a value` : ''}`;
}

function noteRepeatedTimes() {
  const repeated = readings.repeatedTimes();
  if (repeated === 0) return;
  progress.print(
    `${repeated} times are in an hour that the clocks of ${times.timeZone} showed twice: taken in the order of the file`,
  );
}

/** @param {string} what */
function stopped(what) {
  const upTo = sentLine > 0 ? ` Everything up to line ${sentLine} was sent.` : '';
  return `${what}.${upTo} Run the same command again to go on: readings that are stored already are recognized.`;
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function failed(error) {
  const { syscall, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (syscall) return fail(`can't read ${file}: ${message}`, 1);
  if (!(error instanceof ImportError)) throw error;
  // A full stop would become part of the command that a message of several lines ends with.
  const stop = error.message.includes('\n') ? '' : '.';
  return fail(sentLine > 0 ? stopped(`${file}: ${error.message}`) : `${file}: ${error.message}${stop}`, 1);
}
