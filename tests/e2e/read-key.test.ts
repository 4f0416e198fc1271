import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

const READ_KEY = 'enough-battery-staple';
const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(60, { endMs: 5000, env: { READ_KEY, RANDOM_POSTS: 'false' } });
});

afterAll(() => server.stop());

const field = (page: Page) => page.getByLabel(/read key/);

async function enter(page: Page, key: string): Promise<void> {
  await field(page).fill(key);
  await page.getByRole('button', { name: 'Open the page' }).click();
}

/** Opens an address in a new browser. The browser logs each 401. */
async function open(path: string, options: object = {}): Promise<WatchedPage> {
  const page = await openTab(await chromium.browser.newContext(options));
  await page.goto(server.url + path);
  return page;
}

const forgive = (page: WatchedPage) => {
  page.complaints = page.complaints.filter((text) => !text.includes('401'));
};

test('a browser asks for the key once, and then shows the page that was asked for, live', async () => {
  const page = await open('/history?span=week');
  await enter(page, 'guess');
  await page.getByRole('alert').filter({ hasText: 'That isn’t the read key.' }).waitFor();
  await enter(page, READ_KEY);
  await page.waitForURL(`${server.url}/history?span=week`);
  await page.locator('canvas').first().waitFor();
  expect(await page.evaluate(() => document.cookie)).not.toContain('airboard-reader');
  await page.reload();
  await page.locator('canvas').first().waitFor();
  expect(await field(page).count()).toBe(0);

  await page.getByRole('link', { name: 'Dashboard' }).click();
  const shown = page.getByText('1777').first();
  await post(server.url, { co2: 1777, voc: 90 });
  await shown.waitFor();
  forgive(page);
});

test('with the key, a page changes what the server keeps, without a write key', async () => {
  const page = await open('/');
  await enter(page, READ_KEY);
  await page.getByRole('link', { name: 'Add a note' }).click();
  const text = page.getByLabel('Note', { exact: true });
  await text.fill('six people');
  await text.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'six people' }).waitFor();
  forgive(page);
});

test('without scripts, the key opens the page, and the button at its end closes it', async () => {
  const page = await open('/chart?range=1HR', { javaScriptEnabled: false });
  await enter(page, READ_KEY);
  await page.waitForURL(`${server.url}/chart?range=1HR`);
  await page.getByRole('button', { name: 'Forget the key' }).click();
  await field(page).waitFor();
  forgive(page);
});

const kept = (page: Page) => page.evaluate(() => caches.keys());

test('forgetting the key removes the stored pages, and other tabs ask for it as they read again', async () => {
  const page = await open('/', { serviceWorkers: 'allow' });
  await enter(page, READ_KEY);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The worker stores a page that it has seen loading.
  await page.reload();
  await until(async () => (await kept(page)).length > 0);
  const other = await openTab(page.context());
  await other.goto(`${server.url}/rooms`);
  await page.getByRole('button', { name: 'Forget the key' }).click();
  await field(page).waitFor();
  await until(async () => (await kept(page)).length === 0);
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await field(other).waitFor();
  expect(other.url()).toBe(`${server.url}/rooms`);
  await page.context().setOffline(true);
  await expect(page.goto(server.url)).rejects.toThrow(/ERR_(FAILED|INTERNET_DISCONNECTED)/);
  for (const each of [page, other]) each.complaints = [];
});
