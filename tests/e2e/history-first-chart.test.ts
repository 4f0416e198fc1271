import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdFile } from '../support/browser/held-file';
import { waitForHistory } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import { storeReadings } from '../support/readings/database';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

const DAY_MS = 86_400_000;

/** A reading of 2005, and one of each of the last ten days. */
const times = [Date.UTC(2005, 0, 3), ...Array.from({ length: 10 }, (_, i) => Date.now() - (10 - i) * DAY_MS)];

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  const readings = times.map((time) => ({ co2: 700, voc: 90, created_at: new Date(time).toISOString() }));
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath });
});

afterAll(() => server.stop());

/** Opens an empty page that will note what it asks the API for. */
async function openNoting() {
  const page = await openPage(chromium.browser, 'about:blank');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/^\/api\/(history|summary|pattern)$/.test(pathname))
      asked.push(`${pathname.slice(5)} ${searchParams.get('from')}`);
  });
  const histories = () => asked.filter((address) => address.startsWith('history'));
  return { page, asked, histories };
}

test('the history is asked for while the scripts of every page are loading, again for a later span alone, and a date can be chosen', async () => {
  const { page, asked, histories } = await openNoting();
  const load = await holdFile(page, 'every-page');
  await page.goto(`${server.url}/history?span=week`, { waitUntil: 'commit' });
  await until(() => asked.length === 1);
  expect(asked[0]).toMatch(/^history /);
  const html = await (await fetch(`${server.url}/history?span=week`)).text();
  expect(html).not.toContain('type="date"');
  load();
  await waitForHistory(page);
  await until(() => asked.length === 3);
  expect(
    asked
      .slice(1)
      .map((address) => address.split(' ')[0])
      .sort(),
  ).toEqual(['pattern', 'summary']);
  await page.getByRole('navigation', { name: 'Span' }).getByRole('link', { name: 'year' }).click();
  await until(() => histories().length > 1);
  await page.getByLabel('Date').fill('2005-01-03');
  await page.waitForURL('**/history?span=year&date=2005-01-03');
});

test('all readings are shown, of more than 700 weeks, and asked for again when the first answer is an error', async () => {
  const { page, histories } = await openNoting();
  await page.route('**/api/history?*', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 });
  await page.goto(`${server.url}/history?span=all`);
  await waitForHistory(page);
  expect(histories()).toHaveLength(2);
  expect(page.complaints.splice(0)).toEqual([expect.stringContaining('503')]);
  await page.locator('[data-step="604800"] figure[data-from^="2005-01-03"]').waitFor();
});
