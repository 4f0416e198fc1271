import { expect, test } from 'vitest';
import type { AlertEvent } from '../../app/alerts/alert-event';
import { startReceiver } from '../support/alerts/receiver';
import { postBody } from '../support/ingest/batches';
import { startServer } from '../support/server/server';
import { longestHold, WITH_HOLDS } from '../support/server/vitals';
import { until } from '../support/until';

const SENSORS = 1000;
const MINUTES = 2;
const HELD_MS = 50;

test(`${SENSORS} sensors at once send a handful of messages and summaries of all others, while the event loop stays free`, async () => {
  const receiver = await startReceiver();
  const env = {
    ...WITH_HOLDS,
    POSTS_PER_MINUTE: '0',
    NOTIFY_URLS: `http://${receiver.host}/`,
    NOTIFY_AFTER: `${MINUTES}m`,
  };
  const server = await startServer({ env });
  const post = async (co2: number, minutesAgo: number) => {
    const created_at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    const readings = Array.from({ length: SENSORS }, (_, i) => ({
      sensor: `Room ${i}`,
      co2,
      voc: null,
      created_at,
    }));
    const answer = await postBody(server.url, 'application/json', JSON.stringify(readings));
    expect(await answer.json()).toMatchObject({ stored: SENSORS });
  };
  for (let minute = MINUTES; minute > 0; minute--) await post(2104, minute);
  await longestHold(server);
  await post(2104, 0);
  const titles = () => receiver.received.map(({ body }) => (body as { data: AlertEvent }).data.title);
  const notified = () =>
    titles().reduce(
      (sum, title) => sum + Number(/^and ([\d,]+) more/.exec(title)?.[1]?.replace(',', '') ?? 1),
      0,
    );
  await until(() => notified() >= SENSORS, 110_000);
  const hold = await longestHold(server);
  expect(notified()).toBe(SENSORS);
  // Those of a minute or two.
  expect(titles().length).toBeLessThanOrEqual(12);
  // A busy disk disturbs the rest of it.
  expect(Math.min(hold.heldMs, hold.processorMs), JSON.stringify(hold)).toBeLessThan(HELD_MS);
  await server.stop();
  await receiver.close();
});
