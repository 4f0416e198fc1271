import type Database from 'libsql';
import { boundsOf } from '../../../readings/level/level';
import {
  METRICS,
  type Metric,
  type MetricField,
  type Threshold,
  type Thresholds,
} from '../../../readings/metric';
import { groupPage } from '../../../readings/roll-up/roll-up';
import { LONGEST_SECONDS, levelSlots } from '../../../readings/roll-up/slot';
import { DAY_S, HOUR_S, utcDay } from '../../../readings/time/durations';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import { levelledTotals } from '../schema/sqlite-roll-up-schema.server.js';
import type { SqliteRawFrom } from './sqlite-raw-removal.server';
import { fromRollUp, type sqliteSlots } from './sqlite-slots.server';

/** The stored steps, in seconds. Local days begin at multiples of a quarter of an hour in every time zone. */
export const KEPT_STEPS = [DAY_S, HOUR_S, 900] as const;

/** A UTC day of a sensor, in seconds since 1970. */
export interface Day {
  sensor: number;
  day: number;
}

/** A day whose slots from `slotsFrom` on must be computed from the readings. */
export interface UnbuiltDay extends Day {
  slotsFrom: number;
}

/** A day counts as over this long after its end, because readings take some time to arrive. */
const SETTLED_SECONDS = 7200;

/** Returns true if a day has ended by this computer's clock, so that only late readings can change it. */
export const isOver = (day: number): boolean => lastDayOver() >= day;

/** Returns the last day for which `isOver` is true. */
export const lastDayOver = (): number => utcDay(Date.now() / 1000 - SETTLED_SECONDS) - DAY_S;

/**
 * Marks the days whose roll-ups differ from the slots, and computes their roll-ups again. Every method is synchronous and
 * throws libsql's errors.
 */
export function sqliteDirtyDays(
  database: Database.Database,
  metrics: SqliteMetrics,
  slots: ReturnType<typeof sqliteSlots>,
  rawFrom: SqliteRawFrom,
) {
  const mark = database.prepare('insert into stale_days (sensor, day) values (?, ?) on conflict do nothing');
  const unmark = database.prepare('delete from stale_days where sensor = ? and day = ?');
  const setSlotsFrom = database.prepare('update stale_days set slots_from = ? where sensor = ? and day = ?');
  const selectDay = database
    .prepare('select day from stale_days where sensor = ? and day >= ? and day < ? order by day limit 1')
    .pluck();
  const selectUnbuilt = database.prepare(
    `select sensor, day, slots_from as slotsFrom from stale_days
    where sensor = ? and day >= ? and day < ? and slots_from is not null order by day limit 1`,
  );
  const countUnbuilt = database
    .prepare('select count(*) from stale_days where slots_from is not null')
    .pluck();
  const selectNewestUnbuilt = database.prepare(
    `select sensor, day, slots_from as slotsFrom from stale_days where slots_from is not null
    order by day desc limit 1`,
  );
  const selectNewest = database.prepare(
    'select sensor, day from stale_days where day <= ? order by day desc limit ?',
  );
  const remove = database.prepare(
    'delete from roll_ups where sensor = ? and step = ? and start >= ? and start < ?',
  );
  const insert = metrics.each((fields) => {
    const columns = `sensor, step, start, readings, ${levelledTotals(fields)}`;
    return database.prepare(
      `insert into roll_ups (${columns}) values (${Array(columns.split(',').length).fill('?')})`,
    );
  });

  let pastMarks = 0;

  function markAround(sensor: number, start: number): void {
    // A slot may change how much time the slots around it count.
    const first = utcDay(start - LONGEST_SECONDS);
    for (let day = first; day <= start + LONGEST_SECONDS; day += DAY_S) {
      if (mark.run(sensor, day).changes > 0 && isOver(day)) pastMarks += 1;
    }
  }

  return {
    /** Marks the days whose roll-ups depend on a slot. */
    mark: markAround,

    /** Returns the number of times that past days were marked since the start. */
    pastMarks: () => pastMarks,

    /** Returns the first dirty day that begins at or after `from` and before `to`. */
    first: (sensor: number, from: number, to: number) => (selectDay.all(sensor, from, to) as number[])[0],

    /** Like `first`, but returns the first day whose slots must be computed. */
    firstUnbuilt: (sensor: number, from: number, to: number) =>
      (selectUnbuilt.all(sensor, from, to) as UnbuiltDay[])[0],

    countUnbuilt: () => (countUnbuilt.all() as number[])[0] as number,

    newestUnbuilt: () => (selectNewestUnbuilt.all() as UnbuiltDay[])[0],

    /** Returns the newest dirty days up to `upTo`, at most `limit`. */
    newest: (upTo: number, limit: number) => selectNewest.all(upTo, limit) as Day[],

    /** Computes as many slots of a day as one event-loop turn allows. Call it in a transaction. */
    build({ sensor, day, slotsFrom }: UnbuiltDay): void {
      const dayEnd = day + DAY_S;
      const isRemoved = day < rawFrom.of(sensor);
      const end = isRemoved ? slots.complete(sensor, day, dayEnd) : slots.compute(sensor, slotsFrom, dayEnd);
      if (end < dayEnd) {
        if (end > slotsFrom) setSlotsFrom.run(end, sensor, day);
        return;
      }
      setSlotsFrom.run(null, sensor, day);
      for (const neighbour of [day - DAY_S, dayEnd]) mark.run(sensor, neighbour);
    },

    /** Computes a day's roll-ups from its slots. Call it in a transaction. */
    refresh({ sensor, day }: Day, thresholds: Thresholds): void {
      const end = day + DAY_S;
      const found = slots.around(sensor, day, end).slots;
      levelSlots(found, thresholds);
      const own = found.filter(({ start }) => start >= day && start < end);
      for (const step of KEPT_STEPS) {
        remove.run(sensor, step, day, end);
        for (const rollUp of groupPage(own, { step })) {
          insert().run(sensor, step, ...fromRollUp(rollUp, metrics.fields(), true));
        }
      }
      unmark.run(sensor, day);
    },
  };
}

