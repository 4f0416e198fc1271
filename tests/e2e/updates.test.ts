import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf, tileOf } from '../support/browser/dashboard';
import { openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(50, { endMs: 5000 });
});

afterAll(() => server.stop());

/** Opens a page that counts its loads. */
async function open(path: string): Promise<WatchedPage> {
  const page = await openTab(await chromium.browser.newContext());
  await page.addInitScript(() => {
    sessionStorage.setItem('loads', String(Number(sessionStorage.getItem('loads')) + 1));
  });
  await page.clock.install();
  await page.goto(server.url + path);
  return page;
}

const loads = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem('loads')));

/** Answers the page's requests for the server's build as if it were another one. */
const serveOtherBuild = (page: Page) =>
  page.route('**/api/data', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'airboard-build': 'another' } });
  });

/** Lets a minute pass on the page, after which it requests the server's build, and waits for the answer. */
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

test('survives a restart, and reloads once at its address when the server has another build and no error', async () => {
  const page = await open('/?range=10MIN&wall');
  await chartOf(page).waitFor();
  await post(server.url, { co2: 501, voc: 51 });
  await tileOf(page, 'CO2').getByText('501', { exact: true }).waitFor();
  await server.stop('SIGKILL');
  await tileOf(page, 'CO2').getByText('reconnecting…').waitFor();
  server = await server.restart();
  await page.clock.fastForward(2000);
  await letAMinutePass(page);
  await post(server.url, { co2: 502, voc: 52 });
  await tileOf(page, 'CO2').getByText('502', { exact: true }).waitFor();
  expect(await loads(page), 'of the same build').toBe(1);

  let failures = 0;
  await page.route('**/?range=10MIN&wall', async (route) => {
    failures += 1;
    await route.fulfill({ status: 502, body: 'Bad gateway' });
  });
  await serveOtherBuild(page);
  await letAMinutePass(page);
  await until(() => failures > 0);
  expect(await loads(page), 'while the address answers with an error').toBe(1);

  // The page may be sending a request at this moment.
  const loaded = page.waitForEvent('load');
  await page.unroute('**/?range=10MIN&wall');
  await page.clock.fastForward(61_000);
  await loaded;
  await chartOf(page).waitFor();
  expect(new URL(page.url()).search).toBe('?range=10MIN&wall');
  expect(await page.getByRole('banner').count()).toBe(0);
  // The page still has the old build, as if from a cache. It must not reload repeatedly.
  await letAMinutePass(page);
  await letAMinutePass(page);
  expect(await loads(page), 'of another build').toBe(2);
  page.complaints.splice(0);
});

/** Lets a minute pass on the page, after which it requests its own address, as it does before reloading. */
async function letItAskForItself(page: Page): Promise<void> {
  const asked = page.waitForResponse(
    (answer) => answer.request().method() === 'GET' && answer.url() === page.url(),
  );
  await page.clock.fastForward(61_000);
  await asked;
}

test('does not reload while in use or hidden, or while text or a switch would be lost', async () => {
  const page = await open('/postdata');
  const field = page.getByLabel('CO2 reading:');
  const automatic = page.getByRole('switch');
  await automatic.uncheck();
  await field.fill('4');
  await serveOtherBuild(page);
  for (const undo of [() => field.clear(), () => automatic.check()]) {
    await letItAskForItself(page);
    expect(await loads(page), 'with a changed field or switch').toBe(1);
    await undo();
  }
  const isPage = (url: URL) => url.pathname === '/postdata';
  await page.route(isPage, async (route) => {
    await page.mouse.move(Math.random() * 500, 300);
    await route.continue();
  });
  await letItAskForItself(page);
  await letItAskForItself(page);
  expect(await loads(page), 'in use').toBe(1);
  await page.unroute(isPage);

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
  expect(questions, 'hidden').toEqual([]);
  const loaded = page.waitForEvent('load');
  await show('visible');
  await loaded;
  expect(questions, 'shown again').toHaveLength(1);
  await until(async () => (await loads(page)) === 2);
});

test('after an update, the first link loads the page that was asked for', async () => {
  const page = await open('/?range=10MIN');
  await chartOf(page).waitFor();
  await serveOtherBuild(page);
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.waitForURL('**/history');
  await until(async () => (await loads(page)) === 2);
  await page.getByRole('navigation', { name: 'Span' }).waitFor();
});

test('the error page renews itself once its address answers without an error', async () => {
  // From the dashboard, whose link to notes has the same address, the route would be known already.
  const page = await open('/postdata');
  await page.getByLabel('CO2 reading:').waitFor();
  let asked = 0;
  await page.route(/__manifest/, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.route('**/history', async (route) => {
    asked += 1;
    await route.fulfill({ status: 502, body: 'Bad gateway' });
  });
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByText('This page reloads when the server can show it.').waitFor();
  await page.clock.fastForward(6000);
  await until(() => asked > 0);
  expect(await loads(page), 'while the address answers with an error').toBe(1);
  await page.unroute('**/history');
  await page.clock.fastForward(6000);
  await page.getByRole('navigation', { name: 'Span' }).waitFor();
  expect(await loads(page)).toBe(2);
  page.complaints.splice(0);
});
