/**
 * Sends the readings in a file to a running server in batches, with their own times. Reads a table while sending, so that its size
 * doesn't matter.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { counted } from '../../app/readings/format/counted.js';
import { fail, ImportError } from '../fail.js';
import { createProgress } from '../progress.js';
import { importArguments } from './arguments.js';
import { FIELDS, findMetrics } from './columns.js';
import { conflictWindow } from './conflicts.js';
import { countLines, inspectFile, readHeader } from './csv.js';
import { faultCounter } from './faults.js';
import { isJson, jsonReadings } from './json.js';
import { isLines, lineReadings } from './lines.js';
import { isNotesHeader, postNote, readNotes } from './notes.js';
import { entitiesOf, longMetrics, readReadings, surveySeries } from './readings.js';
import { batchSender } from './send.js';
import { withSurvey } from './survey.js';

/** @typedef {import('./send.js').Line} Line */
/** @typedef {import('./readings.js').Reading} Reading */

const BATCH_READINGS = 1000;
/** The number of readings that `--dry-run` shows. */
const SHOWN_READINGS = 5;
/** The maximum number of refused lines that are printed. */
const SHOWN_LINES = 20;

const { file, errors, sensor, url, columns, units, where, onConflict, decimal, times, isDryRun } =
  importArguments();
const interrupt = new AbortController();
/** Rows by outcome. `repeated` rows conflict with an earlier row, `kept` rows with a stored reading. */
const counts = { stored: 0, known: 0, refused: 0, skipped: 0, repeated: 0, kept: 0 };
const faults = faultCounter();
let sentRows = 0;
/** All lines up to this one are sent. */
let sentLine = 0;

if (hasNotes()) process.exit(await importNotes());
const { readings, rows, taken, untaken } = await openFile();
process.once('SIGINT', () => interrupt.abort());
const progress = createProgress(process.stdout, rows);
const refused = refusedLines({ file, errors: isDryRun ? undefined : errors, print: progress.print });
await (isDryRun ? showReadings() : sendReadings());

function hasNotes() {
  try {
    if (isJson(file) || isLines(file)) return false;
    return isNotesHeader(readHeader(file).header);
  } catch (error) {
    return failed(error);
  }
}

/** Sends the notes in the file. Returns the exit code. */
async function importNotes() {
  process.once('SIGINT', () => interrupt.abort());
  const notes = readNotes(file, sensor);
  if (isDryRun) {
    console.log(`${file}: notes. The first ones:`);
    for (const { line, note } of notes.slice(0, SHOWN_READINGS))
      console.log(`line ${line}: ${JSON.stringify(note)}`);
    console.log('Nothing was sent (--dry-run).');
    return 0;
  }
  const counts = { stored: 0, known: 0, refused: 0 };
  const server = { url, key: process.env.WRITE_KEY, signal: interrupt.signal };
  try {
    for (const { line, note } of notes) {
      const outcome = await postNote(note, server);
      counts[outcome.kind] += 1;
      if (outcome.kind === 'refused') console.log(`line ${line}: refused: ${outcome.problem}`);
      sentLine = line;
    }
  } catch (error) {
    if (interrupt.signal.aborted)
      fail('Stopped. Run the same command again: stored notes are recognized.', 130);
    failed(error);
  }
  const { stored, known, refused } = counts;
  console.log(`${file}: notes: ${stored} stored, ${known} known already, ${refused} refused`);
  if (stored + known === 0) return 1;
  return refused > 0 ? 3 : 0;
}

async function openFile() {
  try {
    if (isJson(file))
      return {
        readings: jsonReadings(file, sensor),
        rows: countLines(file, '\n'),
        taken: 'readings as JSON.',
        untaken: [],
      };
    if (isLines(file)) {
      const { items, ...found } = await lineReadings(file, { sensor, columns, units, where });
      return { ...found, readings: { items, repeatedTimes: () => 0, timeZone: undefined } };
    }
    const { delimiter, newline, preamble, layout } = inspectFile(file, columns, units);
    const given = {
      file,
      delimiter,
      newline,
      preamble,
      layout,
      columns,
      units,
      where,
      sensor,
      decimal,
      times,
    };
    if (layout.kind === 'wide') {
      const { given: isGiven, source, faults, unused } = layout;
      return {
        readings: readReadings(await withSurvey(given)),
        rows: countLines(file, newline) - 1,
        taken: `columns ${isGiven ? '' : `of ${source}: `}${layout.taken.join(', ')}.`,
        untaken: [
          ...faults.map((fault) => `${fault}.`),
          ...(unused.length > 0 ? [`Not imported: ${unused.join(', ')}.`] : []),
        ],
      };
    }
    const named = { ...given, columns: await longNames(given) };
    const { rows, means } = await surveySeries(named);
    const taken = `columns of ${layout.source}: ${longMetrics(named)
      .map(({ taken }) => taken)
      .join(', ')}.`;
    const surveyed = await withSurvey({ ...named, means });
    return { readings: readReadings(surveyed), rows, taken, untaken: [...meansIn(layout, means)] };
  } catch (error) {
    return failed(error);
  }
}

