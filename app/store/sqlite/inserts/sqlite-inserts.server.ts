import type Database from 'libsql';
import { at } from '../../../readings/at';
import { asPosted, type Corrector } from '../../../readings/correction';
import { METRICS, type MetricField } from '../../../readings/metric';
import { type ReadingInput, sensorOf } from '../../../readings/reading';
import { addReading, type RollUp } from '../../../readings/roll-up/roll-up';
import { slotOf } from '../../../readings/roll-up/slot';
import { utcDay } from '../../../readings/time/durations';
import { parseReadingTime } from '../../../readings/time/reading-time';
import { BATCH_READINGS, type InsertResult, REMOVED, ReadingRejectedError } from '../../reading-store';
import type { SqliteMetrics } from '../file/sqlite-metrics.server';
import { type Row, toReading } from '../reads/sqlite-reader.server';
import type { sqliteSensors } from '../reads/sqlite-sensors.server';
import type { sqliteDirtyDays } from '../roll-ups/sqlite-dirty-days.server';
import type { SqliteRawFrom } from '../roll-ups/sqlite-raw-removal.server';
import { fromRollUp } from '../roll-ups/sqlite-slots.server';
import {
  BEGIN_OWN_INSERTS,
  END_OWN_INSERTS,
  NOTE_DAY,
  upsertSlot,
} from '../schema/sqlite-roll-up-schema.server.js';

/** The most sensors whose last assigned time is kept in memory. */
const KEPT = 10_000;

/** The clock when a sensor was last assigned a time, and the next time to try, in microseconds since 1970. */
interface Given {
  clock: number;
  next: number;
}

/** A corrected reading with the key of its sensor, and its time in microseconds since 1970. */
interface Timed {
  input: ReadingInput;
  posted: ReadingInput;
  /** The column `raw`. */
  raw: string | null;
  sensor: number;
  time: number;
}

/**
 * The numbers of rows in the prepared statements. A call of libsql costs as much as several rows, so one statement
 * inserts many. Larger statements are no faster, and if the time of one row is taken, all rows of its statement are
 * stored one by one.
 */
const SIZES = [BATCH_READINGS / 4, 24, 4, 1] as const;

/**
 * Prepares the store's inserts. Every method is synchronous and throws libsql's errors.
 *
 * @param correctorOf returns the function that corrects a sensor's readings; undefined if it has no corrections
 */
