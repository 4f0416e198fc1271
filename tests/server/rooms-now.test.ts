import { expect, test } from 'vitest';
import type { AlertEvent } from '../../app/providers/alert-event';
import type { AirReport } from '../../app/readings/air/air-report';
import { startReceiver } from '../support/alerts/receiver';
import { postBody } from '../support/ingest/batches';
import { type RunningServer, startServer } from '../support/server/server';
import { LONG } from '../support/size';
import { until } from '../support/until';

const MINUTE_MS = 60_000;
const OUTDOOR = 425;

/** Rooms get no findings during the first 24 hours of their sensor. */
const CLOSED_MINUTES = 1500;

/** Returns one reading per minute until now: 25 hours of 1400 PPM, then 8 air changes per hour down to 600 PPM. */
function aired(sensor: string) {
  const openMinutes = Math.ceil((60 / 8) * Math.log((1400 - OUTDOOR) / (600 - OUTDOOR)));
  const start = Date.now() - (CLOSED_MINUTES + openMinutes) * MINUTE_MS;
  return Array.from({ length: CLOSED_MINUTES + 1 + openMinutes }, (_, i) => {
    const co2 = OUTDOOR + (1400 - OUTDOOR) * Math.exp((-8 * Math.max(0, i - CLOSED_MINUTES)) / 60);
    return {
      sensor,
      co2: Math.round(co2) + (i % 3),
      voc: null,
      created_at: new Date(start + i * MINUTE_MS).toISOString(),
    };
  });
}

async function send(server: RunningServer, readings: readonly object[]): Promise<void> {
  const answer = await postBody(server.url, 'application/json', JSON.stringify(readings));
  expect(await answer.json()).toMatchObject({ stored: readings.length });
}

test('NOTIFY_ON=aired sends one message when an airing is enough, even across a restart', LONG, async () => {
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
  const opened = Date.parse(readings[CLOSED_MINUTES]?.created_at ?? '');
  expect(Math.abs(Date.parse(event?.since ?? '') - opened)).toBeLessThanOrEqual(2 * MINUTE_MS);
  expect(receiver.received[0]?.body).toMatchObject({ type: 'air.aired', timestamp: event?.at });
  await until(async () => {
    const report: AirReport = await (await fetch(`${server.url}/api/notifications`)).json();
    expect(report.settings.on).toEqual(['aired']);
    return report.messages[0]?.kind === 'aired' && report.messages[0].deliveries[0]?.state === 'delivered';
  });
  await server.stop();

  // The office has the newest reading, so the server judges it before the den.
  const second = await server.restart();
  await send(second, aired('Den').slice(0, -1));
  await send(second, [{ sensor: 'Office', co2: 598, voc: null, created_at: new Date().toISOString() }]);
  await until(() => events().length > 1);
  expect(events().map(({ title }) => title)).toEqual(['Office: close the window', 'Den: close the window']);
  await second.stop();
  await receiver.close();
});

/** Returns one reading per minute of the last five days: people until noon, then an empty room, windows closed. */
function closedDays(sensor: string, airChangesPerHour: number) {
  const start = Date.now() - 5 * 1440 * MINUTE_MS;
  return Array.from({ length: 5 * 1440 + 1 }, (_, i) => {
    const emptyHours = Math.max(0, (i % 1440) - 720) / 60;
    const excess = 900 * Math.exp(-airChangesPerHour * emptyHours);
    const created_at = new Date(start + i * MINUTE_MS).toISOString();
    return { sensor, co2: Math.round(OUTDOOR + excess + ((i * 7) % 5) - 2), voc: null, created_at };
  });
}

test('/metrics contains the findings about rooms a few seconds after the first scrape', LONG, async () => {
  const server = await startServer();
  const scrape = async () => (await fetch(`${server.url}/metrics`)).text();
  const valueIn = (text: string, sample: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`airboard_${sample} `))
        ?.split(' ')[1],
    );
  await send(server, aired('Office'));
  await send(server, closedDays('Lab', 0.6));
  await send(server, [{ sensor: 'Old', co2: 900, voc: null, created_at: '2026-01-31T10:00:00Z' }]);
  const text = await until(async () => {
    const text = await scrape();
    return (
      /airboard_airing\{sensor="Office"\} 1/.test(text) &&
      /airboard_airing\{sensor="Lab"\}/.test(text) &&
      text
    );
  });
  expect(valueIn(text, 'rebreathed_ratio{sensor="Office"}')).toBeCloseTo((600 - OUTDOOR) / 38_000, 3);
  expect(valueIn(text, 'airing{sensor="Lab"}')).toBe(0);
  const airChanges = valueIn(text, 'air_changes_per_hour{sensor="Lab"}');
  expect(Math.abs(airChanges - 0.6)).toBeLessThan(0.06);
  expect(text).not.toMatch(/air_changes_per_hour\{sensor="Office"|(airing|rebreathed_ratio)\{sensor="Old"/);
  await server.stop();
});
