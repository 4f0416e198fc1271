import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'libsql';
import { SLOT_SECONDS } from '../../../readings/roll-up/slot';
import { DAY_S, DAY_US, MINUTE_MS } from '../../../readings/time/durations';
import type { RawRemoval } from '../../reading-store';
import type { ReadRows } from '../reads/sqlite-reader.server';
import { dayAt } from '../schema/sqlite-roll-up-schema.server.js';

/** The most readings that one transaction removes: about 5 ms of work. */
const TURN_READINGS = 250;
/** The most readings that one query selects, unless a minute has more. */
const PAGE_READINGS = 5000;
/** The shortest window that one query selects from, in microseconds. */
const LEAST_US = MINUTE_MS * 1000;
/** The wait while another program keeps the write-ahead log long. */
const PAUSE_MS = 1000;

export type SqliteRawFrom = ReturnType<typeof sqliteRawFrom>;

/**
 * The times before which only the slots of sensors are kept, except for some readings: the first one, the newest one and late ones.
 * Times are beginnings of UTC days, in seconds since 1970. Every method is synchronous and throws libsql's errors.
 */
export function sqliteRawFrom(database: Database.Database) {
  const select = database.prepare('select id, raw_from from sensors where raw_from is not null').raw();
  const update = database.prepare(
    'update sensors set raw_from = ? where id = ? and (raw_from is null or raw_from < ?)',
  );
  const selectMissing = database
    .prepare(
      `select readings > (select count(*) from data where data.sensor = slots.sensor
        and created_at >= start * 1000000 and created_at < (start + ${SLOT_SECONDS}) * 1000000)
      from slots where sensor = ? and start = ?`,
    )
    .pluck();
  let known: Map<number, number> | undefined;

  /** Returns the time of a sensor; `-Infinity` if all its readings are kept. */
  function of(key: number): number {
    known ??= new Map(select.all() as [number, number][]);
    return known.get(key) ?? Number.NEGATIVE_INFINITY;
  }

  return {
    of,
    /** Moves a sensor's time forward. Call `forget` right after the transaction. */
    advance(key: number, to: number): void {
      update.run(to, key, to);
    },
    /** Returns true if a slot counts readings that were removed. */
    isMissing: (key: number, slot: number): boolean =>
      slot < of(key) && (selectMissing.all(key, slot) as number[])[0] === 1,
    forget(): void {
      known = undefined;
    },
  };
}

const SELECT_KEYS =
  'select name, sensors.id from json_each(:names) as listed cross join sensors on name = listed.value';

/** A sensor's first and newest reading stay: they are its known times. `:upTo` is an id. */
const SELECT_IDS = `
  with listed as materialized (
    select value as key, (select min(created_at) from data where sensor = value) as first,
      (select max(created_at) from data where sensor = value) as last
    from json_each(:keys)
  )
  select data.id from listed cross join data on sensor = key
  where created_at >= :from and created_at < :to and created_at > first and created_at < last and data.id <= :upTo
  limit ${PAGE_READINGS + 1}`;

interface Parts {
  readRows: ReadRows;
  rawFrom: SqliteRawFrom;
  run: <T>(query: () => T | Promise<T>) => Promise<T>;
  /** Runs writes in a transaction. */
  write: (writes: () => void) => void;
  /** Returns true while another program prevents a complete checkpoint of the write-ahead log. */
  isLogLong: () => boolean;
  /** Called after readings were removed. */
  onRemoved: () => void;
}

/**
 * Returns the function that removes raw readings whose slots are kept, oldest days first. Readings of all sensors from the same hours
 * are removed together, because they lie on the same pages of the file, which new readings then use. Within these hours it goes sensor by
 * sensor, in the order of the index.
 */
