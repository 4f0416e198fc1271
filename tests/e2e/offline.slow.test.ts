import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf, tileOf } from '../support/browser/dashboard';
import { startFrontServer } from '../support/browser/network';
import { openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(60, { endMs: 5000, env: { RANDOM_POSTS: 'false', HOST: '0.0.0.0' } });
});

afterAll(() => server.stop());

const MINUTE_MS = 60_000;

/** A zone where midnight is hours away, so all times are on the same day. */
const DAYTIME = new Date().getUTCHours() < 12 ? 'Etc/GMT-6' : 'Etc/GMT+6';

/** Opens a page in a browser with service workers, and waits until the worker has stored it. */
async function openKept(url: string, context?: BrowserContext): Promise<WatchedPage> {
  const options = { serviceWorkers: 'allow', timezoneId: DAYTIME } as const;
  const page = await openTab(context ?? (await chromium.browser.newContext(options)));
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await hide(page);
  await untilKept(page);
  return page;
}

/** Hides a page without leaving it. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

const untilKept = (page: Page) => until(async () => (await keptAddresses(page)).includes(page.url()));

/** Returns all addresses in the worker's caches. */
const keptAddresses = (page: Page) =>
  page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    return (await Promise.all(opened.map((cache) => cache.keys()))).flat().map(({ url }) => url);
  });

const NOTICE = /^Not connected\. This is the page from \d\d:\d\d:\d\d, (\d+ h )?\d+ min ago\. Reconnecting…$/;
const notice = (page: Page) => page.getByText(NOTICE);

/** Moves the page's clock forward from its next document on. */
async function letPass(page: Page, minutes: number): Promise<void> {
  await page.clock.install({ time: Date.now() + minutes * MINUTE_MS });
}

test('the last page opens without a server, shows its age, and updates when the server returns', async () => {
  const front = await startFrontServer(server.url);
  const page = await openKept(`${front.url}/chart?range=10MIN`);
  for (const path of ['/history', '/']) {
    await page.goto(front.url + path);
    await untilKept(page);
  }
  await front.goDown();
  await letPass(page, 25);
  await page.reload();
  await notice(page).waitFor();
  expect(/^> (.*)$/m.exec(readFileSync('docs/phone.md', 'utf8'))?.[1]).toMatch(NOTICE);
  expect(await notice(page).innerText()).toMatch(/, 2\d min ago\. Reconnecting…$/);
  await chartOf(page).waitFor();
  // Stored readings say nothing about the current air.
  const tile = tileOf(page, 'CO2');
  await tile.getByText(/reconnecting… since/).waitFor();
  const storedAt = await page.evaluate(() => Number(document.documentElement.dataset.storedAt));
  const since = await page.evaluate((time) => new Date(time).toLocaleTimeString('en-GB'), storedAt);
  expect(await tile.innerText()).toContain(since);
  expect(await page.getByRole('region', { name: 'Verdict' }).getAttribute('data-verdict')).toBe('unknown');
  await until(async () => (await page.title()).startsWith('offline'));
  await page.clock.runFor(5 * MINUTE_MS);
  await until(async () => /, 3\d min ago/.test(await notice(page).innerText()));
  await page.goto(`${front.url}/chart?range=10MIN`);
  await page.getByText(/^Newest known reading: 3\d min ago/).waitFor();
  expect(page.url()).toContain('/chart');
  await page.goto(`${front.url}/history`);
  await notice(page).waitFor();

  const reloaded = page.waitForEvent('load');
  await front.comeBack();
  await page.clock.runFor(10_000);
  await reloaded;
  expect(await page.evaluate(() => document.documentElement.dataset.storedAt)).toBeUndefined();
  await notice(page).waitFor({ state: 'detached' });
  page.complaints.splice(0);
});

