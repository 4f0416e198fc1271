import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartOf } from '../support/browser/dashboard';
import { queryOf, spanLink, spanTitleOn, waitForHistory, waitForSpan } from '../support/browser/history-page';
import { openPage, type WatchedPage, withChromium } from '../support/browser/page';
import { storeReadings } from '../support/readings/database';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { LONG } from '../support/size';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

/** The viewers' time zone, an hour ahead of UTC in winter. The server has another one. */
const ZONE = 'Europe/Berlin';

/** A reading every five minutes from 4 March 2025, 10:15, to 6 March, 23:00, in the viewers' zone. */
const FIRST = Date.parse('2025-03-04T09:15:00Z');
const COUNT = 729;
const readings = Array.from({ length: COUNT }, (_, i) => ({
  co2: 600 + (i % 100),
  voc: 100 + (i % 20),
  created_at: new Date(FIRST + i * 300_000).toISOString(),
}));

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath, env: { TZ: 'Pacific/Auckland' } });
});

afterAll(() => server.stop());

async function open(search = '', options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, `${server.url}/history${search}`, {
    timezoneId: ZONE,
    locale: 'en-GB',
    ...options,
  });
  await waitForHistory(page);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Waits until the chart has steps of this many seconds. */
const waitForStep = (page: Page, step: number) =>
  page.locator(`[aria-busy=false] > [data-step="${step}"]`).waitFor();

test('the page opens at the newest day with readings, at a chosen date, and at the present after Now', async () => {
  const page = await open();
  await waitForSpan(page, 'Thu 6 Mar 2025');
  await spanLink(page, 'day').and(page.locator('[aria-current=page]')).waitFor();
  expect(await page.getByLabel('Date').inputValue()).toBe('2025-03-06');
  await button(page, 'Now').click();
  await page.getByRole('status').getByRole('link', { name: '6 Mar 2025' }).waitFor();
  expect(await button(page, 'Later').isDisabled()).toBe(true);
  expect(await button(page, 'Now').isVisible()).toBe(false);

  await spanLink(page, 'week').click();
  await waitForSpan(page, 'Last 7 days');
  await page.getByLabel('Date').fill('2025-03-12');
  await waitForSpan(page, '10–16 Mar 2025');
  expect(queryOf(page)).toEqual({ span: 'week', date: '2025-03-12' });
  await page.goBack();
  await waitForSpan(page, 'Last 7 days');
  await button(page, 'Earlier').click();
  await until(() => 'to' in queryOf(page));
  await button(page, 'Later').click();
  await waitForSpan(page, 'Last 7 days');
  // The calendar week isn't the last seven days.
  await page.getByLabel('Date').fill(new Date().toLocaleDateString('en-CA', { timeZone: ZONE }));
  await until(() => 'date' in queryOf(page));
  await button(page, 'Now').click();
  await waitForSpan(page, 'Last 7 days');
  await button(page, 'Now').waitFor({ state: 'hidden' });
  expect(queryOf(page)).toEqual({ span: 'week' });
});

test('another span is announced once, and Later and Now keep the focus when they reach the present', async () => {
  const page = await open('?span=week');
  await waitForSpan(page, 'Last 7 days');
  const announced = page.locator('[aria-live=polite]');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await announced.textContent()).toBe('');
  await button(page, 'Earlier').press('Enter');
  await until(async () => (await announced.textContent())?.endsWith(await spanTitleOn(page)) === true);
  await button(page, 'Later').press('Enter');
  await announced.getByText('Last 7 days').waitFor();
  expect(await button(page, 'Later').isDisabled()).toBe(true);
  expect(await focused()).toBe('Later');
  await button(page, 'Earlier').press('Enter');
  await button(page, 'Now').press('Enter');
  await announced.getByText('Last 7 days').waitFor();
  expect(await focused()).toBe('Earlier');
});

test('links, buttons and arrow keys change the span and the address, and Back and Forward return to each', async () => {
  const page = await open('?date=2025-03-05');
  await waitForSpan(page, 'Wed 5 Mar 2025');
  await waitForStep(page, 120);
  await spanLink(page, 'week').click();
  await waitForSpan(page, '3–9 Mar 2025');
  expect(queryOf(page)).toEqual({ span: 'week', date: '2025-03-05' });
  await spanLink(page, 'year').click();
  await waitForSpan(page, '2025');
  await waitForStep(page, 86_400);
  await spanLink(page, 'all').click();
  await waitForSpan(page, 'All readings');
  expect(queryOf(page)).toEqual({ span: 'all' });
  await page.goBack();
  await waitForSpan(page, '2025');
  await page.goBack();
  await waitForSpan(page, '3–9 Mar 2025');
  await waitForHistory(page);
  expect(await chartOf(page).getAttribute('aria-label')).toMatch(/from 4 Mar 2025,? 10:\d\d/);
  await page.goForward();
  await waitForSpan(page, '2025');
  await spanLink(page, 'day').click();
  await waitForSpan(page, 'Wed 5 Mar 2025');

  await button(page, 'Earlier').click();
  await waitForSpan(page, 'Tue 4 Mar 2025');
  await page.keyboard.press('ArrowRight');
  await waitForSpan(page, 'Wed 5 Mar 2025');
  await button(page, 'Later').click();
  await waitForSpan(page, 'Thu 6 Mar 2025');
  // The browser handles these keys.
  await page.keyboard.press('Control+ArrowLeft');
  await spanLink(page, 'month').click();
  await waitForSpan(page, 'Mar 2025');
  await waitForStep(page, 3600);
  await page.keyboard.press('ArrowLeft');
  await waitForSpan(page, 'Feb 2025');
});

