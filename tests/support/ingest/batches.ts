import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { conflictDetail } from '../../../app/ingest/store-batch.server';
import type { ReadingInput } from '../../../app/readings/reading';

/** The largest body of a batch, in bytes. */
export const BATCH_LIMIT = 2 * 1024 * 1024;

/** The formats of a batch: their `Content-Type`, and functions that write readings in them. */
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

interface Reading {
  sensor?: string;
  created_at: string;
  co2: unknown;
  voc: unknown;
}

/** Answers one request instead of the server. Returns false to leave it to the server. */
export type Fault = (response: ServerResponse, readings: Reading[]) => boolean;

/** A server in memory that accepts batches like `POST /api/data`, and fails on request. */
export interface BatchServer {
  url: string;
  stored: Map<string, Reading>;
  /** The sizes of the batches so far, including failed requests. */
  batches: number[];
  /** Answers the next requests, one each. */
  faults: Fault[];
  authorization(): string | undefined;
  stop(): Promise<void>;
}

/** Starts the server, on the given port if it is a restart. */
export async function startBatchServer(port = 0): Promise<BatchServer> {
  const stored = new Map<string, Reading>();
  const batches: number[] = [];
  const faults: Fault[] = [];
  let authorization: string | undefined;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    authorization = request.headers.authorization;
    const readings: Reading[] = JSON.parse(Buffer.concat(parts).toString());
    batches.push(readings.length);
    if (faults.shift()?.(response, readings)) return;
    answer(response, 201, store(stored, readings));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    batches,
    faults,
    authorization: () => authorization,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Stores the readings of a batch, and returns the report. */
export function store(stored: Map<string, Reading>, readings: Reading[]) {
  const counts = { stored: 0, duplicates: 0, refused: 0, errors: [] as unknown[] };
  for (const [item, reading] of readings.entries()) {
    const key = `${reading.created_at} ${reading.sensor ?? ''}`;
    if (typeof reading.co2 === 'string') {
      counts.refused += 1;
      counts.errors.push({ item, errors: [{ field: 'co2', detail: 'must be a number' }] });
    } else if (isOther(stored.get(key), reading)) {
      counts.refused += 1;
      counts.errors.push({ item, errors: [{ field: 'created_at', detail: CONFLICT }] });
    } else if (stored.has(key)) {
      counts.duplicates += 1;
    } else {
      stored.set(key, reading);
      counts.stored += 1;
    }
  }
  // The server lists at most a hundred.
  return { ...counts, errors: counts.errors.slice(0, 100) };
}

const CONFLICT = conflictDetail(
  { id: 1, created_at: '2026-01-31T00:00:00.000Z', co2: 400, voc: 100 },
  { co2: 900, voc: 100 },
  true,
);

function isOther(stored: Reading | undefined, sent: Reading): boolean {
  return stored !== undefined && (stored.co2 !== sent.co2 || stored.voc !== sent.voc);
}

export function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
