/** `npm run prune`: deletes old readings for good, and gives their space back. */
import { existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { commandLine } from '../app/config/installation.server.js';
import { openSqliteFile } from '../app/store/sqlite/file/sqlite-file.server.js';
import { databasePath } from './database-arguments.js';
import { fail } from './fail.js';
import { isHosted, pruneProject } from './hosted.js';
import { showUsageIfAsked } from './show-usage.js';

const USAGE = `usage: ${commandLine('prune', '--before DATE [--yes]')}

  --before DATE  deletes readings from before that day, such as 2026-01-31, or time, such as 2026-01-31T08:00:00Z (UTC)
  --yes          doesn't ask

They are deleted from the file that DATABASE_PATH names. Stop the server first; ${commandLine('backup')} keeps a copy. If
SUPABASE_URL is set, they are deleted from the project, while the server runs.`;

const { before, yes } = readArguments();
if (isHosted()) {
  await pruneProject(before, yes);
  process.exit();
}
const beforeTime = Date.parse(before) * 1000;
const file = databasePath();
if (!existsSync(file)) fail(`Nothing was deleted: there is no database at ${file}.`, 1);
const { database, close } = openStore();
const [total] = count('select count(*) from data');
const [old] = count('select count(*) from data where created_at < ?', beforeTime);
console.log(`${old} of ${total} readings in ${file} are from before ${before}.`);
if (old === 0) console.log('Nothing to delete.');
else if (await isConfirmed()) prune();
close();

function prune() {
  const sizeBefore = statSync(file).size;
  database.pragma('busy_timeout = 4500');
  try {
    database.exec('begin immediate');
    database.prepare('delete from data where created_at < ?').run(beforeTime);
    // The history of those days goes too. The server computes that of the last one again.
    const day = Math.floor(beforeTime / 86_400e6) * 86_400;
    for (const table of ['slots', 'roll_ups'])
      database.prepare(`delete from ${table} where start < ?`).run(day);
    database.exec('commit');
  } catch (error) {
    fail(`Nothing was deleted: ${/** @type {Error} */ (error).message}`, 1);
  }
  console.log(`${old} readings deleted.`);
  try {
    database.exec('vacuum; pragma wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // It writes the remaining readings a second time first.
    const { message } = /** @type {Error} */ (error);
    fail(`Their space can't be given back yet (${message}). Make room on the disk, then run this again.`, 1);
  }
  console.log(`${((sizeBefore - statSync(file).size) / 1024 / 1024).toFixed(1)} MiB given back.`);
}

async function isConfirmed() {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    close();
    fail('Nothing was deleted: add --yes to delete them without being asked.', 1);
  }
  const terminal = createInterface(process.stdin, process.stdout);
  const answer = await terminal.question('Delete them for good? [y/N] ');
  terminal.close();
  if (/^y(es)?$/i.test(answer.trim())) return true;
  console.log('Nothing was deleted.');
  return false;
}

/**
 * @param {string} sql
 * @param {number[]} bound
 */
function count(sql, ...bound) {
  return /** @type {[number]} */ (
    database
      .prepare(sql)
      .pluck()
      .all(...bound)
  );
}

function openStore() {
  try {
    return openSqliteFile(file);
  } catch (error) {
    return fail(`Nothing was deleted: ${/** @type {Error} */ (error).message}`, 1);
  }
}

function readArguments() {
  showUsageIfAsked(USAGE);
  try {
    const { values } = parseArgs({
      options: { before: { type: 'string' }, yes: { type: 'boolean', default: false } },
    });
    return { before: parseTime(values.before), yes: values.yes };
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${USAGE}`, 2);
  }
}

/**
 * Returns the time as ISO 8601.
 *
 * @param {string | undefined} text
 */
function parseTime(text) {
  if (text === undefined) throw new Error('--before is missing');
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  // 2026-02-30 would become March.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(text.slice(0, 10))) {
    throw new Error(
      `--before must be a day like 2026-01-31, or a time like 2026-01-31T08:00:00Z, not "${text}"`,
    );
  }
  return time.toISOString();
}
