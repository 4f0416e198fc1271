/** `npm run prune`: deletes the readings of a period or a sensor, and frees their disk space unless a server runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { databaseInUsage, isHosted, readArguments, sensorName, timeOption } from './arguments.js';
import {
  changeDatabase,
  firstValue,
  giveSpaceBack,
  inTransaction,
  isConfirmed,
  sensorKey,
} from './database.js';
import { fail, messageOf } from './fail.js';
import { countReadings, deleteReadings, sensorsOf } from './running-server.js';

const USAGE =
  () => `usage: ${commandLine('prune', '[--sensor NAME] [--from TIME] [--to TIME | --before TIME] [--yes]')}

  --sensor NAME  deletes readings of this sensor only; "" for the one without a name
  --from TIME    deletes readings from this day (of UTC) or time on, such as 2026-01-31 or 2026-01-31T08:00:00Z
  --to TIME      deletes readings from before this day or time
  --before TIME  the same
  --yes          doesn't ask

It deletes from ${databaseInUsage()}, for good; ${commandLine('backup')}
keeps a copy. While a server uses it, the server deletes them, and keeps them for seven days. If SUPABASE_URL is set, --before alone
deletes from the project for good.`;

const DAY_SECONDS = 86_400;
/** The length of a slot in microseconds. */
const SLOT_MICROS = 300e6;
/** Readings per request. Each request blocks inserts for a fraction of a second. */
const STEP_READINGS = 5000;
const TIMEOUT_MS = 30_000;

const { sensor, from, to, yes } = pruneArguments();
if (isHosted() && sensor === undefined && from === undefined && to !== undefined) {
  await pruneProject(new Date(to).toISOString(), yes);
  process.exit();
}
await changeDatabase(
  'deleted',
  async (database, file) => {
    const key = sensor === undefined ? null : sensorKey(database, sensor);
    const [since, until] = [microseconds(from, -1), microseconds(to, 1)];
    const isChosen = 'created_at >= ? and created_at < ? and (? is null or sensor = ?)';
    const bound = [since, until, key, key];
    const total = Number(firstValue(database, 'select count(*) from data'));
    const chosen = Number(firstValue(database, `select count(*) from data where ${isChosen}`, ...bound));
    // Whole slots of the span. Those of removed readings can't be computed again, so a slot that the span cuts stays.
    const slots = [Math.ceil(since / SLOT_MICROS) * 300, Math.floor(until / SLOT_MICROS) * 300, key, key];
    const inSlots = Number(
      firstValue(
        database,
        `select count(*) from slots join sensors on id = sensor
      where start >= ? and start < ? and (? is null or sensor = ?) and start < raw_from`,
        ...slots,
      ),
    );
    const of = sensor === undefined ? '' : ` of ${JSON.stringify(sensor)}`;
    const span = `${from ? ` from ${from} on` : ''}${from && to ? ' and' : ''}${to ? ` from before ${to}` : ''}`;
    console.log(
      `${chosen} of ${counted(total, 'reading')} in ${file} ${chosen === 1 ? 'is' : 'are'}${of}${span}.`,
    );
    if (inSlots > 0) console.log(`${counted(inSlots, 'five-minute slot')} of removed readings too.`);
    if (chosen === 0 && inSlots === 0) {
      console.log('Nothing to delete.');
      // An earlier run may have had no room to give the space back.
      const [unused, pages] = ['freelist_count', 'page_count'].map((name) =>
        firstValue(database, `pragma ${name}`),
      );
      if (Number(unused) > Number(pages) / 2) giveSpaceBack(database, file);
      return;
    }
    if (!(await isConfirmed('Delete them for good?', yes))) return;
    let notes = 0;
    inTransaction(database, () => {
      // A trigger marks the affected days as stale, and the server recomputes them. The history of whole days is deleted here.
      database.prepare(`delete from data where ${isChosen}`).run(...bound);
      const days = [
        Math.ceil(since / 1e6 / DAY_SECONDS) * DAY_SECONDS,
        Math.floor(until / 1e6 / DAY_SECONDS) * DAY_SECONDS,
        key,
        key,
      ];
      for (const [table, start, span] of /** @type {const} */ ([
        ['slots', 'start', slots],
        ['roll_ups', 'start', days],
        ['room_days', 'day', days],
      ]))
        database
          .prepare(`delete from ${table} where ${start} >= ? and ${start} < ? and (? is null or sensor = ?)`)
          .run(...span);
      // Readings that were removed before fire no trigger. Slots count time for others up to 65 minutes away.
      for (const time of [from, to].filter((time) => time !== undefined))
        for (const second of [-3900, 0, 3900].map((near) => Date.parse(time) / 1000 + near))
          database
            .prepare(
              `insert into stale_days (sensor, day) select id, ? from sensors
            where raw_from is not null and (? is null or id = ?) on conflict do nothing`,
            )
            .run(Math.floor(second / DAY_SECONDS) * DAY_SECONDS, key, key);
      const isInside = 'begins_at >= ? and coalesce(ends_at, begins_at) < ? and (? is null or sensor = ?)';
      notes = database.prepare(`delete from notes where ${isInside}`).run(...bound).changes;
      if (key === null || firstValue(database, 'select count(*) from data where sensor = ?', key) !== 0)
        return;
      notes += database.prepare('delete from notes where sensor = ?').run(key).changes;
      for (const table of ['room_days', 'sensor_settings', 'sensor_aliases'])
        database.prepare(`delete from ${table} where sensor = ?`).run(key);
      // Rows of `alert_sensors` outlive the readings: a deleted sensor would still be watched.
      database.prepare('delete from alert_sensors where sensor = ?').run(sensor);
    });
    console.log(`${counted(chosen, 'reading')}${notes > 0 ? ` and ${counted(notes, 'note')}` : ''} deleted.`);
    giveSpaceBack(database, file);
  },
  pruneBeside,
);

