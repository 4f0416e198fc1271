import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type Database from 'libsql';
import type { Transition } from '../../../readings/air/air-state';
import { valuesIn } from '../../../readings/reading';
import { formatReadingTime } from '../../../readings/time/reading-time';
import type { AlertChange, AlertStore, WatchedSensor } from '../../alert-store';
import { sqliteRowInserts, type Value } from '../inserts/sqlite-row-inserts.server';
import { toMicros, toMicrosOrNull, toTextOrNull } from '../schema/sqlite-times.server';
import { sqliteOutbox } from './sqlite-outbox.server';

interface Access {
  /** Runs a query or a transaction, and repeats it while another program holds the file's lock. */
  run: <T>(work: () => T) => Promise<T>;
  /** Runs writes in a transaction that is durable when it returns. */
  write: (writes: () => void) => void;
  /** Runs writes in a transaction that doesn't wait for the disk. */
  writeSoon: (writes: () => void) => void;
}

/**
 * Stores the state of the notifications in the file of the readings, on the same connection. Each transaction begins
 * and ends within one event-loop turn, so it never overlaps a transaction for readings. No lease is needed, because the
 * file's lock keeps out other processes.
 */
export function sqliteAlerts(database: Database.Database, { run, write, writeSoon }: Access): AlertStore {
  const selectCursor = database.prepare('select cursor from alert_progress').pluck();
  const selectSensors = database
    .prepare('select sensor, air, told, told_at from alert_sensors order by sensor limit ?')
    .raw();
  const selectLast = database
    .prepare(
      `select ${TRANSITION_COLUMNS} from alert_transitions where sensor = ? order by at desc, id desc limit 1`,
    )
    .raw();
  const selectWatched = database.prepare('select until, patience_ms from alert_watched').raw();
  const clearWatched = database.prepare('delete from alert_watched');
  const insertWatched = database.prepare('insert into alert_watched values (?, ?)');
  const selectRecent = database
    .prepare(`select ${TRANSITION_COLUMNS} from alert_transitions order by at desc, id desc limit ?`)
    .raw();
  const outbox = sqliteOutbox(database, write);
  const changes = preparedChanges(database, outbox);
  const pruning = preparedPruning(database);
  let isClosed = false;

  return {
    hold: async () => true,
    load: (limit = -1) =>
      run(() => {
        const [cursor = null] = selectCursor.all() as number[];
        return { cursor, sensors: (selectSensors.all(limit) as SensorRow[]).map(toWatchedSensor) };
      }),
    async commit(change) {
      const writeChange = changes(change);
      // For a thousand sensors, preparing and writing block the event loop for 20 ms each, so other work runs in between.
      // Changes keep their order.
      await setImmediate();
      await run(() => write(writeChange));
    },
    watch: ({ until, patienceMs }) =>
      run(() => {
        const [before] = selectWatched.all() as [until: number, patienceMs: number][];
        writeSoon(() => {
          clearWatched.run();
          insertWatched.run(toMicros(until), patienceMs);
        });
        return before ? { until: formatReadingTime(before[0]), patienceMs: before[1] } : null;
      }),
    lastTransition: (sensor) =>
      run(() => (selectLast.all(sensor) as TransitionRow[]).map(toTransition)[0] ?? null),
    waiting: (address) => run(() => outbox.waiting(address)),
    summarize: (...summary) => run(() => outbox.summarize(...summary)),
    record: (attempt) => run(() => outbox.record(attempt)),
    recent: (limit) =>
      run(() =>
        (selectRecent.all(limit) as TransitionRow[]).map((row) => {
          const [sensor, at, to] = row;
          return { ...toTransition(row), deliveries: outbox.deliveriesOf(sensor, at, to) };
        }),
      ),
    recentMessages: (limit) => run(() => outbox.recentMessages(limit)),
    async prune(before) {
      const step = pruning(toMicros(before));
      for (let isLeft = true; isLeft && !isClosed; ) {
        const startedAt = performance.now();
        await run(() =>
          writeSoon(() => {
            isLeft = step();
          }),
        );
        // Leaves as much time for requests as pruning takes.
        await sleep(performance.now() - startedAt);
      }
    },
    async close() {
      isClosed = true;
    },
  };
}

/**
 * Prepares the statements for changes.
 *
 * @returns a function that converts a change to rows, and returns a function that writes the rows in a transaction
 */
