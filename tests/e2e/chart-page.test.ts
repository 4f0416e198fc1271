import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { drawingOn } from '../support/canvas';
import { chartOf, waitForPoints } from '../support/dashboard';
import { openPage, openTab, stopAfterTest, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(5760);
});

afterAll(() => server.stop());

const labelOf = (page: Page) => chartOf(page).getAttribute('aria-label');

test('without a range, starts empty and draws the readings that arrive', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart`);
  await page.getByText('Waiting for the next reading.').waitFor();
  expect(await chartOf(page).count()).toBe(0);
  await post(server.url, { co2: 701, voc: 71 });
  await waitForPoints(page, 1);
  await page.getByLabel(/CO2 between 701 and 701 PPM.*VOC between 71 and 71 PPB/).waitFor();
  await post(server.url, { co2: 702, voc: 72 });
  await waitForPoints(page, 2);
  await page.getByLabel(/CO2 between 701 and 702 PPM, newest point 702\./).waitFor();
});

test('its links load the history of each range, as does the address with that range', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart`);
  const fresh = await openTab(page.context());
  for (const [name, points] of [
    ['10MIN', 10],
    ['1HR', 12],
    ['6HR', 18],
    ['24HR', 24],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.waitForURL(`${server.url}/chart?range=${name}`);
    await waitForPoints(page, points);
    expect(await page.getByRole('link', { name, exact: true }).getAttribute('aria-current')).toBe('page');
    await fresh.goto(page.url());
    await waitForPoints(fresh, points);
    await until(async () => (await labelOf(fresh)) === (await labelOf(page)));
  }
  await page.goBack();
  await waitForPoints(page, 18);
});

test('with a range, a new reading changes the newest point', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart?range=10MIN`);
  await waitForPoints(page, 10);
  await post(server.url, { co2: 2999, voc: 71 });
  await page.getByLabel(/CO2 between \d+ and 2999 PPM/).waitFor();
  expect((await readAll(server.url, '?limit=1'))[0]?.co2).toBe(2999);
});

test('an unknown range is a 400 page that names the ranges; an unknown page is a 404 page with links', async () => {
  const page = await openPage(chromium.browser, 'about:blank');
  for (const address of [
    '/?range=1hr',
    '/chart?range=10MIN%20',
    '/chart?range=%3Cb%3Ex%3C/b%3E',
    '/?range=',
  ]) {
    const answer = await fetch(server.url + address);
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain('400 Unknown range');
    expect(html).toContain('Choose one of these: 10MIN, 1HR, 6HR, 24HR.');
  }
  const answer = await page.goto(`${server.url}/nowhere`);
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  const main = page.getByRole('main');
  const addresses = await main
    .getByRole('link')
    .evaluateAll((links) => links.map((a) => a.getAttribute('href')));
  expect(addresses).toEqual(['/', '/history', '/chart', '/postdata']);
  await main.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Readings' }).waitFor();
  // The browser logs every error response.
  expect(page.complaints.splice(0).filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
});

test.each(['main', 'banner'] as const)(
  'a link in the %s of the 404 page works before that page has its routes',
  async (part) => {
    const page = await openPage(chromium.browser, 'about:blank');
    const asked: Route[] = [];
    await page.route('**', (route) =>
      route.request().resourceType() === 'fetch' && asked.push(route) ? undefined : route.continue(),
    );
    await page.goto(`${server.url}/nowhere`);
    await until(() => asked.length > 0);
    await page.getByRole(part).getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Readings' }).waitFor();
    await Promise.allSettled(asked.map((route) => route.abort()));
    page.complaints.splice(0);
  },
);

test('a gap in the readings breaks the line, and the text alternative mentions it', async () => {
  const late = await startServerWith(10, { endMs: 600_000 });
  stopAfterTest(late);
  const page = await openPage(chromium.browser, `${late.url}/chart?range=10MIN`);
  await waitForPoints(page, 10);
  expect(await chartOf(page).getAttribute('aria-label')).not.toContain('missing');
  await post(late.url, { co2: 640, voc: 200 });
  await page.getByLabel(/11 points.*Readings are missing in one place\./).waitFor();
});

test('the chart follows the colour scheme, also when it changes while the page is open', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart?range=1HR`);
  const colors = (name: string) =>
    page.evaluate((property) => getComputedStyle(document.documentElement).getPropertyValue(property), name);
  const isDrawnIn = async (line: string) => (await drawingOn(page)).strokes.includes(line);
  await waitForPoints(page, 12);
  const light = [await colors('--co2'), await colors('--voc')];
  for (const color of light) await until(() => isDrawnIn(color));
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = [await colors('--co2'), await colors('--voc')];
  expect(dark).not.toEqual(light);
  for (const color of dark) await until(() => isDrawnIn(color));
  for (const color of light) expect(await isDrawnIn(color)).toBe(false);
});
