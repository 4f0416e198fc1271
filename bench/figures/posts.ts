import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest, requestsPerSecond } from '../http-connection';
import { startBaseline, startProduct } from '../servers';
import { inTurns, percentile } from '../statistics';

const ROUND_MS = 3000;
const POSTS = 1500;
const REQUEST = postRequest({ co2: 415, voc: 120 });

/** How fast readings become durable: many senders at once, and one that waits for each answer. */
export const posts: Measurement = {
  name: 'posts',
  async measure() {
    const [product, baseline] = await Promise.all([startProduct(), startBaseline('post-server')]);
    const load = { connections: 32, durationMs: ROUND_MS, status: 201 };
    const throughput = (url: string) => () => requestsPerSecond(url, REQUEST, load);
    const candidates = { value: throughput(product.url), baseline: throughput(baseline.url) };
    await inTurns(candidates, 1);
    const figures: Figure[] = [
      {
        name: 'durable posts a second, 32 connections',
        unit: '/s',
        ...(await inTurns(candidates)),
        target: { atLeast: 1.2 },
      },
    ];
    for (const share of [0.5, 0.99]) {
      figures.push({
        name: `post latency p${share * 100}, 1 connection`,
        unit: 'ms',
        ...(await inTurns({
          value: () => latency(product.url, share),
          baseline: () => latency(baseline.url, share),
        })),
        target: { atMost: 2 },
      });
    }
    await product.stop();
    baseline.stop();
    return figures;
  },
};

async function latency(url: string, share: number): Promise<number> {
  const connection = await HttpConnection.open(url);
  const times: number[] = [];
  for (let i = 0; i < POSTS; i++) times.push((await connection.send(REQUEST)).totalMs);
  connection.close();
  return percentile(times, share);
}