/**
 * Says which rows of Home Assistant are means of an hour.
 *
 * @param {import('./layout.js').LongLayout} layout
 * @param {Map<string, number>} means
 */
function* meansIn({ isMean, unused }, means) {
  if (isMean) yield 'Its values are means of an hour, at the beginning of the hour.';
  if (unused.length > 0) yield `Not imported: ${unused.map((name) => `"${name}"`).join(', ')}.`;
  const counts = [...means].map(([name, count]) => `${count} of ${name}`).join(', ');
  if (counts) {
    yield `The first rows are means of an hour, because Home Assistant has no states of that time any more: ${counts}.`;
  }
}

/**
 * Returns the names of the metrics in a file with one metric per row.
 *
 * @param {import('./readings.js').ImportOptions} options
 */
async function longNames(options) {
  if (FIELDS.some((field) => columns[field] !== undefined)) return columns;
  const entities = await entitiesOf(options);
  if (options.layout.source === 'InfluxDB') {
    const found = findMetrics(entities, {}, units).metrics.map(({ field, name }) => [field, name]);
    if (found.length > 0) return Object.fromEntries(found);
  }
  throw new ImportError(
    `say which of them are metrics: --co2 sensor.NAME, --voc sensor.NAME, --temperature sensor.NAME and so on. The file has: ${entities.join(', ')}`,
  );
}

async function showReadings() {
  console.log(`${file}: ${taken} The first readings:`);
  let shown = 0;
  try {
    for await (const { line, reading, problem } of readings.items) {
      const fault = problem ?? (reading && textIn(reading));
      if (fault) refused.add(line, fault);
      else if (reading) {
        faults.note({ line, reading });
        console.log(`line ${line}: ${JSON.stringify(reading)}`);
      }
      if (reading && ++shown >= SHOWN_READINGS) break;
    }
  } catch (error) {
    failed(error);
  }
  for (const line of [...faults.warnings(), ...untaken]) console.log(line);
  console.log('Nothing was sent (--dry-run).');
}

/** Returns why the server would refuse a reading with text for a number; undefined for other readings. @param {Reading} reading */
function textIn(reading) {
  const field = FIELDS.find((each) => typeof reading[each] === 'string');
  return field && `${field} must be a number, not "${reading[field]}"`;
}

async function sendReadings() {
  const send = batchSender({
    url,
    key: process.env.WRITE_KEY,
    signal: interrupt.signal,
    onWait: showProgress,
  });
  for (const line of [`${file}: ${taken}`, ...untaken]) progress.print(line);
  const window = conflictWindow(onConflict);
  /** The number of rows that are read but not sent. */
  let readRows = 0;
  /** The batch that is being sent, while the next one is read. */
  let sending = Promise.resolve();
  const flush = async () => {
    const lines = window.take(BATCH_READINGS);
    const rowsRead = readRows;
    readRows = 0;
    await sending;
    sending = send(lines).then((outcome) => noteOutcome(lines, outcome, rowsRead));
    // A failure is reported when the next batch awaits `sending`. This handler prevents an unhandled rejection until then.
    sending.catch(() => {});
  };
  try {
    for await (const { line, reading, problem, skipped, rows = 1 } of readings.items) {
      interrupt.signal.throwIfAborted();
      readRows += rows;
      if (skipped) counts.skipped += 1;
      if (problem) noteProblem(line, problem);
      if (reading) {
        faults.note({ line, reading });
        const kind = window.add({ line, reading });
        if (kind === 'same') counts.known += 1;
        if (kind === 'other') counts.repeated += 1;
      }
      if (window.size() >= 2 * BATCH_READINGS) await flush();
    }
    while (window.size() > 0) await flush();
    await sending;
  } catch (error) {
    await sending.catch(() => {});
    progress.print(summary());
    refused.end();
    if (interrupt.signal.aborted) fail(stopped('Stopped'), 130);
    failed(error);
  }
  progress.print(`${summary()} in ${progress.elapsed()}`);
  noteConflicts();
  noteRepeatedTimes();
  for (const warning of faults.warnings()) progress.print(warning);
  refused.end();
  const { stored, known, kept } = counts;
  if (stored + known + kept === 0) fail('Nothing was stored: the server accepted no reading of the file.', 1);
  // Refused lines have their own exit code, so that a script that runs the import can notice them.
  process.exitCode = counts.refused > 0 ? 3 : 0;
}

