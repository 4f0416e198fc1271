import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest } from '../http-connection';
import { memoryMiB, startProduct, tenMillionReadings } from '../servers';

const POSTS = 50_000;
const CONNECTIONS = 32;
const SAMPLE_EVERY_MS = 20;
const TARGET = { atMost: 1.5 };

/** What the server needs at rest, after many posts, and while it hands out everything it has. */
export const memory: Measurement = {
  name: 'memory',
  async measure() {
    const empty = await startProduct();
    const atRest = await restingMemory(empty);
    await postMany(empty.url);
    const afterPosts = memoryMiB(empty.pid);
    await empty.stop();

    const full = await startProduct(tenMillionReadings());
    const fullAtRest = await restingMemory(full);
    const whileReading = await highestWhile(full.pid, () => readEverything(full.url));
    await full.stop();

    const figures: Figure[] = [
      { name: 'memory of the server at rest', unit: 'MiB', value: atRest },
      {
        name: `memory after ${POSTS} posts`,
        unit: 'MiB',
        value: afterPosts,
        baseline: atRest,
        target: TARGET,
      },
      {
        name: 'highest memory while all of 10,000,000 readings are read',
        unit: 'MiB',
        value: whileReading,
        baseline: fullAtRest,
        target: TARGET,
      },
    ];
    return figures;
  },
};

/** After every kind of answer has been given once. */
async function restingMemory({ url, pid }: { url: string; pid: number }): Promise<number> {
  for (const path of ['/', '/chart', '/postdata', '/api/data?limit=10', '/healthz']) {
    await (await fetch(url + path)).arrayBuffer();
  }
  return memoryMiB(pid);
}

async function postMany(url: string): Promise<void> {
  const request = postRequest({ co2: 415, voc: 120 });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await HttpConnection.open(url);
      for (let i = 0; i < POSTS / CONNECTIONS; i++) await connection.send(request);
      connection.close();
    }),
  );
}

async function readEverything(url: string): Promise<void> {
  const response = await fetch(`${url}/api/data`);
  for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>);
}

async function highestWhile(pid: number, work: () => Promise<void>): Promise<number> {
  let highest = 0;
  const timer = setInterval(() => {
    highest = Math.max(highest, memoryMiB(pid));
  }, SAMPLE_EVERY_MS);
  await work();
  clearInterval(timer);
  return highest;
}