test(
  'the page works by keyboard alone, and the chart, the table and the date field keep their arrow keys',
  LONG,
  async () => {
    const page = await open('?date=2025-03-05');
    const table = page.getByRole('table', { name: /CO2/ }).first();
    await table.getByRole('link').first().press('ArrowRight');
    await page.getByRole('slider').press('ArrowLeft');
    await page.getByLabel('Date').press('ArrowRight');
    await button(page, 'Earlier').focus();
    expect(await spanTitleOn(page)).toBe('Wed 5 Mar 2025');
    await page.keyboard.press('ArrowLeft');
    await waitForSpan(page, 'Tue 4 Mar 2025');

    await spanLink(page, 'week').focus();
    await page.keyboard.press('Enter');
    await waitForSpan(page, '3–9 Mar 2025');
    // Otherwise the chart of the day would be zoomed.
    await waitForHistory(page);
    await page.getByRole('slider').focus();
    await page.keyboard.press('+');
    await until(async () => 'from' in queryOf(page));
    await waitForHistory(page);
    // The table of the zoomed span replaces that of the week, and its focused link.
    await until(() => page.evaluate(() => !document.querySelector('section[aria-busy=true]')));
    await page.getByRole('link', { name: /^Thu 6 Mar, 10:00–11:00/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await waitForSpan(page, '6 Mar 2025 9:00 – 10:00');
  },
);

async function swipe(page: Page, selector: string, dx: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  const box = await page.locator(selector).first().boundingBox();
  const [x, y] = [195 - dx / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x, y }]);
  for (let i = 1; i <= 5; i++) await touch('touchMove', [{ x: x + (dx * i) / 5, y }]);
  await touch('touchEnd', []);
}

test('on a phone, a swipe changes the span except on the chart, which has fewer steps', async () => {
  const page = await open('?date=2025-03-05', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await waitForStep(page, 300);
  await swipe(page, 'section[aria-busy=false]', 200);
  await waitForSpan(page, 'Tue 4 Mar 2025');
  await swipe(page, 'section[aria-busy=false]', -200);
  await waitForSpan(page, 'Wed 5 Mar 2025');
  await swipe(page, 'canvas', 100);
  // On the chart, the swipe moves the span by less than a day.
  await until(async () => /^4 Mar 2025 \d+:\d\d – 5 Mar 2025/.test(await spanTitleOn(page)));
  await spanLink(page, 'month').click();
  await waitForStep(page, 7200);
  await spanLink(page, 'year').click();
  await waitForStep(page, 86_400);
});

test('an empty span says why, and links to the first reading', async () => {
  const page = await open('?date=2098-01-01');
  await page.getByText('This is in the future.').waitFor();
  expect(await button(page, 'Later').isDisabled()).toBe(true);
  await page.getByLabel('Date').fill('2025-03-12');
  await page.getByText('No readings on this day.').waitFor();
  await page.getByLabel('Date').fill('2025-03-01');
  await page.getByRole('status').getByText('The first reading is from 4 Mar 2025.').waitFor();
  await page.getByRole('status').getByRole('link', { name: '4 Mar 2025' }).click();
  await waitForSpan(page, 'Tue 4 Mar 2025');
  await waitForHistory(page);
  expect(await page.getByRole('status').count()).toBe(0);
});

test('opens an hour from the table and a day from the calendar, and Back returns', async () => {
  const page = await open('?date=2025-03-05');
  await page.getByRole('link', { name: /^Tue 4 Mar, 18:00–19:00: average/ }).click();
  await waitForSpan(page, '4 Mar 2025 18:00 – 19:00');
  expect(queryOf(page)).toEqual({ from: '2025-03-04T17:00:00Z', to: '2025-03-04T18:00:00Z' });
  await page.goBack();
  await waitForSpan(page, 'Wed 5 Mar 2025');
  await spanLink(page, 'year').click();
  await page.getByRole('link', { name: /^Thu 6 Mar 2025: average/ }).click();
  await waitForSpan(page, 'Thu 6 Mar 2025');
  expect(queryOf(page)).toEqual({ span: 'day', date: '2025-03-06' });
});

test('the download contains exactly the readings of the span, and the address keeps the comparison for other spans', async () => {
  const page = await open('?date=2025-03-05');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/-2025-03-05\.csv$/);
  const rows = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
  const [from, to] = [Date.parse('2025-03-04T23:00:00Z'), Date.parse('2025-03-05T23:00:00Z')];
  const inside = readings
    .map(({ created_at }) => created_at)
    .filter((time) => Date.parse(time) >= from && Date.parse(time) < to);
  expect(inside).toHaveLength(288);
  expect(rows.map((row) => row.split(',')[0])).toEqual(inside);

  await page.getByRole('button', { name: 'Compare: day before' }).click();
  await page.getByText('day before', { exact: true }).waitFor();
  expect(queryOf(page)).toMatchObject({ compare: 'before' });
  await spanLink(page, 'week').click();
  await page.getByRole('button', { name: 'Compare: week before', pressed: true }).waitFor();
  await spanLink(page, 'all').click();
  await page.getByRole('button', { name: 'Compare', exact: true, disabled: true }).waitFor();
});

test('no link leads to years without a valid address', async () => {
  for (const search of ['?span=year&date=2000-05-05', '?span=day&date=2000-01-01']) {
    const page = await open(search);
    expect(await button(page, 'Earlier').isDisabled(), search).toBe(true);
    const url = page.url();
    await page.keyboard.press('ArrowLeft');
    await button(page, 'Later').click();
    await until(() => page.url() !== url);
    await until(() => button(page, 'Earlier').isEnabled());
  }
});

test('a span of more than a year has steps of one day', async () => {
  const page = await open('?from=2025-01-01T00:00:00Z&to=2026-06-01T00:00:00Z');
  expect(await page.locator('[data-step]').getAttribute('data-step')).toBe('86400');
});
