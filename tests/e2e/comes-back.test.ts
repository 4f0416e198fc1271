import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tileOf } from '../support/browser/dashboard';
import { forgetFailedRequests, openLiveTabs } from '../support/browser/live-tabs';
import { type Network, openNetwork } from '../support/browser/network';
import { openTab, withChromium } from '../support/browser/page';
import { seedDatabase } from '../support/readings/database';
import { post, postAll, readAll } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;
let network: Network;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, env: { RANDOM_POSTS: 'false' } });
  network = await openNetwork(server.port);
});

afterAll(() => Promise.all([network.close(), server.stop()]));

/** Returns readings with distinct values. */
const distinct = (count: number, from = 1000) =>
  Array.from({ length: count }, (_, i) => ({ co2: from + i, voc: i }));

test('every page replaces a silently dead connection, and catches up with a hundred readings posted while it was offline', async () => {
  const { pages } = await openLiveTabs(chromium.browser, network, '/', '/postdata', '/chart?range=1HR');
  const [dashboard, panel, chart] = pages;
  network.stall();
  await postAll(server.url, distinct(5));
  network.mend();
  // Browsers dispatch this when they join another network.
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('online')));
  for (const page of [dashboard, panel]) await page.getByText('1004', { exact: true }).waitFor();
  await chart.getByLabel(/ and 1004 PPM/).waitFor();
  await post(server.url, { co2: 1333, voc: 33 });
  for (const page of [dashboard, panel]) await page.getByText('1333', { exact: true }).waitFor();
  await chart.getByLabel(/ and 1333 PPM/).waitFor();

  network.cut();
  await dashboard.context().setOffline(true);
  await dashboard.getByRole('alert').waitFor();
  await postAll(server.url, distinct(100, 1400));
  expect(await tileOf(dashboard, 'CO2').innerText()).toContain('1333');
  network.mend();
  await dashboard.context().setOffline(false);
  await tileOf(dashboard, 'CO2').getByText('1499', { exact: true }).waitFor();
  await untilLikeFreshlyOpened(...pages);
  forgetFailedRequests(...pages);
});

test('twelve tabs of one browser are live at once; a hidden one closes its connection and catches up when it is shown', {
  timeout: 180_000,
}, async () => {
  // Over HTTP/1.1 a browser opens six connections.
  const others = Array<string>(10).fill('/postdata');
  const { pages } = await openLiveTabs(chromium.browser, network, '/', '/postdata', ...others);
  const [hidden, panel] = pages;
  await post(server.url, { co2: 555, voc: 55 });
  for (const page of pages) await page.getByText('555', { exact: true }).waitFor();
  // One connection is left for posts.
  const before = await readAll(server.url);
  await panel.getByLabel('CO2 reading:').fill('415');
  await panel.getByLabel('VOC reading:').fill('12');
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await until(async () => (await readAll(server.url)).length === before.length + 1);
  await tileOf(hidden, 'CO2').getByText('415', { exact: true }).waitFor();

  const show = (state: 'hidden' | 'visible') =>
    hidden.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  await postAll(server.url, distinct(10));
  for (const page of pages.slice(1)) await page.getByText('1009', { exact: true }).waitFor();
  await tileOf(hidden, 'CO2').getByText('415', { exact: true }).waitFor();
  await show('visible');
  await tileOf(hidden, 'CO2').getByText('1009', { exact: true }).waitFor();
  await untilLikeFreshlyOpened(hidden);
  await post(server.url, { co2: 444, voc: 44 });
  await tileOf(hidden, 'CO2').getByText('444', { exact: true }).waitFor();
});

