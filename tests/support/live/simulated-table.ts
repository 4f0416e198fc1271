import type { InitialReadings } from '../../../app/live/initial-readings';
import { newestFirst } from '../../../app/readings/known-sensors';
import { compareReadings, type Reading, type SensorSummary, sensorOf } from '../../../app/readings/reading';
import { sensorWith } from '../readings/readings';

/** A table of readings that answers like the API, by the test's clock. */
export class SimulatedTable {
  readonly rows: Reading[] = [];

  /** Stores a reading that its sensor measured `lateMs` ago. */
  insert(sensor: string, lateMs = 0): Reading {
    const id = this.rows.length + 1;
    const created_at = new Date(Date.now() - lateMs).toISOString();
    const reading = { id, co2: 400 + (id % 100), voc: 100, created_at, ...(sensor && { sensor }) };
    this.rows.push(reading);
    return reading;
  }

  /** Returns the newest readings, oldest first; with `after`, those with the highest ids. */
  newest(limit: number, { after, sensor }: { after?: number; sensor?: string } = {}): Reading[] {
    const found = this.rows.filter(
      (row) => row.id > (after ?? 0) && (sensor === undefined || sensorOf(row) === sensor),
    );
    const ordered = after === undefined ? found.sort(compareReadings) : found;
    return ordered.slice(-limit).sort(compareReadings);
  }

  sensors(): SensorSummary[] {
    const names = new Set(this.rows.map(sensorOf));
    const summaries = [...names].flatMap((sensor) =>
      sensorWith(this.newest(Number.POSITIVE_INFINITY, { sensor })),
    );
    return newestFirst(summaries, '');
  }

  /** Returns the answer to a request for `/api/data` or `/api/sensors`. */
  answer(address: string): unknown {
    const { pathname, searchParams } = new URL(address, 'http://airboard');
    if (pathname === '/api/sensors') return this.sensors();
    const after = searchParams.get('after');
    return this.newest(Number(searchParams.get('limit')), {
      after: after === null ? undefined : Number(after),
      sensor: searchParams.get('sensor') ?? undefined,
    });
  }

  /** Returns the initial data of a page of this sensor. */
  initial(sensor: string, capacity: number): InitialReadings {
    return {
      sensor,
      isChosen: true,
      sensors: this.sensors(),
      readings: this.newest(Math.min(capacity, 40), { sensor }),
      count: this.newest(capacity, { sensor }).length,
      newestId: this.rows.length,
      serverTime: Date.now(),
    };
  }
}
