import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { RunningServer } from '../../tests/support/server/server';
import { temporaryFolder } from '../../tests/support/server/server';
import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest, postText } from '../http-connection';
import { startProduct } from '../servers';
import { interleave, medians, percentile } from '../statistics';

const CONNECTIONS = 4;
const BATCH = 1000;
/** The number of batches in a throughput round. */
const BATCHES = 100;
/** The number of batches that are prepared before single posts are timed. */
const PREPARED = 500;
const ROUNDS = 3;
const SINGLE_POSTS = 1500;
const SINGLE = postRequest({ co2: 415, voc: 120 });

/** For each format, a function that writes a batch of readings, a second apart. */
const FORMATS = {
  'JSON arrays of 1,000': (startMs: number) =>
    postRequest(rows(startMs).map(([created_at, co2, voc]) => ({ co2, voc, created_at }))),
  'CSV of 1,000': (startMs: number) =>
    postText('text/csv', `created_at,co2,voc\n${rows(startMs).join('\n')}\n`),
};

/** Measures the rate of durable batches, and the latency of single posts at the same time. */
export const batches: Measurement = {
  name: 'batches',
  async measure() {
    const product = await startProduct();
    const baselineFile = join(temporaryFolder(), 'baseline.db');
    const figures: Figure[] = [];
    for (const [name, write] of Object.entries(FORMATS)) {
      const value = () => postBatches(product, write);
      const baseline = async () => insertRows(baselineFile);
      await value();
      const rates = medians(await interleave(value, baseline, ROUNDS), (rate) => rate);
      const target = { atLeast: name.startsWith('JSON') ? 0.5 : 0.4 };
      figures.push({ name: `durable readings a second by ${name}`, unit: '/s', ...rates, target });
    }
    const alone = () => singlePosts(product.url);
    const loaded = async () => {
      const stop = keepPosting(product);
      const p99 = await singlePosts(product.url);
      await stop();
      return p99;
    };
    const latencies = medians(await interleave(loaded, alone, ROUNDS), (p99) => p99);
    figures.push({
      name: 'post latency p99 during batches, against alone',
      unit: 'ms',
      ...latencies,
      target: { atMost: 3 },
    });
    await product.stop();
    return figures;
  },
};

let nextMs = Date.UTC(2001, 0);

/** Reserves unique times for `count` readings, and returns the first. */
function nextStart(count: number): number {
  nextMs += count * 1000;
  return nextMs - count * 1000;
}

function rows(startMs: number): [createdAt: string, co2: number, voc: number][] {
  return Array.from({ length: BATCH }, (_, i) => [
    new Date(startMs + i * 1000).toISOString(),
    400 + (i % 1000),
    i % 500,
  ]);
}

/** Posts batches over several connections. Returns the readings per second. */
async function postBatches({ url }: RunningServer, write: (startMs: number) => Buffer): Promise<number> {
  const requests = Array.from({ length: BATCHES }, () => write(nextStart(BATCH)));
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(url)));
  const startedAt = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let request = requests.pop(); request; request = requests.pop())
        await sendBatch(connection, request);
      connection.close();
    }),
  );
  return (BATCHES * BATCH) / ((performance.now() - startedAt) / 1000);
}

async function sendBatch(connection: HttpConnection, request: Buffer): Promise<void> {
  const { status } = await connection.send(request);
  if (status !== 201) throw new Error(`a batch was answered with ${status}`);
}

/** Posts batches until the returned function is called. */
function keepPosting({ url }: RunningServer): () => Promise<void> {
  let isStopped = false;
  const write = () => FORMATS['JSON arrays of 1,000'](nextStart(BATCH));
  // Prepare the requests first: writing them later would delay the single posts that this process sends too.
  const requests = Array.from({ length: PREPARED }, write);
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    const connection = await HttpConnection.open(url);
    while (!isStopped) await sendBatch(connection, requests.pop() ?? write());
    connection.close();
  });
  return async () => {
    isStopped = true;
    await Promise.all(lanes);
  };
}

/** Posts single readings one after another. Returns the p99 of the latencies. */
async function singlePosts(url: string): Promise<number> {
  const connection = await HttpConnection.open(url);
  const times: number[] = [];
  for (let i = 0; i < SINGLE_POSTS; i++) times.push((await connection.send(SINGLE)).totalMs);
  connection.close();
  return percentile(times, 0.99);
}

function insertRows(file: string): number {
  const count = BATCHES * BATCH;
  const env = {
    ...process.env,
    DATABASE_PATH: file,
    COUNT: String(count),
    START: String(nextStart(count)),
  };
  const { stdout, stderr, status } = spawnSync(process.execPath, ['bench/baselines/batch-inserts.js'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return count / (Number(stdout) / 1000);
}