export function sqliteInserts(
  database: Database.Database,
  metrics: SqliteMetrics,
  sensors: ReturnType<typeof sqliteSensors>,
  slotInserts: ReturnType<typeof sqliteSlotInserts>,
  correctorOf: (sensor: number) => Corrector | undefined,
  rawFrom: Pick<SqliteRawFrom, 'isMissing'>,
) {
  const statements = metrics.each((fields) =>
    SIZES.map((size) => ({
      size,
      insert: database.prepare(
        `insert into data (sensor, created_at, raw, ${fields}) values ${Array(size).fill(`(?, ?, ?, ${fields.map(() => '?')})`)}`,
      ),
    })),
  );
  const select = metrics.each((fields) =>
    database
      .prepare(`select id, sensor, created_at, ${fields}, raw from data where sensor = ? and created_at = ?`)
      .raw(),
  );
  const given = new Map<number, Given>();

  /**
   * Returns the ids of the new rows. Stores nothing and returns null if a sensor already has a reading at one of the
   * times. `on conflict do nothing` would use up an id, and pages treat a gap between ids as missed readings.
   */
  function tryInsert(rows: readonly Timed[]): number[] | null {
    const fields = metrics.fields();
    const { insert } = at(statements(), SIZES.indexOf(rows.length as (typeof SIZES)[number]));
    try {
      const values: (number | string | null)[] = [];
      for (const { sensor, time, raw, input } of rows) {
        values.push(sensor, time, raw);
        for (const field of fields) values.push(input[field] ?? null);
      }
      const { lastInsertRowid } = insert.run(values);
      slotInserts.add(rows);
      // `autoincrement` gives the rows of a statement ids without gaps.
      const first = Number(lastInsertRowid) - rows.length + 1;
      return rows.map((_, i) => first + i);
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
      return null;
    }
  }

  /** Returns a time that the sensor hasn't been assigned yet, as far as this process knows. */
  function nextTime(sensor: number, clock: number): number {
    const last = given.get(sensor);
    const time = last && last.clock <= clock ? Math.max(clock, last.next) : clock;
    keep(sensor, { clock, next: time + 1 });
    return time;
  }

  function keep(sensor: number, times: Given): void {
    if (given.size >= KEPT) given.clear();
    given.set(sensor, times);
  }

  function stored(id: number, { input, raw, sensor, time }: Timed): InsertResult {
    const fields = metrics.fields();
    const row: Row = [id, sensor, time, ...fields.map((field) => input[field] ?? null), raw];
    return { outcome: 'stored', reading: toReading(row, fields, sensorOf(input)) };
  }

  function store(rows: readonly Timed[], clock: number): InsertResult[] {
    const ids = tryInsert(rows);
    if (ids) return rows.map((row, i) => stored(ids[i] as number, row));
    return rows.map((row) => (row.input.created_at === undefined ? storeNow(row, clock) : storeAt(row)));
  }

  /** Stores a reading at its time if that is free, else at the next free time. */
  function storeNow(reading: Timed, clock: number): InsertResult {
    const { sensor, time } = reading;
    const next = given.get(sensor)?.next ?? time + 1;
    const free = [time, next].find((time) => !isTaken(sensor, time)) ?? findFree(sensor, next);
    keep(sensor, { clock, next: Math.max(next, free + 1) });
    const row = { ...reading, time: free };
    return stored((tryInsert([row]) as number[])[0] as number, row);
  }

  /**
   * Returns a free time after a taken one. Many times in a row may be taken, so the search doubles its steps and then
   * halves them, instead of trying each time.
   */
  function findFree(sensor: number, from: number): number {
    let taken = from;
    let free = from + 1;
    for (let step = 2; isTaken(sensor, free); step *= 2) {
      taken = free;
      free = from + step;
    }
    while (free - taken > 1) {
      const middle = Math.floor((taken + free) / 2);
      if (isTaken(sensor, middle)) taken = middle;
      else free = middle;
    }
    return free;
  }

  const isTaken = (sensor: number, time: number): boolean => select().all(sensor, time).length > 0;

  function storeAt(row: Timed): InsertResult {
    const { input, posted, sensor, time } = row;
    const [known] = select().all(sensor, time) as Row[];
    if (!known) return stored((tryInsert([row]) as number[])[0] as number, row);
    const reading = toReading(known, metrics.fields(), sensorOf(input));
    const isSame = (a: ReadingInput, b: ReadingInput) =>
      METRICS.every(({ field }) => (a[field] ?? null) === (b[field] ?? null));
    // A reading comes again as it was posted, or as it was exported.
    const isKnown = isSame(asPosted(reading), posted) || isSame(reading, posted);
    return { outcome: isKnown ? 'duplicate' : 'conflict', reading };
  }

  /**
   * Returns a reading with its sensor's key and its time, or an error if it can't be stored. Adds metrics that the file
   * doesn't have yet to `missing`.
   */
  function toTimed(
    input: ReadingInput,
    clock: number,
    missing: Set<MetricField>,
  ): Timed | ReadingRejectedError {
    const { created_at } = input;
    let isEmpty = true;
    for (const { field } of METRICS) {
      const value = input[field] ?? null;
      if (value === null) continue;
      if (!Number.isFinite(value))
        return new ReadingRejectedError(`${value} can't be stored: only finite numbers can.`);
      isEmpty = false;
      if (!metrics.fields().includes(field)) missing.add(field);
    }
    if (isEmpty) return new ReadingRejectedError('A reading needs a value.');
    const sent = created_at === undefined ? undefined : parseReadingTime(created_at);
    if (sent === null) {
      return new ReadingRejectedError(`"${created_at}" is not an ISO 8601 time with Z or an offset.`);
    }
    const sensor = sensors.ensure(sensorOf(input));
    if (sent !== undefined && rawFrom.isMissing(sensor, slotOf(sent / 1e6)) && !isTaken(sensor, sent))
      return new ReadingRejectedError(REMOVED);
    const isFormerName = sensors.knownId(sensorOf(input)) !== sensor;
    const named = isFormerName ? { ...input, sensor: sensors.knownName(sensor) } : input;
    const time = sent ?? nextTime(sensor, clock);
    const corrected = correctorOf(sensor)?.(named, time);
    if (!corrected?.raw) return { input: named, posted: named, raw: null, sensor, time };
    const shown = { ...named, ...corrected.values };
    return { input: shown, posted: named, raw: JSON.stringify(corrected.raw), sensor, time };
  }

  return {
    /** Stores all readings in one transaction, or none. Only invalid readings are rejected individually. */
    insertAll(inputs: readonly ReadingInput[]): (InsertResult | ReadingRejectedError)[] {
      database.exec('begin immediate');
      try {
        sensors.refresh();
        slotInserts.begin();
        const clock = Date.now() * 1000;
        const missing = new Set<MetricField>();
        const timed = inputs.map((input) => toTimed(input, clock, missing));
        if (missing.size > 0) metrics.add([...missing]);
        const rows = timed.filter(isTimed);
        const results: InsertResult[] = [];
        while (results.length < rows.length) {
          const left = rows.length - results.length;
          const size = SIZES.find((size) => size <= left) as number;
          results.push(...store(rows.slice(results.length, results.length + size), clock));
        }
        slotInserts.end();
        // If nothing is new, a rollback avoids a write.
        database.exec(slotInserts.isEmpty() ? 'rollback' : 'commit');
        if (missing.size > 0 && slotInserts.isEmpty()) metrics.refresh();
        let next = 0;
        return timed.map((row) => (isTimed(row) ? (results[next++] as InsertResult) : row));
      } catch (error) {
        if (database.inTransaction) database.exec('rollback');
        sensors.forget();
        metrics.refresh();
        given.clear();
        throw error;
      }
    },
  };
}

