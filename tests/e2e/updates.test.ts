import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../support/api';
import { chartOf, tileOf } from '../support/dashboard';
import { openTab, type WatchedPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(50, { endMs: 5000 });
});

afterAll(() => server.stop());

/** Opens a page that counts its loads, and whose requests a test can change. */
async function open(
  path: string,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<WatchedPage> {
  const page = await openTab(await chromium.browser.newContext());
  await page.addInitScript(() => {
    sessionStorage.setItem('loads', String(Number(sessionStorage.getItem('loads')) + 1));
  });
  await page.clock.install();
  await prepare(page);
  await page.goto(server.url + path);
  return page;
}

async function openWall(prepare?: (page: Page) => Promise<unknown>): Promise<WatchedPage> {
  const page = await open('/?range=10MIN&wall', prepare);
  await chartOf(page).waitFor();
  return page;
}

const loads = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem('loads')));

/** Answers the page's questions for the server's build as if that were another one. */
const serveOtherBuild = (page: Page) =>
  page.route('**/api/data', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'airboard-build': 'another' } });
  });

/** Lets a minute pass on the page, after which it asks for the server's build, and waits for the answer. */
async function letAMinutePass(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await page.clock.fastForward(61_000);
  await answered;
}

test('every answer with readings names the build, as does every page', async () => {
  const answers = await Promise.all(
    ['', '?limit=1', '?after=2'].map((query) => fetch(`${server.url}/api/data${query}`)),
  );
  answers.push(await fetch(`${server.url}/api/data`, { method: 'HEAD' }));
  answers.push(await post(server.url, { co2: 415, voc: 120 }));
  const [build, ...others] = answers.map((answer) => answer.headers.get('Airboard-Build'));
  expect(build).toBe(readFileSync('build/built', 'utf8').slice(0, 16));
  expect(new Set(others)).toEqual(new Set([build]));
  expect(await (await fetch(server.url)).text()).toContain(build);
});

test('reloads when the server has another build, and keeps its address', async () => {
  const page = await openWall();
  await letAMinutePass(page);
  expect(await loads(page)).toBe(1);
  // The page may be asking at this moment.
  const loaded = page.waitForEvent('load');
  await serveOtherBuild(page);
  await page.clock.fastForward(61_000);
  await loaded;
  await chartOf(page).waitFor();
  expect(new URL(page.url()).search).toBe('?range=10MIN&wall');
  expect(await page.getByRole('banner').count()).toBe(0);
  // The page is of the same build as before, as it would be from a cache in between: it doesn't reload on and on.
  await letAMinutePass(page);
  await letAMinutePass(page);
  expect(await loads(page)).toBe(2);
});

test('does not reload while the server answers pages with an error, which would stay', async () => {
  let failures = 0;
  const page = await openWall();
  await serveOtherBuild(page);
  await page.route('**/?range=10MIN&wall', async (route) => {
    failures += 1;
    await route.fulfill({ status: 502, body: 'Bad gateway' });
  });
  await letAMinutePass(page);
  // It may have asked twice: once when connected, once for the minute.
  await until(() => failures > 0);
  expect(await loads(page)).toBe(1);
  const loaded = page.waitForEvent('load');
  await page.unroute('**/?range=10MIN&wall');
  await page.clock.fastForward(61_000);
  await loaded;
  await chartOf(page).waitFor();
  page.complaints.splice(0);
});

/** Returns the next answer with the page itself, which a page asks for before it reloads. */
const nextPage = (page: Page) =>
  page.waitForResponse((answer) => answer.request().method() === 'GET' && answer.url() === page.url());

test('any page reloads after an update, but not while it is used', async () => {
  const page = await open('/history');
  await page.getByRole('region', { name: 'Chart' }).locator('canvas').waitFor();
  await serveOtherBuild(page);
  const isPage = (url: URL) => url.pathname === '/history';
  await page.route(isPage, async (route) => {
    await page.mouse.move(Math.random() * 500, 300);
    await route.continue();
  });
  for (let minute = 0; minute < 2; minute++) {
    const asked = nextPage(page);
    await page.clock.fastForward(61_000);
    await asked;
  }
  expect(await loads(page)).toBe(1);
  await page.unroute(isPage);
  const loaded = page.waitForEvent('load');
  await page.clock.fastForward(61_000);
  await loaded;
  expect(await loads(page)).toBe(2);
});

test('a page does not reload while a text is typed in or a switch is moved, which would be lost', async () => {
  const page = await open('/postdata');
  const field = page.getByLabel('CO2 reading:');
  const automatic = page.getByRole('switch');
  await automatic.uncheck();
  await field.fill('4');
  await serveOtherBuild(page);
  for (const undo of [() => field.clear(), () => automatic.check()]) {
    const asked = nextPage(page);
    await page.clock.fastForward(61_000);
    await asked;
    expect(await loads(page)).toBe(1);
    await undo();
  }
  const loaded = page.waitForEvent('load');
  await page.clock.fastForward(61_000);
  await loaded;
});

test('a hidden page asks for nothing, and reloads when it is shown again', async () => {
  const page = await open('/');
  await chartOf(page).waitFor();
  await serveOtherBuild(page);
  const show = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  const questions: string[] = [];
  page.on('request', (request) => request.method() === 'HEAD' && questions.push(request.url()));
  await page.clock.fastForward(300_000);
  await page.evaluate(() => fetch('/healthz'));
  expect(questions).toEqual([]);
  const loaded = page.waitForEvent('load');
  await show('visible');
  await loaded;
  expect(questions).toHaveLength(1);
});

test('goes on after a restart of the same build', async () => {
  const page = await openWall();
  await post(server.url, { co2: 501, voc: 51 });
  await tileOf(page, 'CO2').getByText('501', { exact: true }).waitFor();
  await server.stop('SIGKILL');
  await tileOf(page, 'CO2').getByText('reconnecting…').waitFor();
  server = await server.restart();
  await page.clock.fastForward(2000);
  await letAMinutePass(page);
  await post(server.url, { co2: 502, voc: 52 });
  await tileOf(page, 'CO2').getByText('502', { exact: true }).waitFor();
  expect(await loads(page)).toBe(1);
  page.complaints.splice(0);
});
