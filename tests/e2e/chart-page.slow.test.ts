import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn } from '../support/browser/canvas';
import { chartOf, waitForPoints } from '../support/browser/dashboard';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(5760);
});

afterAll(() => server.stop());

const labelOf = (page: Page) => chartOf(page).getAttribute('aria-label');

test('without a range, starts empty and draws new readings, with links that load the history of each range', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart`);
  await page.getByText('Waiting for the next reading.').waitFor();
  expect(await chartOf(page).count()).toBe(0);
  await post(server.url, { co2: 701, voc: 71 });
  await waitForPoints(page, 1);
  await page.getByLabel(/CO2 between 701 and 701 PPM.*VOC between 71 and 71 PPB/).waitFor();
  await post(server.url, { co2: 702, voc: 72 });
  await waitForPoints(page, 2);
  await page.getByLabel(/CO2 between 701 and 702 PPM, newest point 702\./).waitFor();

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
  }
  // A new tab at this address shows the same.
  const fresh = await openTab(page.context());
  await fresh.goto(page.url());
  await waitForPoints(fresh, 24);
  await until(async () => (await labelOf(fresh)) === (await labelOf(page)));
  await page.goBack();
  await waitForPoints(page, 18);
});

test('an unknown page answers 404, and its links work before the other routes are known', async () => {
  const page = await openPage(chromium.browser, 'about:blank');
  let asked: Route[] = [];
  await page.route('**', (route) =>
    route.request().resourceType() === 'fetch' && asked.push(route) ? undefined : route.continue(),
  );
  for (const part of ['main', 'banner'] as const) {
    const answer = await page.goto(`${server.url}/nowhere`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await until(() => asked.length > 0);
    const links = page.getByRole(part).getByRole('link');
    const addresses = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(addresses, part).toEqual(['/', '/history', '/chart', '/postdata']);
    await links.getByText('Post data').click();
    await page.getByRole('heading', { name: 'Newest readings' }).waitFor();
    await Promise.allSettled(asked.map((route) => route.abort()));
    asked = [];
  }
  page.complaints.splice(0);
});

test('the chart follows the colour scheme, even when it changes while the page is open', async () => {
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

  // The viewer's choice wins over the system, also after a reload.
  await page.getByLabel('Colours').selectOption('Light');
  for (const color of light) await until(() => isDrawnIn(color));
  for (const color of dark) expect(await isDrawnIn(color)).toBe(false);
  await page.reload();
  await waitForPoints(page, 12);
  for (const color of light) await until(() => isDrawnIn(color));
  for (const color of dark) expect(await isDrawnIn(color)).toBe(false);
  await page.context().clearCookies();
});

// This test comes last, because pages without a sensor in their address would show the sensor that it adds.
test('a gap in the readings breaks the line, and the text alternative mentions it after a new reading', async () => {
  const sensor = await addSensor(server, evenReadings(10, { endMs: 600_000 }));
  const page = await openPage(chromium.browser, `${server.url}/chart?range=10MIN&sensor=${sensor}`);
  await waitForPoints(page, 10);
  expect(await labelOf(page)).not.toContain('missing');
  await post(server.url, { co2: 2999, voc: 200, sensor });
  await page
    .getByLabel(/11 points.*CO2 between \d+ and 2999 PPM.*Readings are missing in one place\./)
    .waitFor();
});

test('draws 24 hours at 400 kbit/s from one request', async () => {
  const seeded = await startServerWith(6000);
  // A new context has no script in its cache, and the line of no other test becomes slow.
  const context = await chromium.browser.newContext();
  const page = await openTab(context);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  const bytesPerSecond = 50_000;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/data?')) asked.push(request.url());
  });
  await page.goto(`${seeded.url}/chart?range=24HR`, { waitUntil: 'commit', timeout: 60_000 });
  await page.getByRole('img', { name: /^Line chart.*: 2[45] points\./ }).waitFor({ timeout: 80_000 });
  // Requests for news are smaller.
  const histories = asked.filter((url) => Number(new URL(url).searchParams.get('limit')) > 1000);
  expect(histories).toHaveLength(1);
  await context.close();
  await seeded.stop();
}, 180_000);
