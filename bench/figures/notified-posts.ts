import { type Receiver, startReceiver } from '../../tests/support/alerts/receiver';
import type { Figure, Measurement } from '../figure';
import { postRequest, requestsPerSecond } from '../http-connection';
import { startProduct } from '../servers';
import { interleave, medians } from '../statistics';

const ROUND_MS = 3000;
const ROUNDS = 9;
const LOAD = { connections: 32, durationMs: ROUND_MS, status: 201 };

/** Measures the rate of posts with notifications, against the same server without notifications. */
export const notifiedPosts: Measurement = {
  name: 'notified-posts',
  async measure() {
    const receiver = await startReceiver();
    const figures = [await compare(receiver, 1), await compare(receiver, 1000)];
    await receiver.close();
    return figures;
  },
};

async function compare({ host }: Receiver, sensors: number): Promise<Figure> {
  const requests = Array.from({ length: sensors }, (_, i) =>
    postRequest({ co2: 415, voc: 120, sensor: `Room ${i}` }),
  );
  const [on, off] = await Promise.all([
    startProduct(undefined, { NOTIFY_URLS: `http://${host}/` }),
    startProduct(),
  ]);
  const perSecond = (url: string) => () => requestsPerSecond(url, requests, LOAD);
  const both = [perSecond(on.url), perSecond(off.url)] as const;
  await interleave(...both, 1);
  const rates = await interleave(...both, ROUNDS);
  await Promise.all([on.stop(), off.stop()]);
  return {
    name: `durable posts a second with notifications, ${sensors} ${sensors === 1 ? 'sensor' : 'sensors'}`,
    unit: '/s',
    ...medians(rates, (rate) => rate),
    target: { atLeast: 0.9 },
  };
}
