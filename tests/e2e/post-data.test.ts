import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postAll, readAll } from '../support/api';
import { tileOf, waitUntilInteractive } from '../support/dashboard';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/page';
import { type RunningServer, startServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Opens /postdata and pauses its automatic readings, so that a test's own are the only ones. */
async function openPanel(): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, `${server.url}/postdata`);
  await waitUntilInteractive(page);
  await page.getByRole('switch').uncheck();
  return page;
}

/** Opens /postdata with a stopped clock, 15,000 ms before its first automatic reading. */
async function startAutoPost() {
  const page = await openTab(await chromium.browser.newContext());
  await page.clock.install({ time: new Date('2026-03-01T08:00:00Z') });
  await page.goto(`${server.url}/postdata`);
  await waitUntilInteractive(page);
  const before = (await readAll(server.url)).length;
  await page.getByRole('switch').uncheck();
  await page.clock.pauseAt(new Date('2026-03-01T09:00:00Z'));
  await page.getByText('paused').waitFor();
  await page.getByRole('switch').check();
  await page.getByText('next in 15 s').waitFor();
  return { page, before, posted: async () => (await readAll(server.url)).length - before };
}

const newestRow = (page: Page) => page.getByRole('row').nth(1);

test('posts typed values as text, and two dashboards show them as numbers', async () => {
  const dashboards = [
    await openPage(chromium.browser, server.url),
    await openPage(chromium.browser, server.url),
  ];
  for (const page of dashboards) await page.getByText('Getting Reading').first().waitFor();
  const panel = await openPanel();
  const [request] = await Promise.all([
    panel.waitForRequest((sent) => sent.method() === 'POST'),
    (async () => {
      await panel.getByLabel('CO2 reading:').fill(' 1234.5 ');
      await panel.getByLabel('VOC reading:').fill('0321');
      await panel.getByRole('button', { name: 'POST', exact: true }).click();
    })(),
  ]);
  expect(request.postDataJSON()).toEqual({ co2: ' 1234.5 ', voc: '0321' });
  await panel.getByText(/^Stored as reading \d+: CO2 1234.5 PPM, VOC 321 PPB/).waitFor();
  expect(await panel.getByLabel('CO2 reading:').inputValue()).toBe(' 1234.5 ');
  expect((await readAll(server.url, '?limit=1'))[0]).toMatchObject({ co2: 1234.5, voc: 321 });
  for (const page of dashboards) {
    await tileOf(page, 'CO2').getByText('1234.5').waitFor();
    await tileOf(page, 'VOC').getByText('321').waitFor();
  }
});

test('shows each error beside its field and keeps the typed values', async () => {
  const panel = await openPanel();
  const before = (await readAll(server.url)).length;
  await panel.getByLabel('CO2 reading:').fill('12,5');
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  const co2 = panel.getByRole('textbox', { name: 'CO2 reading:' });
  const voc = panel.getByRole('textbox', { name: 'VOC reading:' });
  const reasonFor = async (field: typeof co2) =>
    panel.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).innerText();
  await panel.locator('[aria-invalid=true]').first().waitFor();
  expect(await reasonFor(co2)).toContain('point, not a comma');
  expect(await reasonFor(voc)).toContain('is empty');
  expect(await co2.inputValue()).toBe('12,5');
  expect((await readAll(server.url)).length).toBe(before);
  // The browser logs every error response.
  expect(panel.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')]);
  await co2.fill('12.5');
  await voc.fill('3');
  await panel.getByRole('button', { name: 'POST', exact: true }).click();
  await panel.getByText(/^Stored as reading/).waitFor();
  expect(await panel.locator('[aria-invalid=true]').count()).toBe(0);
});

test('Reading +1 posts its counters as numbers, then raises CO2 and lowers VOC', async () => {
  const panel = await openPanel();
  const before = (await readAll(server.url)).length;
  const button = panel.getByRole('button', { name: 'Reading +1' });
  const sent: unknown[] = [];
  panel.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
  await panel.getByText('next: CO2 1, VOC 100').waitFor();
  await button.click();
  await panel.getByText('next: CO2 2, VOC 99').waitFor();
  await panel.getByText(/^Stored as reading \d+: CO2 1 PPM, VOC 100 PPB/).waitFor();
  await button.dblclick();
  await panel.getByText('next: CO2 4, VOC 97').waitFor();
  await until(async () => (await readAll(server.url)).length === before + 3);
  expect(sent).toEqual([
    { co2: 1, voc: 100 },
    { co2: 2, voc: 99 },
    { co2: 3, voc: 98 },
  ]);
});

test('lists the newest ten readings, newest first, as they arrive', async () => {
  const values = Array.from({ length: 12 }, (_, i) => ({ co2: 700 + i, voc: 40 }));
  await postAll(server.url, values);
  const panel = await openPanel();
  expect(await panel.getByRole('row').count()).toBe(11);
  await newestRow(panel).getByRole('cell', { name: '711' }).waitFor();
  await postAll(server.url, [{ co2: 712, voc: 41 }]);
  await newestRow(panel).getByRole('cell', { name: '712' }).waitFor();
  const cells = await panel.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
  expect(cells).toEqual(Array.from({ length: 10 }, (_, i) => String(712 - i)));
});

test('posts a random reading every 15,000 ms until it is paused', async () => {
  const { page, before, posted } = await startAutoPost();
  await page.clock.runFor(1000);
  await page.getByText('next in 14 s').waitFor();
  await page.clock.runFor(13_999);
  await page.getByText('next in 1 s').waitFor();
  expect(await posted()).toBe(0);
  for (const count of [1, 2, 3]) {
    await page.clock.runFor(1);
    await until(async () => (await posted()) === count);
    await page.getByText('next in 15 s').waitFor();
    await page.clock.runFor(14_999);
    await page.getByText('next in 1 s').waitFor();
    expect(await posted()).toBe(count);
  }
  await page.getByRole('switch').uncheck();
  await page.clock.runFor(60_000);
  expect(await posted()).toBe(3);
  for (const { co2, voc } of (await readAll(server.url)).slice(before)) {
    expect([co2, voc].every(Number.isInteger)).toBe(true);
    expect(Number(co2) < 3000 && Number(voc) < 600).toBe(true);
  }
});

test('posts once after an hour asleep, and ignores a change of the system clock', async () => {
  const { page, posted } = await startAutoPost();
  await page.clock.fastForward(3_600_000);
  await until(async () => (await posted()) === 1);
  await page.clock.setSystemTime(new Date('2026-02-01T00:00:00Z'));
  await page.clock.runFor(14_900);
  expect(await posted()).toBe(1);
  await page.clock.runFor(200);
  await until(async () => (await posted()) === 2);
});

test('the clock shows the local time every second', async () => {
  const page = await openTab(
    await chromium.browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Kathmandu' }),
  );
  await page.clock.install({ time: new Date('2026-03-01T08:00:00Z') });
  await page.goto(`${server.url}/postdata`);
  await waitUntilInteractive(page);
  await page.clock.pauseAt(new Date('2026-03-01T18:14:57Z'));
  for (const time of ['23:59:58', '23:59:59', '00:00:00']) {
    await page.clock.runFor(1000);
    await page.getByText(`Local time: ${time}`).waitFor();
  }
});
