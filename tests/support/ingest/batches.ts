import type { ReadingInput } from '../../../app/readings/reading';

/** The largest body of a batch, in bytes. */
export const BATCH_LIMIT = 8 * 1024 * 1024;

/** The formats of a batch: their `Content-Type`, and how readings are written in them. */
export const BATCH_FORMATS: Record<
  string,
  { type: string; write(readings: readonly ReadingInput[]): string }
> = {
  'a JSON array': { type: 'application/json', write: (readings) => JSON.stringify(readings) },
  NDJSON: {
    type: 'application/x-ndjson',
    write: (readings) => readings.map((reading) => `${JSON.stringify(reading)}\n`).join(''),
  },
  CSV: {
    type: 'text/csv',
    write: (readings) =>
      `created_at,sensor,co2,voc\r\n${readings
        .map(
          ({ created_at = '', sensor = '', co2, voc }) =>
            `${created_at},${sensor},${co2 ?? ''},${voc ?? ''}\r\n`,
        )
        .join('')}`,
  },
};

/** Returns readings of a sensor, a second apart. `co2` counts them. */
export function readingsOf(
  sensor: string | undefined,
  count: number,
  startMs = Date.UTC(2026, 0),
): ReadingInput[] {
  return Array.from({ length: count }, (_, i) => ({
    co2: i,
    voc: i % 7 === 0 ? null : i % 500,
    created_at: new Date(startMs + i * 1000).toISOString(),
    ...(sensor === undefined ? {} : { sensor }),
  }));
}

/** Posts a body. */
export function postBody(
  url: string,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/api/data`, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });
}
