import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'libsql';
import { formatReadingTime } from '../../readings/time/reading-time';
import {
  type Deletion,
  type DeletionQuery,
  type DeletionStore,
  MAX_DELETIONS,
  type RestoreOutcome,
} from '../deletion-store';
import type { SqliteMetrics } from './file/sqlite-metrics.server';
import type { sqliteReads } from './reads/sqlite-reads.server';
import type { sqliteSensors } from './reads/sqlite-sensors.server';
import { removeSensor } from './schema/sqlite-settings-schema.server.js';
import { toMicros } from './schema/sqlite-times.server';

/** Readings per transaction, which blocks the event loop. */
const TURN_READINGS = 250;

/** Bounds before and after any reading's time, in microseconds. */
const [EARLIEST, LATEST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** A former name stands for its sensor. Parameters: the sensor's name, and the time. */
const SELECT_KEPT = `
select deletions.id, count(*), min(created_at), max(created_at), until
from deletions join deleted_data on deletion = key
where until > ?2 and (deletions.sensor = ?1 or deletions.sensor in (
  select sensor_aliases.name from sensor_aliases join sensors on sensors.id = sensor where sensors.name = ?1
))
group by key order by key desc limit ${MAX_DELETIONS}`;

interface Parts extends Pick<ReturnType<typeof sqliteReads>, 'run' | 'readRows'> {
  sensors: ReturnType<typeof sqliteSensors>;
  metrics: SqliteMetrics;
  /** Runs writes in a transaction that is durable when it returns. */
  write: (writes: () => void) => void;
  isCorrected: (sensor: number) => boolean;
  /** Marks all readings of a sensor, whose corrections are then applied again. Call it in a transaction. */
  correctAgain: (sensor: number) => void;
  /** Called after each transaction that changes readings. */
  onChange: () => void;
  /** Called after the last one. */
  onEnd: () => void;
}

/** Keeps deleted readings in the readings' file. Triggers mark the days of changed readings, whose history is computed again. */
export function sqliteDeletions(
  database: Database.Database,
  { run, readRows, sensors, metrics, write, isCorrected, correctAgain, onChange, onEnd }: Parts,
): DeletionStore {
  const first = <T>(sql: string, ...bound: (string | number)[]) =>
    (database.prepare(sql).pluck().all(bound) as T[])[0];
  const change = (sql: string, ...bound: (string | number)[]) => database.prepare(sql).run(bound).changes;
  const hasRows = (table: 'data' | 'notes', key: number) =>
    first<number>(`select exists (select 1 from ${table} where sensor = ?)`, key) === 1;
  const keyOf = (sensor: string) => first<number>('select id from sensors where name = ?', sensor);
  const now = () => Date.now() * 1000;

  /** Runs `step` in transactions, and other requests in between, until it returns less than `TURN_READINGS`. Returns the total. */
  async function inSteps(step: () => number): Promise<number> {
    let total = 0;
    for (;;) {
      const changed = await run(() => {
        let count = 0;
        write(() => {
          count = step();
        });
        onChange();
        return count;
      });
      total += changed;
      if (changed < TURN_READINGS) return total;
      await nextTurn();
    }
  }

  /** Returns a function that moves the next readings aside. */
  function mover({ from, to, id }: DeletionQuery, sensor: number, begin: () => number) {
    const [chosen, bound] =
      id === undefined
        ? [
            'created_at >= ? and created_at < ?',
            [from === undefined ? EARLIEST : toMicros(from), to === undefined ? LATEST : toMicros(to)],
          ]
        : ['id = ?', [id]];
    const select = database
      .prepare(
        `select id from data where sensor = ? and ${chosen} order by created_at limit ${TURN_READINGS}`,
      )
      .pluck();
    return () => {
      const ids = JSON.stringify(select.all([sensor, ...bound]));
      if (ids === '[]') return 0;
      const columns = `id, created_at, raw, ${metrics.fields()}`;
      const isListed = 'id in (select value from json_each(?))';
      change(
        `insert into deleted_data (deletion, ${columns}) select ?, ${columns} from data where ${isListed}`,
        begin(),
        ids,
      );
      return change(`delete from data where ${isListed}`, ids);
    };
  }

  /** Returns the number of readings that were brought back, of at most `TURN_READINGS`. */
  function bringBack(deletion: number, sensor: string): number {
    sensors.refresh();
    const key = sensors.ensure(sensor);
    const ids = database
      .prepare(
        `select id from deleted_data where deletion = ? and not exists (
          select 1 from data where data.sensor = ? and data.created_at = deleted_data.created_at
        ) order by id limit ${TURN_READINGS}`,
      )
      .pluck()
      .all([deletion, key]);
    const columns = `id, created_at, raw, ${metrics.fields()}`;
    const isListed = 'deletion = ? and id in (select value from json_each(?))';
    const bound = [deletion, JSON.stringify(ids)] as const;
    // The corrections may have changed meanwhile.
    const hasRaw = first(
      'select 1 from deleted_data where deletion = ? and raw is not null limit 1',
      deletion,
    );
    if (hasRaw || isCorrected(key)) correctAgain(key);
    change(
      `insert into data (sensor, ${columns}) select ?, ${columns} from deleted_data where ${isListed}`,
      key,
      ...bound,
    );
    return change(`delete from deleted_data where ${isListed}`, ...bound);
  }

  async function restore(id: string): Promise<RestoreOutcome> {
    const known = await run(
      () =>
        (
          database.prepare('select key, sensor, until from deletions where id = ?').all(id) as {
            key: number;
            sensor: string;
            until: number;
          }[]
        )[0],
    );
    if (!known) return { outcome: 'unknown' };
    if (known.until <= now()) return { outcome: 'expired' };
    const { key } = known;
    try {
      const restored = await inSteps(() => bringBack(key, known.sensor));
      const [sensor, conflicts] = await run(() => {
        const left = first<number>('select count(*) from deleted_data where deletion = ?', key) ?? 0;
        if (left === 0) write(() => change('delete from deletions where key = ?', key));
        return [sensors.knownName(sensors.ensure(known.sensor)) ?? known.sensor, left] as const;
      });
      return { outcome: 'restored', sensor, restored, conflicts };
    } catch (error) {
      sensors.forget();
      throw error;
    } finally {
      onEnd();
    }
  }

  async function giveUp(): Promise<void> {
    const isOver = 'until <= ? and exists (select 1 from deleted_data where deletion = key)';
    for (;;) {
      const [known] = await readRows<[key: number, sensor: string]>(
        `select key, sensor from deletions where ${isOver} limit 1`,
        now(),
      );
      if (!known) return;
      const [key, name] = known;
      await inSteps(() =>
        change(
          `delete from deleted_data where deletion = ?1 and id in (
            select id from deleted_data where deletion = ?1 order by id limit ${TURN_READINGS}
          )`,
          key,
        ),
      );
      const kept = await readRows(SELECT_KEPT, name, now());
      const sensor = await run(() => keyOf(name));
      if (kept.length > 0 || sensor === undefined) continue;
      await run(() => {
        if (hasRows('data', sensor) || hasRows('notes', sensor)) return;
        write(() => removeSensor(database, sensor, name));
        onChange();
      });
    }
  }

  return {
    async remove(deletion) {
      const { restore, sensor, until } = deletion;
      const key = await run(() => keyOf(sensor));
      if (key === undefined || !(await run(() => hasRows('data', key)))) return null;
      const deletionKey = () => {
        change(
          'insert into deletions (id, sensor, until) values (?, ?, ?) on conflict do nothing',
          restore,
          sensor,
          toMicros(until),
        );
        return first<number>('select key from deletions where id = ?', restore) as number;
      };
      try {
        const deleted = await inSteps(mover(deletion, key, deletionKey));
        // A sensor without readings isn't watched.
        await run(() => {
          if (!hasRows('data', key))
            write(() => change('delete from alert_sensors where sensor = ?', sensor));
        });
        return deleted;
      } finally {
        onEnd();
      }
    },
    restore,
    async list(sensor) {
      type Row = [id: string, deleted: number, first: number, last: number, until: number];
      const rows = await readRows<Row>(SELECT_KEPT, sensor, now());
      return rows.map(
        ([restore, deleted, first, last, until]): Deletion => ({
          restore,
          deleted,
          from: formatReadingTime(first),
          to: formatReadingTime(last),
          until: formatReadingTime(until),
        }),
      );
    },
    giveUp,
  };
}