test('a first visit loads its document once, and the worker fetches the page when it is left, so it opens offline', async () => {
  const front = await startFrontServer(server.url);
  const page = await openTab(await chromium.browser.newContext({ serviceWorkers: 'allow' }));
  await page.goto(`${front.url}/`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  // The worker would have fetched the document before this reading arrives.
  await post(server.url, { co2: 421, voc: 42 });
  await tileOf(page, 'CO2').getByText('421', { exact: true }).waitFor();
  expect(front.asked.filter((url) => url === '/')).toHaveLength(1);

  await page.goto(`${front.url}/robots.txt`);
  await until(async () => (await keptAddresses(page)).includes(`${front.url}/`));
  expect(front.asked.filter((url) => url === '/')).toHaveLength(2);
  await front.goDown();
  await page.goto(`${front.url}/`);
  expect(await page.evaluate(() => document.documentElement.dataset.storedAt)).toBeDefined();
  page.complaints.splice(0);
});

test('pages come from a reachable server in any build, old builds are deleted, and a version without a worker removes it', async () => {
  const front = await startFrontServer(server.url);
  const page = await openKept(`${front.url}/`);
  const [own = ''] = await page.evaluate(() => caches.keys());
  await post(server.url, { co2: 431, voc: 43 });
  front.build = 'another';
  const answer = await page.reload();
  expect(await answer?.headerValue('Airboard-Build')).toBe('another');
  expect(await page.evaluate(() => document.documentElement.dataset.storedAt)).toBeUndefined();
  await tileOf(page, 'CO2').getByText('431', { exact: true }).waitFor();
  await until(async () => !(await page.evaluate(() => caches.keys())).includes(own));
  await untilKept(page);
  expect(await page.evaluate(() => caches.keys())).toEqual(['airboard-pages-another']);

  // A later version without a worker removes it with the script in docs/phone.md.
  front.serviceWorker = /^```js\n(.*?)^```/ms.exec(readFileSync('docs/phone.md', 'utf8'))?.[1];
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await until(async () => (await page.evaluate(() => caches.keys())).length === 0);
  await until(() => page.evaluate(async () => !(await navigator.serviceWorker.getRegistration())));
});

test('with the worker, pages are live, post and go back to current data, and no API answer is cached', async () => {
  const page = await openKept(`${server.url}/`);
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await chartOf(page).waitFor();
  await post(server.url, { co2: 441, voc: 44 });
  await tileOf(page, 'CO2').getByText('441', { exact: true }).waitFor();
  await page.goto(`${server.url}/postdata`);
  await page.getByLabel('CO2 reading:').fill('442');
  await page.getByLabel('VOC reading:').fill('44');
  await page.getByRole('button', { name: 'POST', exact: true }).click();
  await page.getByText(/Stored as reading/).waitFor();
  await page.goBack({ waitUntil: 'commit' });
  await tileOf(page, 'CO2').getByText('442', { exact: true }).waitFor();
  const kept = (await keptAddresses(page)).map((url) => new URL(url).pathname);
  expect(kept.filter((path) => !path.startsWith('/assets/'))).toEqual(['/']);
});

test('a wall opens without a server, even from the home screen, which requests /', async () => {
  const front = await startFrontServer(server.url);
  const page = await openKept(`${front.url}/?wall`);
  await front.goDown();
  await page.reload();
  await chartOf(page).waitFor();
  await page
    .getByText(/Not connected|reconnecting…/)
    .first()
    .waitFor();
  await page.goto('about:blank');
  await page.goto(`${front.url}/`);
  expect(page.url()).toBe(`${front.url}/?wall`);
  await chartOf(page).waitFor();
  page.complaints.splice(0);
});

test('removes itself if something else answers at its address', async () => {
  const front = await startFrontServer(server.url);
  const page = await openKept(`${front.url}/`);
  front.otherProject = '<!doctype html>Another project';
  await page.reload();
  await page.getByText('Another project').waitFor();
  await until(async () => (await page.evaluate(() => caches.keys())).length === 0);
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistration())).toBeUndefined();
  page.complaints.splice(0);
});

/** An address of this machine for which browsers require HTTPS. Containers may have none. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

test.skipIf(!ADDRESS)('over HTTP from another machine, nothing is registered or fetched', async () => {
  const page = await openTab(await chromium.browser.newContext({ serviceWorkers: 'allow' }));
  const asked: string[] = [];
  page.context().on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`http://${ADDRESS}:${server.port}/`);
  await post(server.url, { co2: 451, voc: 45 });
  await tileOf(page, 'CO2').getByText('451', { exact: true }).waitFor();
  // Registration would have happened before this.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await page.evaluate(() => isSecureContext || 'serviceWorker' in navigator)).toBe(false);
  expect(asked).not.toContain('/service-worker.js');
});
