import type { Figure, Measurement } from '../figure';
import { HttpConnection, postText } from '../http-connection';
import { hasInfluxdb, startInfluxdb } from '../influxdb-server';
import { startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const CONNECTIONS = 4;
const BATCH = 1000;
const BATCHES = 100;
const ROUNDS = 3;

/** A server, the format of its batches, and its status for a success. */
interface Target {
  url: string;
  write(startMs: number): Buffer;
  status: number;
}

/** Measures the rate of durable readings in batches, against InfluxDB. Returns no figures if `influxd` isn't installed. */
export const influxdb: Measurement = {
  name: 'influxdb',
  async measure() {
    if (!hasInfluxdb()) return [];
    const product = await startProduct();
    const influx = await startInfluxdb();
    const ours: Target = { url: product.url, status: 201, write: csvBatch };
    const theirs: Target = { url: influx.url, status: 204, write: lineProtocolBatch };
    const value = () => postBatches(ours);
    const baseline = () => postBatches(theirs);
    await Promise.all([value(), baseline()]);
    const rates = medians(await interleave(value, baseline, ROUNDS), (rate) => rate);
    influx.stop();
    await product.stop();
    const figure: Figure = {
      name: 'durable readings a second by CSV of 1,000, against InfluxDB',
      unit: '/s',
      ...rates,
    };
    return [figure];
  },
};

let nextMs = Date.UTC(2001, 0);

/** Posts batches over several connections. Returns the readings per second. */
async function postBatches({ url, write, status: expected }: Target): Promise<number> {
  const requests = Array.from({ length: BATCHES }, () => {
    nextMs += BATCH * 1000;
    return write(nextMs);
  });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(url)));
  const startedAt = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let request = requests.pop(); request; request = requests.pop()) {
        const { status } = await connection.send(request);
        if (status !== expected) throw new Error(`${url} answered a batch with ${status}`);
      }
      connection.close();
    }),
  );
  return (BATCHES * BATCH) / ((performance.now() - startedAt) / 1000);
}

function batch(startMs: number, write: (ms: number, co2: number, voc: number) => string): string {
  return Array.from({ length: BATCH }, (_, i) => write(startMs + i * 1000, 400 + (i % 1000), i % 500)).join(
    '\n',
  );
}

function csvBatch(startMs: number): Buffer {
  const rows = batch(startMs, (ms, co2, voc) => `${new Date(ms).toISOString()},${co2},${voc}`);
  return postText('text/csv', `created_at,co2,voc\n${rows}\n`);
}

function lineProtocolBatch(startMs: number): Buffer {
  const lines = batch(startMs, (ms, co2, voc) => `data co2=${co2},voc=${voc} ${ms}000000`);
  return postText('text/plain', `${lines}\n`, '/write?db=bench');
}