/**
 * Deletes the readings through a running server, which keeps them for seven days. Notes stay.
 *
 * @param {string} url
 */
async function pruneBeside(url) {
  const sensors = sensor === undefined ? (await sensorsOf(url)).map(({ name }) => name) : [sensor];
  const spans = [];
  let total = 0;
  for (const sensor of sensors) {
    const span = { sensor, from, to };
    const count = await countReadings(url, span);
    if (count > 0) spans.push(span);
    total += count;
  }
  console.log(`${counted(total, 'reading')} of ${counted(spans.length, 'sensor')} at ${url} are chosen.`);
  if (total === 0) return console.log('Nothing to delete.');
  if (!(await isConfirmed('Delete them? The server keeps them for seven days.', yes))) return;
  for (const span of spans) await deleteReadings(url, span);
}

/**
 * @param {string | undefined} time
 * @param {1 | -1} end the sign of the bound without a time, which lies outside the years 100 to 9999
 */
function microseconds(time, end) {
  return time === undefined ? end * 253_402_300_800e6 : Date.parse(time) * 1000;
}

/**
 * Deletes a project's readings from before a time, oldest first, in steps with pauses for other requests.
 *
 * @param {string} before ISO 8601
 * @param {boolean} yes skips the confirmation
 */
async function pruneProject(before, yes) {
  const { SUPABASE_URL: address = '', SUPABASE_SECRET_KEY: key } = process.env;
  if (!key) {
    fail(
      "Nothing was deleted: set SUPABASE_SECRET_KEY, since the public key may not delete a project's readings.",
      1,
    );
  }
  const host = URL.canParse(address) ? new URL(address).host : fail('SUPABASE_URL is not an address.', 1);
  let deleted = 0;

  async function deleteSome() {
    const headers = { apikey: key ?? '', Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ before, at_most: STEP_READINGS });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(new URL('/rest/v1/rpc/prune_readings', address), {
        method: 'POST',
        headers,
        body,
        signal,
        // Following a redirect could send the key to another host.
        redirect: 'manual',
      });
      const answer = await response.json();
      if (response.ok) return Number(answer);
      const advice =
        answer.code === 'PGRST202'
          ? 'The project lacks the migration 20261128093000_rooms_and_notes.sql. Apply supabase/migrations to it. If it is ' +
            "applied, run in the SQL editor: notify pgrst, 'reload schema'"
          : `${response.status} ${answer.message ?? ''}`;
      return fail(
        `${counted(deleted, 'reading')} ${deleted === 1 ? 'was' : 'were'} deleted, then Supabase refused: ${advice}`,
        1,
      );
    } catch (error) {
      return fail(
        `${counted(deleted, 'reading')} ${deleted === 1 ? 'was' : 'were'} deleted, then ${host} didn't answer (${messageOf(error)}). Run it again.`,
        1,
      );
    }
  }

  if (!(await isConfirmed(`Delete all readings from before ${before} from ${host} for good?`, yes))) return;
  for (;;) {
    const begun = performance.now();
    const step = await deleteSome();
    deleted += step;
    if (step < STEP_READINGS) break;
    console.log(`${counted(deleted, 'reading')} deleted so far`);
    // Lets waiting posts through.
    await sleep(performance.now() - begun);
  }
  console.log(
    `${counted(deleted, 'reading')} from before ${before} deleted from ${host}. New readings use their space.`,
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
