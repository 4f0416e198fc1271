import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  // An open /postdata would post after 15 s.
  server = await startServer({ env: { RANDOM_POSTS: 'false' } });
});

afterAll(() => server.stop());

const untilTitle = (page: Page, pattern: RegExp) => until(async () => pattern.test(await page.title()));

test("an empty store's pages get their first sensor's name into their titles, and the dashboard's says the state of the air", async () => {
  const [page, ...others] = await Promise.all([
    openPage(chromium.browser, server.url),
    openPage(chromium.browser, `${server.url}/chart`),
    openPage(chromium.browser, `${server.url}/postdata`),
  ]);
  const titles = () => Promise.all(others.map((other) => other.title()));
  expect(await titles()).toEqual(['Chart – airboard', 'Post data – airboard']);
  // Readings every five minutes are live for a quarter of an hour, however long the page takes.
  const readings = evenReadings(3, { intervalMs: 300_000 });
  await post(
    server.url,
    readings.map((reading) => ({ ...reading, sensor: 'Attic' })),
  );
  await untilTitle(page, /^602 PPM, good – Attic – airboard$/);
  await until(
    async () => (await titles()).join() === 'Chart of Attic – airboard,Post data – Attic – airboard',
  );
  await post(server.url, { co2: 1862, voc: 100, sensor: 'Attic' });
  await untilTitle(page, /^1862 PPM, moderate – Attic – airboard$/);
  await post(server.url, { co2: 1500, voc: 900, sensor: 'Attic' });
  await untilTitle(page, /^1500 PPM, poor \(VOC 900 PPB\) – Attic – airboard$/);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Chart' }).click();
  await untilTitle(page, /^Chart of Attic – airboard$/);
  await pages.getByRole('link', { name: 'Dashboard' }).click();
  await untilTitle(page, /^1500 PPM, poor/);
  await page.context().setOffline(true);
  await untilTitle(page, /^offline – Attic – airboard$/);
  await page.context().setOffline(false);
  await untilTitle(page, /^1500 PPM, poor/);
  page.complaints.splice(0);
});

test('the tab of a stale dashboard says for how long there is no reading, and no level', async () => {
  const sensor = await addSensor(server, evenReadings(60, { endMs: 200_000 }));
  const page = await openPage(chromium.browser, `${server.url}/?sensor=${sensor}`);
  await untilTitle(page, /^no reading for [3-9] min – Room-\d+ – airboard$/);
});
