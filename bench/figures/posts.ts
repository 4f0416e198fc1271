import type { Figure, Measurement } from '../figure';
import { HttpConnection, postRequest, requestsPerSecond } from '../http-connection';
import { startBaseline, startProduct } from '../servers';
import { interleave, medians, percentile } from '../statistics';

const ROUND_MS = 3000;
const POSTS = 1500;
const REQUEST = postRequest({ co2: 415, voc: 120 });

/** Measures the rate of durable posts from concurrent senders, and the latency for one sender that waits for each response. */
export const posts: Measurement = {
  name: 'posts',
  async measure() {
    const [product, baseline] = await Promise.all([startProduct(), startBaseline('post-server')]);
    const load = { connections: 32, durationMs: ROUND_MS, status: 201 };
    const throughput = (url: string) => () => requestsPerSecond(url, REQUEST, load);
    const perSecond = [throughput(product.url), throughput(baseline.url)] as const;
    await interleave(...perSecond, 1);
    const rates = await interleave(...perSecond);
    const latencies = await interleave(
      () => latency(product.url),
      () => latency(baseline.url),
    );
    const target = { atMost: 2 };
    const figures: Figure[] = [
      {
        name: 'durable posts a second, 32 connections',
        unit: '/s',
        ...medians(rates, (rate) => rate),
        target: { atLeast: 4 },
      },
      { name: 'post latency p50, 1 connection', unit: 'ms', ...medians(latencies, ({ p50 }) => p50), target },
      { name: 'post latency p99, 1 connection', unit: 'ms', ...medians(latencies, ({ p99 }) => p99), target },
    ];
    await product.stop();
    baseline.stop();
    return figures;
  },
};

async function latency(url: string): Promise<{ p50: number; p99: number }> {
  const connection = await HttpConnection.open(url);
  const times: number[] = [];
  for (let i = 0; i < POSTS; i++) times.push((await connection.send(REQUEST)).totalMs);
  connection.close();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