function preparedChanges(
  database: Database.Database,
  { messageWrites }: ReturnType<typeof sqliteOutbox>,
): (change: AlertChange) => () => void {
  const clearCursor = database.prepare('delete from alert_progress');
  const insertCursor = database.prepare('insert into alert_progress values (?)');
  const upsertSensors = sqliteRowInserts(
    database,
    'alert_sensors (sensor, air, told, told_at)',
    4,
    'on conflict do update set air = excluded.air, told = excluded.told, told_at = excluded.told_at',
  );
  const upsertTransitions = sqliteRowInserts(
    database,
    `alert_transitions (${TRANSITION_COLUMNS})`,
    8,
    `on conflict (sensor, at, state) do update set before = excluded.before, since = excluded.since,
      co2 = excluded.co2, voc = excluded.voc, others = excluded.others`,
  );

  return ({ cursor, sensors, transitions, messages }) => {
    const sensorRows = sensors.map(sensorRow);
    const transitionRows = transitions.map(transitionRow);
    const writeMessages = messageWrites(messages);
    return () => {
      clearCursor.run();
      insertCursor.run(cursor);
      upsertSensors(sensorRows);
      upsertTransitions(transitionRows);
      writeMessages();
    };
  };
}

/** The columns of a `TransitionRow`. */
const TRANSITION_COLUMNS = 'sensor, at, state, before, since, co2, voc, others';

type TransitionRow = [
  sensor: string,
  at: number,
  state: Transition['to'],
  before: Transition['from'],
  since: number,
  co2: number | null,
  voc: number | null,
  /** The values of further metrics as JSON. */
  others: string | null,
];

type SensorRow = [
  sensor: string,
  air: string,
  notified: WatchedSensor['notified'],
  notifiedAt: number | null,
];

function sensorRow({ sensor, air, notified, notifiedAt }: WatchedSensor): Value[] {
  return [sensor, JSON.stringify(air), notified, toMicrosOrNull(notifiedAt)] satisfies SensorRow;
}

function toWatchedSensor([sensor, air, notified, notifiedAt]: SensorRow): WatchedSensor {
  return { sensor, air: JSON.parse(air), notified, notifiedAt: toTextOrNull(notifiedAt) };
}

function transitionRow({ sensor, at, from, to, since, ...values }: Transition): Value[] {
  const { co2, voc, ...others } = valuesIn(values);
  return [
    sensor,
    toMicros(at),
    to,
    from,
    toMicros(since),
    co2,
    voc,
    Object.keys(others).length > 0 ? JSON.stringify(others) : null,
  ] satisfies TransitionRow;
}

function toTransition([sensor, at, to, from, since, co2, voc, others]: TransitionRow): Transition {
  return {
    sensor,
    at: formatReadingTime(at),
    from,
    to,
    since: formatReadingTime(since),
    co2,
    voc,
    ...(others === null ? {} : JSON.parse(others)),
  };
}

/** Transitions per step of pruning. A step takes a few milliseconds. */
const STEP_TRANSITIONS = 200;
/** Messages per step of pruning. Each has deliveries and attempts, perhaps a hundred, that are removed with it. */
const STEP_MESSAGES = 50;

type PrunedRow = [time: number, number: number, isKept: number];

/** A sensor's last transition stays at any age. */
const OLD_TRANSITIONS = `
select at, id, not exists (
  select 1 from alert_transitions as later
  where later.sensor = old.sensor and (later.at, later.id) > (old.at, old.id)
)
from alert_transitions as old
where at < ? and (at, id) > (?, ?) order by at, id limit ${STEP_TRANSITIONS}`;

/** A message stays while one of its deliveries is pending. */
const OLD_MESSAGES = `
select created_at, number, exists (
  select 1 from alert_deliveries where message = number and state = 'pending'
)
from alert_messages
where created_at < ? and (created_at, number) > (?, ?) order by created_at, number limit ${STEP_MESSAGES}`;

/** Prepares the removal of transitions and messages from before a time in microseconds since 1970. */
function preparedPruning(database: Database.Database) {
  const tables = [
    { select: OLD_TRANSITIONS, remove: 'delete from alert_transitions where id = ?' },
    { select: OLD_MESSAGES, remove: 'delete from alert_messages where number = ?' },
  ].map(({ select, remove }) => ({
    select: database.prepare(select).raw(),
    remove: database.prepare(remove),
  }));

  /** Returns a function that removes one step of rows in a transaction, and returns false if nothing was left. */
  return (before: number): (() => boolean) => {
    const left = [...tables];
    let position = [Number.MIN_SAFE_INTEGER, 0];
    return () => {
      const [table] = left;
      if (!table) return false;
      const rows = table.select.all(before, ...position) as PrunedRow[];
      for (const [, number, isKept] of rows) if (!isKept) table.remove.run(number);
      const last = rows.at(-1);
      position = last ? [last[0], last[1]] : [Number.MIN_SAFE_INTEGER, 0];
      if (!last) left.shift();
      return true;
    };
  };
}
