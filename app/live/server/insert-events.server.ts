import { type Reading, sensorOf } from '../../readings/reading';

/** Inserts as bytes of an event stream. */
interface Events {
  bytes: Uint8Array;
  newestId: number;
}

/** Returns a function that encodes the inserts of a sensor, or of all, once; null if there are none. */
export function eventsBySensor(inserted: readonly Reading[]): (sensor: string | undefined) => Events | null {
  const encoded = new Map<string | undefined, Events | null>();
  return (sensor) => {
    let events = encoded.get(sensor);
    if (events === undefined) {
      const selected =
        sensor === undefined ? inserted : inserted.filter((reading) => sensorOf(reading) === sensor);
      events = selected.length > 0 ? encodeInserts(selected) : null;
      encoded.set(sensor, events);
    }
    return events;
  };
}

/** Encodes readings as events: `id: 7`, `data: {"new": {…}}`. */
export function encodeInserts(readings: readonly Reading[]): Events {
  const text = readings
    .map((reading) => `${idField(reading.id)}data: ${JSON.stringify({ new: reading })}\n\n`)
    .join('');
  return { bytes: Buffer.from(text), newestId: Math.max(...readings.map(({ id }) => id)) };
}

/** Returns the field that a client resumes from. Without data it isn't an event. */
export function idField(id: number): string {
  return `id: ${id}\n`;
}