test('a stream that breaks repeatedly delivers every reading once, in order', async () => {
  const page = await openTab(await chromium.browser.newContext());
  await page.goto(`${network.url}/robots.txt`);
  await page.evaluate(() => {
    const ids: number[] = [];
    Object.assign(window, { ids });
    new EventSource('/api/live?after=0').onmessage = ({ data }) => ids.push(JSON.parse(data).new.id);
  });
  const received = () => page.evaluate(() => (window as unknown as { ids: number[] }).ids);
  const before = (await readAll(server.url)).length;
  for (let drop = 0; drop < 3; drop++) {
    const reached = (await postAll(server.url, distinct(10))).at(-1)?.id;
    await until(async () => (await received()).at(-1) === reached);
    // Cuts while some readings have arrived and others are still being posted.
    const posting = postAll(server.url, distinct(30));
    network.cut();
    await posting;
    network.mend();
    await postAll(server.url, distinct(10));
  }
  const stored = (await readAll(server.url)).map(({ id }) => id);
  expect(stored).toHaveLength(before + 150);
  await until(async () => (await received()).at(-1) === stored.at(-1));
  expect(await received()).toEqual(stored);
  await page.goto('about:blank');
  forgetFailedRequests(page);
});

test('pages of a killed server say so, keep typed values, and catch up after its restart', async () => {
  const { pages, co2 } = await openLiveTabs(chromium.browser, network, '/', '/postdata');
  const [dashboard, panel] = pages;
  await server.stop('SIGKILL');
  const tile = tileOf(dashboard, 'CO2');
  await tile.getByText('reconnecting…').waitFor();
  expect(await tile.getAttribute('data-level')).toBeNull();
  expect(await tile.getByText('%').count()).toBe(0);
  await dashboard.getByText('The air is not known').waitFor();
  await panel.getByText('Reconnecting…').waitFor();
  await panel.getByLabel('CO2 reading:').fill('417');
  await panel.getByLabel('VOC reading:').fill('12');
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await panel.getByText('The reading may or may not be stored.').waitFor();
  expect(await panel.getByLabel('CO2 reading:').inputValue()).toBe('417');
  expect(await panel.getByLabel('VOC reading:').inputValue()).toBe('12');
  await panel.getByRole('cell', { name: String(co2) }).waitFor();

  server = await server.restart();
  await postAll(server.url, distinct(20));
  await tile.getByText('1019', { exact: true }).waitFor();
  await untilLikeFreshlyOpened(...pages);
  await panel.getByText('Reconnecting…').waitFor({ state: 'hidden' });
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await panel.getByText(/Stored as reading \d+: CO2 417 PPM/).waitFor();
  expect((await readAll(server.url)).filter(({ co2 }) => co2 === 417)).toHaveLength(1);
  await tile.getByText('417', { exact: true }).waitFor();
  await tile.getByText('good').waitFor();
  forgetFailedRequests(...pages);
});

test('shows only the readings of the new file after the server restarted with another one', async () => {
  const { pages } = await openLiveTabs(chromium.browser, network, '/');
  const [page] = pages;
  await server.stop();
  rmSync(server.databasePath);
  await seedDatabase(server.databasePath, 5, { endMs: 5000 });
  server = await server.restart();
  await post(server.url, { co2: 222, voc: 22 });
  await tileOf(page, 'CO2').getByText('222').waitFor();
  await untilLikeFreshlyOpened(page);
  // A stopping server answers a request that arrived in time with 503.
  page.complaints = page.complaints.filter((text) => !/with a status of 503/.test(text));
  forgetFailedRequests(page);
});

/** Returns the chart's label and the listed readings. */
function contentOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const chart = document.querySelector('[role=img][aria-label^="Line chart"]');
    const rows = [...document.querySelectorAll('tr')].map((row) => row.innerText);
    return [chart?.ariaLabel ?? '', ...rows].join('\n');
  });
}

/** Waits until each of these pages of one browser shows the same as a new tab on its address. */
async function untilLikeFreshlyOpened(...pages: Page[]): Promise<void> {
  const [first] = pages;
  if (!first) return;
  const fresh = await openTab(first.context());
  for (const page of pages) {
    await fresh.goto(page.url());
    await until(async () => {
      const [expected, actual] = await Promise.all([contentOf(fresh), contentOf(page)]);
      return expected !== '' && expected === actual;
    });
  }
  await fresh.close();
}
