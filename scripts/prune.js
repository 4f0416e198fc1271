/** `npm run prune`: deletes readings of a time or of a sensor for good, and gives their space back. */
import { commandLine } from '../app/config/installation.server.js';
import { databaseInUsage, isHosted, readArguments, sensorName, timeOption } from './arguments.js';
import { changeDatabase, giveSpaceBack, inTransaction, isConfirmed, sensorKey } from './database.js';
import { fail } from './fail.js';
import { pruneProject } from './hosted.js';

const USAGE =
  () => `usage: ${commandLine('prune', '[--sensor NAME] [--from TIME] [--to TIME | --before TIME] [--yes]')}

  --sensor NAME  deletes readings of this sensor only; "" for the one without a name
  --from TIME    deletes readings from this day (of UTC) or time on, such as 2026-01-31 or 2026-01-31T08:00:00Z
  --to TIME      deletes readings from before this day or time
  --before TIME  the same
  --yes          doesn't ask

It deletes from ${databaseInUsage()}. Stop the server first;
${commandLine('backup')} keeps a copy. If SUPABASE_URL is set, --before deletes from the project, while the server runs.`;

const DAY_SECONDS = 86_400;

const { sensor, from, to, yes } = pruneArguments();
if (isHosted()) {
  if (sensor !== undefined || from !== undefined || to === undefined)
    fail(
      'Nothing was deleted: in a Supabase project, only --before is possible. Delete others in its SQL editor.',
      1,
    );
  await pruneProject(new Date(to).toISOString(), yes);
  process.exit();
}
await changeDatabase('deleted', async (database, file) => {
  const key = sensor === undefined ? null : sensorKey(database, sensor);
  const [since, until] = [microseconds(from, -1), microseconds(to, 1)];
  const isChosen = 'created_at >= ? and created_at < ? and (? is null or sensor = ?)';
  const bound = [since, until, key, key];
  const total = count(database, 'select count(*) from data');
  const chosen = count(database, `select count(*) from data where ${isChosen}`, ...bound);
  const of = sensor === undefined ? '' : ` of ${JSON.stringify(sensor)}`;
  const span = `${from ? ` from ${from} on` : ''}${from && to ? ' and' : ''}${to ? ` from before ${to}` : ''}`;
  console.log(`${chosen} of ${total} readings in ${file} are${of}${span}.`);
  if (chosen === 0) return console.log('Nothing to delete.');
  if (!(await isConfirmed('Delete them for good?', yes))) return;
  inTransaction(database, () => {
    // A trigger marks the days, whose history the server computes again. Whole days have none left.
    database.prepare(`delete from data where ${isChosen}`).run(...bound);
    const days = [
      Math.ceil(since / 1e6 / DAY_SECONDS) * DAY_SECONDS,
      Math.floor(until / 1e6 / DAY_SECONDS) * DAY_SECONDS,
      key,
      key,
    ];
    for (const table of ['slots', 'roll_ups'])
      database
        .prepare(`delete from ${table} where start >= ? and start < ? and (? is null or sensor = ?)`)
        .run(...days);
    // A sensor without readings isn't watched any more.
    if (key !== null && count(database, 'select count(*) from data where sensor = ?', key) === 0)
      database.prepare('delete from alert_sensors where sensor = ?').run(sensor);
  });
  console.log(`${chosen} readings deleted.`);
  giveSpaceBack(database, file);
});

/**
 * @param {string | undefined} time
 * @param {1 | -1} end which end of time stands for no time: of the years 100 to 9999
 */
function microseconds(time, end) {
  return time === undefined ? end * 253_402_300_800e6 : Date.parse(time) * 1000;
}

/**
 * @param {import('libsql').Database} database
 * @param {string} sql
 * @param {(number | null)[]} bound
 */
function count(database, sql, ...bound) {
  return Number(
    database
      .prepare(sql)
      .pluck()
      .all(...bound)[0],
  );
}

function pruneArguments() {
  const options = /** @type {const} */ ({
    sensor: { type: 'string', value: 'Kitchen' },
    from: { type: 'string', value: '2026-01-31' },
    to: { type: 'string', value: '2026-01-31' },
    before: { type: 'string', value: '2026-01-31' },
    yes: { type: 'boolean' },
  });
  return readArguments(USAGE, options, ({ sensor, from, to, before, yes = false }, words) => {
    if (words.length > 0) throw new Error(`"${words[0]}" has no meaning here: remove it.`);
    if (to !== undefined && before !== undefined)
      throw new Error('--to and --before are the same: give one of them.');
    if ([sensor, from, to, before].every((value) => value === undefined)) {
      throw new Error('say which readings: --before, --sensor, --from or --to is missing.');
    }
    const name = sensor === undefined ? undefined : sensorName(sensor);
    const end = before === undefined ? timeOption('to', to) : timeOption('before', before);
    return { sensor: name, from: timeOption('from', from), to: end, yes };
  });
}
