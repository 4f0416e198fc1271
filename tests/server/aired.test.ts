import { expect, test } from 'vitest';
import type { AlertEvent } from '../../app/alerts/alert-event';
import type { AirReport } from '../../app/readings/air/air-report';
import { startReceiver } from '../support/alerts/receiver';
import { postBody } from '../support/ingest/batches';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const MINUTE_MS = 60_000;
const OUTDOOR = 425;

/** Returns a reading a minute until now: 30 minutes of 1400 PPM, then a window exchanges the air 8 times an hour until 600. */
function aired(sensor: string) {
  const openMinutes = Math.ceil((60 / 8) * Math.log((1400 - OUTDOOR) / (600 - OUTDOOR)));
  const start = Date.now() - (30 + openMinutes) * MINUTE_MS;
  return Array.from({ length: 31 + openMinutes }, (_, i) => {
    const co2 = OUTDOOR + (1400 - OUTDOOR) * Math.exp((-8 * Math.max(0, i - 30)) / 60);
    return {
      sensor,
      co2: Math.round(co2),
      voc: null,
      created_at: new Date(start + i * MINUTE_MS).toISOString(),
    };
  });
}

async function send(server: RunningServer, readings: readonly object[]): Promise<void> {
  const answer = await postBody(server.url, 'application/json', JSON.stringify(readings));
  expect(await answer.json()).toMatchObject({ stored: readings.length });
}

test('says once to close the window when an airing is enough, also after a restart', async () => {
  const receiver = await startReceiver();
  const events = () => receiver.received.map(({ body }) => (body as { data: AlertEvent }).data);
  const server = await startServer({
    env: { NOTIFY_URLS: `http://${receiver.host}/hook`, NOTIFY_ON: 'aired', NOTIFY_TIME_ZONE: 'UTC' },
  });
  const readings = aired('Office');
  await send(server, readings);
  await until(() => events().length > 0);
  const [event] = events();
  expect(event).toMatchObject({ kind: 'aired', sensor: 'Office', title: 'Office: close the window' });
  expect(event?.text).toMatch(
    /^CO2 fell from 1[34]\d\d to \d{3} PPM since \w{3} .*\d\d:\d\d\. Enough: close the window\.$/,
  );
  const opened = Date.parse(readings[30]?.created_at ?? '');
  expect(Math.abs(Date.parse(event?.since ?? '') - opened)).toBeLessThanOrEqual(2 * MINUTE_MS);
  expect(receiver.received[0]?.body).toMatchObject({ type: 'air.aired', timestamp: event?.at });
  await until(async () => {
    const report: AirReport = await (await fetch(`${server.url}/api/notifications`)).json();
    expect(report.settings.on).toEqual(['aired']);
    return report.messages[0]?.kind === 'aired' && report.messages[0].deliveries[0]?.state === 'delivered';
  });
  await server.stop();

  // The office has the newest reading, so it is judged before the den.
  const second = await server.restart();
  await send(second, aired('Den').slice(0, -1));
  await send(second, [{ sensor: 'Office', co2: 598, voc: null, created_at: new Date().toISOString() }]);
  await until(() => events().length > 1);
  expect(events().map(({ title }) => title)).toEqual(['Office: close the window', 'Den: close the window']);
  await second.stop();
  await receiver.close();
});
