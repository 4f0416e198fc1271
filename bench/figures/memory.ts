import type { RunningServer } from '../../tests/support/server/server';
import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest, postText } from '../http-connection';
import { memoryMiB, startProduct, tenMillionReadings } from '../servers';
import { median } from '../statistics';

const POSTS = 50_000;
const CONNECTIONS = 32;
const IMPORTED = 10_000_000;
const BATCH = 10_000;
const SAMPLE_EVERY_MS = 20;
const ROUNDS = 5;
const TARGET = { atMost: 1.5 };

/** Measures the server's memory after many posts and while it sends or imports ten million readings, against that at rest. */
export const memory: Measurement = {
  name: 'memory',
  async measure() {
    const posted: Memory[] = [];
    const read: Memory[] = [];
    const exported: Memory[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      posted.push(await memoryOf(await startProduct(), afterPosts));
      read.push(await memoryOf(await startProduct(await tenMillionReadings()), highestWhileReading('')));
      exported.push(
        await memoryOf(await startProduct(await tenMillionReadings()), highestWhileReading('?format=csv')),
      );
    }
    // Only one round, because it takes minutes.
    const imported = await memoryOf(await startProduct(), highestWhileImporting);
    const medianOf = (rounds: Memory[], state: keyof Memory) => median(rounds.map((round) => round[state]));
    const figures: Figure[] = [
      {
        name: `memory after ${POSTS} posts`,
        unit: 'MiB',
        value: medianOf(posted, 'loaded'),
        baseline: medianOf(posted, 'atRest'),
        target: TARGET,
      },
      {
        name: 'highest memory while all of 10,000,000 readings are read',
        unit: 'MiB',
        value: medianOf(read, 'loaded'),
        baseline: medianOf(read, 'atRest'),
        target: TARGET,
      },
      {
        name: 'highest memory while 10,000,000 readings are exported as CSV',
        unit: 'MiB',
        value: medianOf(exported, 'loaded'),
        baseline: medianOf(exported, 'atRest'),
        target: TARGET,
      },
      {
        name: 'highest memory while 10,000,000 readings are imported as NDJSON',
        unit: 'MiB',
        value: imported.loaded,
        baseline: imported.atRest,
        target: TARGET,
      },
    ];
    return figures;
  },
};

interface Memory {
  atRest: number;
  loaded: number;
}

async function memoryOf(
  server: RunningServer,
  load: (server: RunningServer) => Promise<number>,
): Promise<Memory> {
  const atRest = await restingMemory(server);
  const loaded = await load(server);
  await server.stop();
  return { atRest, loaded };
}

/** Returns the memory of a server that has answered one request of each kind. */
async function restingMemory({ url, pid }: RunningServer): Promise<number> {
  for (const path of ['/', '/chart', '/postdata', '/api/data?limit=10', '/healthz']) {
    await (await fetch(url + path)).arrayBuffer();
  }
  return memoryMiB(pid);
}

async function afterPosts({ url, pid }: RunningServer): Promise<number> {
  const request = postRequest({ co2: 415, voc: 120 });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await HttpConnection.open(url);
      for (let i = 0; i < POSTS / CONNECTIONS; i++) await connection.send(request);
      connection.close();
    }),
  );
  return memoryMiB(pid);
}

const highestWhileReading =
  (query: string) =>
  ({ url, pid }: RunningServer): Promise<number> =>
    highestDuring(pid, async () => {
      const response = await fetch(`${url}/api/data${query}`);
      for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>);
    });

/** Returns the highest memory during an import of readings a second apart, in batches. */
const highestWhileImporting = ({ url, pid }: RunningServer): Promise<number> =>
  highestDuring(pid, async () => {
    const connection = await HttpConnection.open(url);
    for (let from = 0; from < IMPORTED; from += BATCH) {
      const lines = Array.from({ length: Math.min(BATCH, IMPORTED - from) }, (_, i) => {
        const created_at = new Date(FIRST_MS + (from + i) * 1000).toISOString();
        return `{"co2":${400 + (i % 600)},"voc":${i % 300},"created_at":"${created_at}"}\n`;
      });
      const { status } = await connection.send(postText('application/x-ndjson', lines.join('')));
      if (status !== 201) throw new Error(`a batch was answered with ${status}`);
    }
    connection.close();
  });

const FIRST_MS = Date.UTC(2001, 0);

async function highestDuring(pid: number, work: () => Promise<void>): Promise<number> {
  let highest = 0;
  const timer = setInterval(() => {
    highest = Math.max(highest, memoryMiB(pid));
  }, SAMPLE_EVERY_MS);
  await work();
  clearInterval(timer);
  return highest;
}