const isTimed = (row: Timed | ReadingRejectedError): row is Timed => !(row instanceof ReadingRejectedError);

interface ChangedSlot extends RollUp {
  sensor: number;
}

/** Adds the readings of a transaction of the store to the slots, with one statement for each slot. */
export function sqliteSlotInserts(
  database: Database.Database,
  metrics: SqliteMetrics,
  dirtyDays: Pick<ReturnType<typeof sqliteDirtyDays>, 'mark'>,
) {
  const begin = database.prepare(BEGIN_OWN_INSERTS);
  const end = database.prepare(END_OWN_INSERTS);
  const noteDay = database.prepare(NOTE_DAY);
  const upsert = metrics.each((fields) => database.prepare(upsertSlot(fields)));
  let slots = new Map<string, ChangedSlot>();
  let last: ChangedSlot | undefined;

  function slotFor(sensor: number, start: number): ChangedSlot {
    // The rows of a batch are mostly ordered by time.
    if (last?.start === start && last.sensor === sensor) return last;
    const key = `${sensor} ${start}`;
    last = slots.get(key) ?? { sensor, start, readings: 0, co2: null, voc: null };
    slots.set(key, last);
    return last;
  }

  return {
    /** Call it first in the transaction. The triggers then skip its rows, because `end` updates the slots. */
    begin(): void {
      slots = new Map();
      last = undefined;
      begin.run();
    },
    /** Adds stored rows to the slots in memory. */
    add(rows: readonly Timed[]): void {
      for (const { sensor, time, input } of rows) {
        addReading(slotFor(sensor, slotOf(time / 1e6)), input);
      }
    },
    isEmpty: (): boolean => slots.size === 0,
    /** Writes the slots. Call it last in the transaction. */
    end(): void {
      const fields = metrics.fields();
      const days = new Set<string>();
      for (const slot of slots.values()) {
        const { sensor, start } = slot;
        upsert().run(sensor, ...fromRollUp(slot, fields, false));
        dirtyDays.mark(sensor, start);
        const day = utcDay(start);
        if (days.size === days.add(`${sensor} ${day}`).size) continue;
        noteDay.run(day, sensor);
      }
      end.run();
    },
  };
}