export function sqliteRawRemoval(
  database: Database.Database,
  { readRows, rawFrom, run, write, isLogLong, onRemoved }: Parts,
): (removal: RawRemoval) => AsyncGenerator<number> {
  const selectNewestId = database.prepare('select coalesce(max(id), 0) from data').pluck();
  const selectMarks = database.prepare('select sensor, slots_from from stale_days where day = ?').raw();
  const remove = database.prepare('delete from data where id in (select value from json_each(?))');
  const unmark = database.prepare(
    `delete from stale_days where day = ? and slots_from is not null and sensor in (select value from json_each(?))`,
  );
  const keepMark = database.prepare(
    `update stale_days set slots_from = null where day = ? and sensor in (select value from json_each(?))`,
  );
  const forgetDay = database.prepare(
    `delete from sensor_days where day = :day and sensor in (select value from json_each(:keys)) and not exists (
      select 1 from data where data.sensor = sensor_days.sensor
        and created_at >= :day * 1000000 and created_at < (:day + ${DAY_S}) * 1000000)`,
  );
  const newestId = () => (selectNewestId.all() as number[])[0] as number;
  /** Readings that arrived after the last call stay, so that a device finishes its upload of old readings first. */
  let arrivedBefore = newestId();

  /** Removes readings of a day. Returns false if the slots of one of the sensors have to be computed first. */
  function removeRows(day: number, keys: readonly number[], ids: readonly number[]): boolean {
    const marks = selectMarks.all(day) as [sensor: number, slotsFrom: number | null][];
    const own = new Set(keys);
    const before = marks.filter(([sensor]) => own.has(sensor));
    if (before.some(([, slotsFrom]) => slotsFrom !== null)) return false;
    for (const key of keys) rawFrom.advance(key, day + DAY_S);
    remove.run(JSON.stringify(ids));
    // The trigger has marked the day as if its slots had to be computed again.
    keepMark.run(day, JSON.stringify(before.map(([sensor]) => sensor)));
    unmark.run(day, JSON.stringify(keys));
    return true;
  }

  /** Returns the chosen sensors with readings on a day whose slots are complete. Corrections in progress will change the slots. */
  async function keysOf(day: number, before: ReadonlyMap<number, number>): Promise<number[]> {
    const rows = await readRows<[key: number]>(
      `select sensor from sensor_days where day = :day and not exists (
        select 1 from stale_days where stale_days.sensor = sensor_days.sensor and stale_days.day = :day
          and slots_from is not null)
      and not exists (select 1 from uncorrected_spans where uncorrected_spans.sensor = sensor_days.sensor)`,
      { day },
    );
    return rows.map(([key]) => key).filter((key) => (before.get(key) ?? day) > day);
  }

  async function* removeDay(day: number, keys: readonly number[], upTo: number): AsyncGenerator<number> {
    const end = (day + DAY_S) * 1e6;
    let width = DAY_US;
    for (let from = day * 1e6; from < end; ) {
      const to = Math.min(from + width, end);
      const bound = { keys: JSON.stringify(keys), from, to, upTo };
      const rows = await readRows<[id: number]>(SELECT_IDS, bound);
      if (rows.length > PAGE_READINGS && width > LEAST_US) {
        width = Math.ceil(width / 2);
        continue;
      }
      const ids = rows.map(([id]) => id);
      for (let i = 0; i < ids.length; i += TURN_READINGS) {
        while (isLogLong()) await sleep(PAUSE_MS, undefined, { ref: false });
        const some = ids.slice(i, i + TURN_READINGS);
        let isRemoved = false;
        await run(() => {
          write(() => {
            isRemoved = removeRows(day, keys, some);
          });
          // Before any other insert, which asks for the time.
          if (isRemoved) onRemoved();
        });
        if (!isRemoved) return;
        yield some.length;
      }
      // A full page may not have been all.
      if (rows.length > PAGE_READINGS) continue;
      from = to;
      if (rows.length < PAGE_READINGS / 4) width = Math.min(DAY_US, width * 2);
    }
    await run(() => write(() => forgetDay.run({ day, keys: JSON.stringify(keys) })));
  }

  return async function* ({ before }) {
    const upTo = arrivedBefore;
    arrivedBefore = await run(newestId);
    const names = JSON.stringify([...before.keys()]);
    const keys = await readRows<[name: string, key: number]>(SELECT_KEYS, { names });
    const ends = new Map(keys.map(([name, key]) => [key, before.get(name) as number]));
    const last = Math.max(...ends.values());
    // Readings that can be brought back would change the slots.
    const aside = await readRows<[day: number]>(`select distinct ${dayAt('created_at')} from deleted_data`);
    const waiting = new Set(aside.map(([day]) => day));
    for (let day = Number.MIN_SAFE_INTEGER; ; day += 1) {
      const bound = { day, last };
      const [[next] = []] = await readRows<[number | null]>(
        'select min(day) from sensor_days where day >= :day and day < :last',
        bound,
      );
      if (next === undefined || next === null) return;
      day = next;
      const chosen = waiting.has(day) ? [] : await keysOf(day, ends);
      if (chosen.length > 0) yield* removeDay(day, chosen, upTo);
    }
  };
}
