import { statSync } from 'node:fs';
import Database from 'libsql';
import type { Figure, Measurement } from '../figure';
import { getRequest, HttpConnection } from '../http-connection';
import { startProduct, tenMillionReadings } from '../servers';
import { DAY_MS, type Span, spansBack } from '../spans-back';
import { median } from '../statistics';

const REQUESTS = 50;

/** Measures the latency of span queries over ten million readings, and the disk space of the stored history. */
export const lookBack: Measurement = {
  name: 'look-back',
  async measure() {
    const path = await tenMillionReadings();
    const server = await startProduct(path);
    const spans = spansBack();
    const ms = await mediansMs(server.url, spans);
    await server.stop();
    const day = ms.get('a day') as number;
    const figures: Figure[] = ['a year', 'all'].flatMap((name) => {
      const value = ms.get(name) as number;
      const row = { name: `${name} of 10,000,000 readings in 700 points, p50`, unit: 'ms', value };
      return [
        { ...row, target: { atMost: 30 } },
        { ...row, name: `${row.name}, against a day`, baseline: day, target: { atMost: 2 } },
      ];
    });
    const year = spans.find(({ name }) => name === 'a year') as Span;
    figures.push({
      name: 'a year in 700 points, against SQLite over the readings, one run',
      unit: 'ms',
      value: ms.get('a year') as number,
      baseline: groupByMs(path, year),
      target: { atMost: 1 / 30 },
    });
    return [...figures, fileSize(path)];
  },
};

/**
 * Requests the spans in turn, and returns the median latency of each by its name. Moves the spans by a second per round, so
 * that no answer is cached.
 */
async function mediansMs(url: string, spans: readonly Span[]): Promise<Map<string, number>> {
  const connection = await HttpConnection.open(url);
  const times = new Map(spans.map(({ name }): [string, number[]] => [name, []]));
  for (let i = 0; i < REQUESTS; i++) {
    const iso = (time: number) => new Date(time + i * 1000).toISOString();
    for (const { name, from, to } of spans) {
      const request = getRequest(`/api/history?from=${iso(from)}&to=${iso(to)}&points=700`);
      const { status, totalMs } = await connection.send(request);
      if (status !== 200) throw new Error(`/api/history answered ${status}`);
      times.get(name)?.push(totalMs);
    }
  }
  connection.close();
  return new Map([...times].map(([name, ms]) => [name, median(ms)]));
}

/** Returns the time that SQLite takes to compute the same numbers with `group by` from all readings. */
function groupByMs(path: string, { from, to }: Span): number {
  const database = new Database(path, { readonly: true });
  const startedAt = performance.now();
  database
    .prepare(
      `select created_at / ? as day, count(*), avg(co2), min(co2), max(co2), avg(voc), min(voc), max(voc)
      from data where created_at >= ? and created_at < ? group by day`,
    )
    .all(DAY_MS * 1000, from * 1000, to * 1000);
  const ms = performance.now() - startedAt;
  database.close();
  return ms;
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
