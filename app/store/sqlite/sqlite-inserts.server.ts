import type Database from 'libsql';
import { type Reading, type ReadingInput, sensorOf } from '../../readings/reading';
import { formatReadingTime, parseReadingTime } from '../../readings/reading-time';
import { type InsertResult, ReadingRejectedError } from '../reading-store';
import { type Row, toReading } from './sqlite-rows.server';
import type { sqliteSensors } from './sqlite-sensors.server';

/** Sensors whose last given time is kept in memory. */
const KEPT = 10_000;

/** The time that the clock had when a sensor was given its last time, and the next one to try, in microseconds. */
interface Given {
  clock: number;
  next: number;
}

/** Prepares the inserts of the store. Every method is synchronous and throws libsql's errors. */
export function sqliteInserts(database: Database.Database, sensors: ReturnType<typeof sqliteSensors>) {
  const insert = database.prepare('insert into data (sensor, created_at, co2, voc) values (?, ?, ?, ?)');
  const select = database
    .prepare('select id, sensor, created_at, co2, voc from data where sensor = ? and created_at = ?')
    .raw();
  const given = new Map<number, Given>();

  /** Returns the id of the new row, or null if the sensor has a reading of that time. */
  function tryInsert(sensor: number, time: number, { co2, voc }: ReadingInput): number | null {
    try {
      return Number(insert.run(sensor, time, co2, voc).lastInsertRowid);
    } catch (error) {
      // `on conflict do nothing` would use up an id, and pages take a gap between ids for a reading they missed.
      if ((error as { code?: string }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
      return null;
    }
  }

  function stored(id: number, time: number, { co2, voc, sensor }: ReadingInput): InsertResult {
    const reading: Reading = { id, co2, voc, created_at: formatReadingTime(time) };
    if (sensor) reading.sensor = sensor;
    return { outcome: 'stored', reading };
  }

  /** Stores a reading at the sensor's next free time. Steps that double keep the search short. */
  function insertNow(sensor: number, clock: number, input: ReadingInput): InsertResult {
    const last = given.get(sensor);
    let time = last && last.clock <= clock ? Math.max(clock, last.next) : clock;
    for (let step = 1; ; step *= 2) {
      const id = tryInsert(sensor, time, input);
      if (id !== null) {
        if (given.size >= KEPT) given.clear();
        given.set(sensor, { clock, next: time + 1 });
        return stored(id, time, input);
      }
      time += step;
    }
  }

  function insertAt(sensor: number, time: number, input: ReadingInput): InsertResult {
    const id = tryInsert(sensor, time, input);
    if (id !== null) return stored(id, time, input);
    const [row] = select.all(sensor, time) as Row[];
    const reading = toReading(row as Row, sensorOf(input));
    // Zero and minus zero are the same value, and the same reading.
    const isSame = reading.co2 === input.co2 && reading.voc === input.voc;
    return { outcome: isSame ? 'duplicate' : 'conflict', reading };
  }

  return {
    /** Stores all readings or none, in one transaction, except those that are rejected one by one. */
    insertAll(inputs: readonly ReadingInput[]): (InsertResult | ReadingRejectedError)[] {
      database.exec('begin immediate');
      try {
        sensors.refresh();
        const clock = Date.now() * 1000;
        const results = inputs.map((input) => {
          const rejection = reject(input);
          if (rejection) return rejection;
          const sensor = sensors.ensure(sensorOf(input));
          if (input.created_at === undefined) return insertNow(sensor, clock, input);
          return insertAt(sensor, parseReadingTime(input.created_at) as number, input);
        });
        database.exec('commit');
        return results;
      } catch (error) {
        if (database.inTransaction) database.exec('rollback');
        sensors.forget();
        given.clear();
        throw error;
      }
    },
  };
}

function reject({ co2, voc, created_at }: ReadingInput): ReadingRejectedError | null {
  if (co2 === null && voc === null) return new ReadingRejectedError('A reading needs co2 or voc.');
  for (const value of [co2, voc]) {
    if (value !== null && !Number.isFinite(value)) {
      return new ReadingRejectedError(`${value} can't be stored: only finite numbers can.`);
    }
  }
  if (created_at !== undefined && parseReadingTime(created_at) === null) {
    return new ReadingRejectedError(`"${created_at}" is not an ISO 8601 time with Z or an offset.`);
  }
  return null;
}
