import { statSync } from 'node:fs';
import Database from 'libsql';
import { DAY_MS } from '../../app/readings/time/durations';
import type { Figure, Measurement } from '../figure';
import { getRequest, HttpConnection } from '../http-connection';
import { startProduct, tenMillionReadings } from '../servers';
import { median } from '../statistics';

const REQUESTS = 50;
/** The lengths of the spans, which end now. Ten million readings, 15 s apart, reach back 4.7 years. */
const SPAN_DAYS = { 'a year': 365, all: 1737 };

/** Measures the latency of span queries over ten million readings, and the disk space of the stored history. */
export const lookBack: Measurement = {
  name: 'look-back',
  async measure() {
    const path = await tenMillionReadings();
    const server = await startProduct(path);
    const figures: Figure[] = [];
    for (const [name, days] of Object.entries(SPAN_DAYS)) {
      figures.push({
        name: `${name} of 10,000,000 readings in 700 points, p50`,
        unit: 'ms',
        value: await medianMs(server.url, days * DAY_MS),
        target: { atMost: 30 },
      });
    }
    await server.stop();
    return [...figures, fileSize(path)];
  },
};

/** Requests a span that ends now, moved by a second each time so that no answer is cached. Returns the median latency. */
async function medianMs(url: string, lengthMs: number): Promise<number> {
  const connection = await HttpConnection.open(url);
  const times: number[] = [];
  const end = Date.now();
  for (let i = 0; i < REQUESTS; i++) {
    const to = end + i * 1000;
    const [first, last] = [new Date(to - lengthMs).toISOString(), new Date(to).toISOString()];
    const request = getRequest(`/api/history?from=${first}&to=${last}&points=700`);
    const { status, totalMs } = await connection.send(request);
    if (status !== 200) throw new Error(`/api/history answered ${status}`);
    times.push(totalMs);
  }
  connection.close();
  return median(times);
}

/** Compares the file with one that contains only the readings. */
function fileSize(path: string): Figure {
  const copy = `${path}-raw`;
  const database = new Database(path);
  database.exec(`vacuum into '${copy}'`);
  database.close();
  const raw = new Database(copy);
  const size = statSync(copy).size;
  for (const name of raw
    .prepare("select name from sqlite_master where type = 'table' and name not in ('data', 'sensors')")
    .pluck()
    .all() as string[]) {
    if (!name.startsWith('sqlite_')) raw.exec(`drop table ${name}`);
  }
  raw.exec('vacuum');
  raw.close();
  return {
    name: 'file with 10,000,000 readings, against the readings alone',
    unit: 'MiB',
    value: size / 2 ** 20,
    baseline: statSync(copy).size / 2 ** 20,
    target: { atMost: 1.15 },
  };
}
