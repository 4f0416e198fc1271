import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { post } from '../support/api';
import { openPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import { type RunningServer, startServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
const servers: RunningServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

async function startWithAge(endMs: number, intervalMs?: number): Promise<RunningServer> {
  const server = await startServerWith(60, { endMs, intervalMs });
  servers.push(server);
  return server;
}

const untilTitle = (page: Page, pattern: RegExp) => until(async () => pattern.test(await page.title()));

test("the dashboard's tab says the state of the air, live and offline, and other pages their own title", async () => {
  // Readings every five minutes are live for a quarter of an hour, however long the page takes.
  const server = await startWithAge(1000, 300_000);
  const page = await openPage(chromium.browser, server.url);
  await untilTitle(page, /^609 PPM, good – airboard$/);
  await post(server.url, { co2: 1862, voc: 100 });
  await untilTitle(page, /^1862 PPM, moderate – airboard$/);
  await post(server.url, { co2: 1500, voc: 900 });
  await untilTitle(page, /^1500 PPM, poor \(VOC 900 PPB\) – airboard$/);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Chart' }).click();
  await untilTitle(page, /^Chart – airboard$/);
  await pages.getByRole('link', { name: 'Dashboard' }).click();
  await untilTitle(page, /^1500 PPM, poor/);
  await page.context().setOffline(true);
  await untilTitle(page, /^offline – airboard$/);
  await page.context().setOffline(false);
  await untilTitle(page, /^1500 PPM, poor/);
  page.complaints.splice(0);
});

test('the tab of a stale dashboard says for how long there is no reading, and no level', async () => {
  const server = await startWithAge(200_000);
  const page = await openPage(chromium.browser, server.url);
  await untilTitle(page, /^no reading for [3-9] min – airboard$/);
});

test('pages of an empty store get the name of the first sensor that posts into their titles', async () => {
  // An open /postdata would post after 15 s.
  const server = await startServer({ env: { RANDOM_POSTS: 'false' } });
  servers.push(server);
  const pages = await Promise.all(
    ['/', '/chart', '/postdata'].map((path) => openPage(chromium.browser, server.url + path)),
  );
  const titles = () => Promise.all(pages.map((page) => page.title()));
  expect((await titles()).slice(1)).toEqual(['Chart – airboard', 'Post data – airboard']);
  await post(server.url, { co2: 609, voc: 100, sensor: 'Attic' });
  const expected = ['609 PPM, good – Attic', 'Chart of Attic – airboard', 'Post data – Attic – airboard'];
  await until(async () => (await titles()).join() === expected.join());
});
