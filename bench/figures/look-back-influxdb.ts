import Database from 'libsql';
import { stepFor } from '../../app/readings/history/history-step';
import type { Figure, Measurement } from '../figure';
import { getRequest, HttpConnection, postText } from '../http-connection';
import { hasInfluxdb, startInfluxdb } from '../influxdb-server';
import { startProduct, tenMillionReadings } from '../servers';
import { type Span, spansBack } from '../spans-back';
import { interleave, medians } from '../statistics';

const POINTS = 700;
const ROUNDS = 5;
/** The number of readings that are copied at a time. */
const BATCH = 5000;

/** Measures the latency of span queries, against InfluxDB with the same rows. Returns no figures if InfluxDB isn't installed. */
export const lookBackInfluxdb: Measurement = {
  name: 'look-back-influxdb',
  async measure() {
    if (!hasInfluxdb()) return [];
    const path = await tenMillionReadings();
    const product = await startProduct(path);
    const influx = await startInfluxdb();
    await copyReadings(path, influx.url);
    const figures: Figure[] = [];
    for (const span of spansBack()) {
      let round = 0;
      const times = await interleave(
        () => totalMs(product.url, historyPath(span, round)),
        () => totalMs(influx.url, queryPath(span, round++)),
        ROUNDS,
      );
      figures.push({
        name: `${span.name} of 10,000,000 readings in ${POINTS} points, against InfluxDB`,
        unit: 'ms',
        ...medians(times, (ms) => ms),
        target: { atMost: 1 },
      });
    }
    influx.stop();
    await product.stop();
    return figures;
  },
};

async function copyReadings(path: string, url: string): Promise<void> {
  const database = new Database(path, { readonly: true });
  const page = database
    .prepare(`select id, created_at, co2, voc from data where id > ? order by id limit ${BATCH}`)
    .raw();
  const connection = await HttpConnection.open(url);
  for (let after = 0; ; ) {
    const rows = page.all(after) as [id: number, micros: number, co2: number, voc: number][];
    if (rows.length === 0) break;
    const lines = rows.map(([, micros, co2, voc]) => `data co2=${co2},voc=${voc} ${micros}000`);
    const { status } = await connection.send(postText('text/plain', lines.join('\n'), '/write?db=bench'));
    if (status !== 204) throw new Error(`InfluxDB answered a batch with ${status}`);
    after = (rows.at(-1) as (typeof rows)[number])[0];
  }
  connection.close();
  database.close();
}

/** Moves a span by a second per round, so that no answer is cached. */
const shift = ({ from, to }: Span, round: number) => [from + round * 1000, to + round * 1000] as const;

function historyPath(span: Span, round: number): string {
  const [from, to] = shift(span, round).map((time) => new Date(time).toISOString());
  return `/api/history?from=${from}&to=${to}&points=${POINTS}`;
}

function queryPath(span: Span, round: number): string {
  const [from, to] = shift(span, round);
  const values = ['co2', 'voc'].map((name) => `mean(${name}), min(${name}), max(${name})`);
  const query = `select ${values} from data where time >= ${from}ms and time < ${to}ms
    group by time(${stepFor(from / 1000, to / 1000, POINTS)}s) fill(none)`;
  return `/query?db=bench&q=${encodeURIComponent(query)}`;
}

/** Uses a new connection each time, because a server closes one that is idle during a query to InfluxDB. */
async function totalMs(url: string, path: string): Promise<number> {
  const connection = await HttpConnection.open(url);
  const { status, totalMs } = await connection.send(getRequest(path));
  connection.close();
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  return totalMs;
}