/** @param {Line[]} lines @param {import('./send.js').Outcome} outcome @param {number} rows */
function noteOutcome(lines, { stored, known, problems }, rows) {
  counts.stored += stored;
  counts.known += known;
  sentRows += rows;
  sentLine = lines.at(-1)?.line ?? sentLine;
  for (const { line, problem, isConflict } of problems) {
    if (isConflict && onConflict === 'keep') counts.kept += 1;
    else noteProblem(line, problem);
  }
  showProgress();
}

/** @param {number} line @param {string} problem */
function noteProblem(line, problem) {
  counts.refused += 1;
  refused.add(line, problem);
}

/** Prints how conflicts were resolved. */
function noteConflicts() {
  const { repeated, kept } = counts;
  const done = { keep: 'the first was kept', replace: 'the last was sent', average: 'the average was sent' };
  if (repeated > 0)
    progress.print(`${rowsHave(repeated)} the time of an earlier row but other values: ${done[onConflict]}`);
  if (kept > 0)
    progress.print(
      `${rowsHave(kept)} the time of a stored reading but other values: the stored one was kept`,
    );
}

/** @param {number} count */
function rowsHave(count) {
  return `${counted(count, 'row')} ${count === 1 ? 'has' : 'have'}`;
}

/** @param {string} [reason] the reason for a wait */
function showProgress(reason) {
  progress.update(sentRows, reason ?? summary(), reason !== undefined);
}

function summary() {
  const { stored, known, refused, skipped } = counts;
  return `${stored} stored, ${known} known already, ${refused} refused${skipped ? `, ${skipped} without a value` : ''}`;
}

function noteRepeatedTimes() {
  const repeated = readings.repeatedTimes();
  if (repeated === 0) return;
  progress.print(
    `${repeated === 1 ? '1 time is' : `${repeated} times are`} in an hour that the clocks of ${readings.timeZone} showed twice: ` +
      'taken in the order of the file',
  );
}

/** @param {string} what */
function stopped(what) {
  const upTo = sentLine > 0 ? ` Everything up to line ${sentLine} was sent.` : '';
  return `${what}.${upTo} Run the same command again to go on: readings that are stored already are recognized.`;
}

/** @param {unknown} error @returns {never} */
function failed(error) {
  const { syscall, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (syscall) return fail(`Can't use a file: ${message}`, 1);
  if (!(error instanceof ImportError)) throw error;
  // A message with several lines ends with a command, which must not get a full stop.
  const stop = error.message.includes('\n') ? '' : '.';
  return fail(sentLine > 0 ? stopped(`${file}: ${error.message}`) : `${file}: ${error.message}${stop}`, 1);
}

/**
 * Prints the first refused lines. Writes all of them to `errors`, or, if there are more than `SHOWN_LINES`, to a file in the
 * current folder.
 *
 * @param {{ file: string, errors: string | undefined, print: (message: string) => void }} options
 */
function refusedLines({ file, errors, print }) {
  /** Lines that aren't written yet. @type {string[]} */
  let waiting = [];
  let count = 0;
  /** @type {number | null} */
  let opened = null;
  const target = errors ?? `${basename(file)}.refused.txt`;

  function write() {
    opened ??= openSync(target, 'w');
    writeSync(opened, waiting.join(''));
    waiting = [];
  }

  return {
    /** @param {number} line @param {string} problem */
    add(line, problem) {
      count += 1;
      if (count <= SHOWN_LINES) print(`line ${line}: refused: ${problem}`);
      waiting.push(`line ${line}: ${problem}\n`);
      if (errors !== undefined || count > SHOWN_LINES) write();
    },
    /** Closes the file, and prints its path. */
    end() {
      if (opened === null) return;
      closeSync(opened);
      print(`All refused lines are in ${target}.`);
    },
  };
}