/**
 * Stores the thresholds with which a file's roll-ups are computed. If a threshold changes, all days become dirty.
 *
 * @param limits the thresholds of this process
 * @param ofSensor returns those of a sensor, which has its own. Their changes make the days of the sensor dirty
 *   (sqlite-settings.server.ts).
 * @param write runs writes in a transaction
 */
export function sqliteLevelLimits(
  database: Database.Database,
  limits: Thresholds,
  ofSensor: (key: number) => Thresholds,
  write: (writes: () => void) => void,
) {
  const select = database
    .prepare('select metric, good, moderate from level_thresholds order by metric')
    .raw();
  const insert = database.prepare('insert into level_thresholds values (?, ?, ?)');
  const rows = METRICS.flatMap(({ field }): [MetricField, number, number][] => {
    const threshold: Threshold | undefined = limits[field];
    return threshold ? [[field, threshold.good, threshold.moderate]] : [];
  }).sort(([a], [b]) => (a < b ? -1 : 1));
  let isSet = false;

  /** Stores this process's thresholds, so that roll-ups are computed with them from now on. */
  function set(): void {
    if (isSet) return;
    const known = select.all() as [string, number, number][];
    const isChanged = ([field, ...limits]: (typeof rows)[number]) =>
      known.some(([each, ...before]) => each === field && `${before}` !== `${limits}`);
    if (JSON.stringify(known) !== JSON.stringify(rows)) {
      write(() => {
        if (known.length === 0 || rows.some(isChanged)) {
          database.exec(`insert into stale_days (sensor, day) select sensor, start from roll_ups where step = 86400
            on conflict do nothing`);
        }
        database.exec('delete from level_thresholds');
        for (const row of rows) insert.run(...row);
      });
    }
    isSet = true;
  }

  return {
    ofSensor,
    set,
    /** Returns true if a sensor's roll-ups are computed with these thresholds. */
    isKeptFor(sensor: number, thresholds: Thresholds): boolean {
      const kept = ofSensor(sensor);
      const textOf = (metric: Metric, of: Thresholds) => Object.values(boundsOf(metric, of)).join();
      if (METRICS.some((metric) => textOf(metric, thresholds) !== textOf(metric, kept))) return false;
      try {
        set();
      } catch {
        // The disk may be full, or another program may have the lock.
      }
      return isSet;
    },
  };
}
