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

/** Measures how soon readings reach all open streams, against a bare broadcast. */
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
      const latencies = [
        () => p99(productStreams, product.url, posts),
        () => p99(baselineStreams, baseline.url, posts),
      ] as const;
      await interleave(...latencies, 1);
      figures.push({
        name: `post to event p99, ${streams} ${streams === 1 ? 'stream' : 'streams'}`,
        unit: 'ms',
        ...medians(await interleave(...latencies), (ms) => ms),
        target: { atMost: 1.5 },
      });
      productStreams.close();
      baselineStreams.close();
    }
    await product.stop();
    baseline.stop();
    return figures;
  },
};

async function p99(streams: EventStreams, url: string, posts: number): Promise<number> {
  streams.latencies = [];
  const connection = await HttpConnection.open(url);
  for (let i = 0; i < posts; i++) await streams.post(connection);
  connection.close();
  return percentile(streams.latencies, 0.99);
}
