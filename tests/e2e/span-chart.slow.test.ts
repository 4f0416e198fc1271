import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf, tileOf } from '../support/browser/dashboard';
import { queryOf } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  // A little more than two days.
  server = await startServerWith(700, { intervalMs: 300_000, env: { ALLOW_EMBED: 'true' } });
});

afterAll(() => server.stop());

/** Returns the addresses of the files that the page has loaded. */
const loadedBy = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

test('/chart?span=week shows only the chart, and links to its page', async () => {
  // The week may have started a moment ago.
  await post(server.url, { co2: 600, voc: 120 });
  const page = await openPage(chromium.browser, `${server.url}/chart?span=week`);
  await chartOf(page).waitFor();
  expect((await loadedBy(page)).some((name) => /span-chart-page/.test(name))).toBe(true);
  expect(await page.getByRole('button', { name: 'Earlier' }).count()).toBe(0);
  await post(server.url, { co2: 2345, voc: 345 });
  await page.getByRole('img', { name: /CO2 between 600 and 2345 PPM/ }).waitFor();
  await page.getByRole('link', { name: 'More of this time' }).click();
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  expect(queryOf(page)).toEqual({ span: 'week' });
});

test('from and to set the span, and a zoom changes the address without adding an entry for Back', async () => {
  const [from, to] = [36, 12].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
  const page = await openPage(chromium.browser, `${server.url}/chart?from=${from}&to=${to}`);
  await chartOf(page).hover();
  const entries = await page.evaluate(() => history.length);
  await page.mouse.wheel(0, -300);
  await until(() => queryOf(page).from !== from);
  await page
    .getByText(/^\d+ \w+( \d+)? \d+:\d\d – /)
    .first()
    .waitFor();
  expect(await page.evaluate(() => history.length)).toBe(entries);
});

test('a wall shows the chart of a span below the current air', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart?span=day&wall`);
  await chartOf(page).waitFor();
  await tileOf(page, 'CO2').waitFor();
  expect(await page.getByRole('link').count()).toBe(0);
});

test('a chart of a range does not load the history code of a sensor that sends every 15 s', async () => {
  const created = (i: number) => new Date(Date.now() - (20 - i) * 15_000).toISOString();
  await post(
    server.url,
    Array.from({ length: 20 }, (_, i) => ({ co2: 500, voc: 1, sensor: 'Often', created_at: created(i) })),
  );
  const page = await openPage(chromium.browser, `${server.url}/chart?range=10MIN&sensor=Often`);
  await chartOf(page).waitFor();
  expect((await loadedBy(page)).some((name) => /span-chart-page|history/.test(name))).toBe(false);
});
