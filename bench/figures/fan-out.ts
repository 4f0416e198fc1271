import { EventStreams } from '../event-streams';
import type { Figure, Measurement } from '../figure';
import { HttpConnection } from '../http-connection';
import { startBaseline, startProduct } from '../servers';
import { interleave, medians, percentile } from '../statistics';

/** The posts per round: fewer for more streams, because each post takes longer. */
const SIZES = [
  { streams: 1, posts: 600 },
  { streams: 100, posts: 300 },
  { streams: 1000, posts: 60 },
  { streams: 5000, posts: 20 },
];
/** The number of concurrent posts while the rate is measured. */
const SENDERS = 8;

/** Measures the latency and rate at which readings reach all open streams, against a bare broadcast. */
export const fanOut: Measurement = {
  name: 'fan-out',
  async measure() {
    const [product, baseline] = await Promise.all([startProduct(), startBaseline('live-server')]);
    const figures: Figure[] = [];
    for (const { streams, posts } of SIZES) {
      const [productStreams, baselineStreams] = [
        await EventStreams.open(product.url, streams),
        await EventStreams.open(baseline.url, streams),
      ];
      await interleave(
        () => latency(productStreams, product.url, posts),
        () => latency(baselineStreams, baseline.url, posts),
        1,
      );
      const latencies = await interleave(
        () => latency(productStreams, product.url, posts),
        () => latency(baselineStreams, baseline.url, posts),
      );
      const rates = await interleave(
        () => rate(productStreams, product.url, posts),
        () => rate(baselineStreams, baseline.url, posts),
      );
      const name = (what: string) => `${what}, ${streams} ${streams === 1 ? 'stream' : 'streams'}`;
      figures.push(
        { name: name('post to event p50'), unit: 'ms', ...medians(latencies, ({ p50 }) => p50) },
        {
          name: name('post to event p99'),
          unit: 'ms',
          ...medians(latencies, ({ p99 }) => p99),
          target: { atMost: 1.5 },
        },
        {
          name: name('posts a second, each at every stream'),
          unit: '/s',
          ...medians(rates, (posted) => posted),
        },
      );
      productStreams.close();
      baselineStreams.close();
    }
    await product.stop();
    baseline.stop();
    return figures;
  },
};

async function latency(streams: EventStreams, url: string, posts: number) {
  streams.latencies = [];
  await post(streams, url, posts, 1);
  return { p50: percentile(streams.latencies, 0.5), p99: percentile(streams.latencies, 0.99) };
}

async function rate(streams: EventStreams, url: string, posts: number): Promise<number> {
  streams.latencies = [];
  const startedAt = performance.now();
  await post(streams, url, posts, SENDERS);
  return (posts * 1000) / (performance.now() - startedAt);
}

async function post(streams: EventStreams, url: string, posts: number, senders: number): Promise<void> {
  let left = posts;
  await Promise.all(
    Array.from({ length: senders }, async () => {
      const connection = await HttpConnection.open(url);
      while (left-- > 0) await streams.post(connection);
      connection.close();
    }),
  );
}
