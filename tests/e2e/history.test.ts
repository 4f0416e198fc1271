import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartOf } from '../support/dashboard';
import { storeReadings } from '../support/database';
import { queryOf, spanLink, spanTitleOn, waitForHistory, waitForSpan } from '../support/history-page';
import { openPage, stopAfterTest, type WatchedPage, withChromium } from '../support/page';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

/** The viewers' time zone, an hour ahead of UTC in winter. The server's is another one. */
const ZONE = 'Europe/Berlin';

/** One reading every five minutes from the 4th of March 2025, 10:15, to the 6th, 23:00, in the viewers' zone. */
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

async function open(search = ''): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, `${server.url}/history${search}`, {
    timezoneId: ZONE,
    locale: 'en-GB',
  });
  await waitForHistory(page);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('the span', () => {
  test('is today without one in the address', async () => {
    const page = await open();
    await spanLink(page, 'day').and(page.locator('[aria-current=page]')).waitFor();
    const today = new Date().toLocaleDateString('en-CA', { timeZone: ZONE });
    // The test may have begun yesterday.
    expect([today, await page.getByLabel('Date').inputValue()]).toContain(today);
    expect(await button(page, 'Later').isDisabled()).toBe(true);
    expect(await button(page, 'Now').isVisible()).toBe(false);
  });

  test('changes by its links, with the address, and Back and Forward return to each', async () => {
    const page = await open('?date=2025-03-05');
    await waitForSpan(page, 'Wed 5 Mar 2025');
    await spanLink(page, 'week').click();
    await waitForSpan(page, '3–9 Mar 2025');
    expect(queryOf(page)).toEqual({ span: 'week', date: '2025-03-05' });
    await spanLink(page, 'year').click();
    await waitForSpan(page, '2025');
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
  });

  test('moves to earlier and later ones by buttons and arrow keys', async () => {
    const page = await open('?date=2025-03-05');
    await button(page, 'Earlier').click();
    await waitForSpan(page, 'Tue 4 Mar 2025');
    await page.keyboard.press('ArrowRight');
    await waitForSpan(page, 'Wed 5 Mar 2025');
    await page.keyboard.press('ArrowRight');
    await waitForSpan(page, 'Thu 6 Mar 2025');
    await button(page, 'Later').click();
    await waitForSpan(page, 'Fri 7 Mar 2025');
    // These are the browser's.
    await page.keyboard.press('Control+ArrowLeft');
    await spanLink(page, 'month').click();
    await waitForSpan(page, 'Mar 2025');
    await page.keyboard.press('ArrowLeft');
    await waitForSpan(page, 'Feb 2025');
  });

  test('arrow keys in the chart, in the table of hours and in the date field stay there', async () => {
    const page = await open('?date=2025-03-05');
    const table = page.getByRole('table', { name: /CO2/ }).first();
    await table.getByRole('link').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByLabel('Date').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Earlier' }).focus();
    expect(await spanTitleOn(page)).toBe('Wed 5 Mar 2025');
    await page.keyboard.press('ArrowLeft');
    await waitForSpan(page, 'Tue 4 Mar 2025');
  });

  test('is the one with a date that is chosen', async () => {
    const page = await open('?span=week&date=2025-03-05');
    await page.getByLabel('Date').fill('2025-03-12');
    await waitForSpan(page, '10–16 Mar 2025');
    expect(queryOf(page)).toEqual({ span: 'week', date: '2025-03-12' });
    await page.goBack();
    await waitForSpan(page, '3–9 Mar 2025');
    expect(await page.getByLabel('Date').inputValue()).toBe('2025-03-05');
  });

  test('Now leads to the present', async () => {
    const page = await open('?span=month&date=2025-03-05');
    await button(page, 'Now').click();
    await until(() => !('date' in queryOf(page)));
    await button(page, 'Now').waitFor({ state: 'hidden' });
    expect(queryOf(page)).toEqual({ span: 'month' });
  });

  test('a wrong address gets an error with the reason', async () => {
    const page = await openPage(chromium.browser, `${server.url}/history?span=decade`);
    await page.getByRole('heading', { name: '400 Unknown span' }).waitFor();
    await page.getByText('There is no span "decade". Choose day, week, month, year or all.').waitFor();
    page.complaints.splice(0);
  });
});

test.each([
  ['a wide screen', 1280, { day: 120, month: 3600, year: 86_400 }],
  ['a phone', 390, { day: 300, month: 7200, year: 86_400 }],
])('%s shows a day, a month and a year in steps that it has room for', async (_, width, steps) => {
  const page = await open('?date=2025-03-05');
  await page.setViewportSize({ width, height: 844 });
  for (const [name, step] of Object.entries(steps)) {
    await page.goto(`${server.url}/history?span=${name}&date=2025-03-05`);
    await page.locator(`[aria-busy=false] > [data-step="${step}"]`).waitFor();
  }
});

describe('a finger that swipes', () => {
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

  test('turns to an earlier or a later span, but not on the chart', async () => {
    const page = await openPage(chromium.browser, `${server.url}/history?date=2025-03-05`, {
      timezoneId: ZONE,
      locale: 'en-GB',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await waitForHistory(page);
    await swipe(page, 'section[aria-busy=false]', 200);
    await waitForSpan(page, 'Tue 4 Mar 2025');
    await swipe(page, 'section[aria-busy=false]', -200);
    await waitForSpan(page, 'Wed 5 Mar 2025');
    await swipe(page, 'canvas', 100);
    // It moves the chart, by less than a day.
    await until(async () => /^4 Mar 2025 \d+:\d\d – 5 Mar 2025/.test(await spanTitleOn(page)));
  });
});

describe('a span without readings says why', () => {
  test('before the first one, with a way to it', async () => {
    const page = await open('?date=2025-03-01');
    await page.getByRole('status').getByText('The first reading is from 4 Mar 2025.').waitFor();
    await page.getByRole('status').getByRole('link', { name: '4 Mar 2025' }).click();
    await waitForSpan(page, 'Tue 4 Mar 2025');
    await waitForHistory(page);
    expect(await page.getByRole('status').count()).toBe(0);
  });

  test('after the last one', async () => {
    const page = await open('?span=week&date=2025-03-12');
    await page.getByText('No readings in this week.').waitFor();
  });

  test('in the future', async () => {
    const page = await open('?date=2098-01-01');
    await page.getByText('This is in the future.').waitFor();
    expect(await button(page, 'Later').isDisabled()).toBe(true);
  });

  test('in an empty store', async () => {
    const empty = await startServer();
    stopAfterTest(empty);
    const page = await openPage(chromium.browser, `${empty.url}/history`);
    await page.getByText('No readings yet. Post the first one.').waitFor();
  });
});

test('the comparison with the day before is kept in the address, and becomes one with the week before', async () => {
  const page = await open('?date=2025-03-06');
  await page.getByRole('button', { name: 'Compare: day before' }).click();
  await page.getByText('day before', { exact: true }).waitFor();
  expect(queryOf(page)).toMatchObject({ compare: 'before' });
  await spanLink(page, 'week').click();
  await page.getByRole('button', { name: 'Compare: week before', pressed: true }).waitFor();
  await spanLink(page, 'all').click();
  await page.getByRole('button', { name: 'Compare', exact: true, disabled: true }).waitFor();
});

test('the download has exactly the readings of the span', async () => {
  const page = await open('?date=2025-03-05');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const rows = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
  const [from, to] = [Date.parse('2025-03-04T23:00:00Z'), Date.parse('2025-03-05T23:00:00Z')];
  const inside = readings
    .map(({ created_at }) => created_at)
    .filter((time) => Date.parse(time) >= from && Date.parse(time) < to);
  expect(inside).toHaveLength(288);
  expect(rows.map((row) => row.split(',')[0])).toEqual(inside);
});

test('an hour of the table is opened, and Back returns to the day', async () => {
  const page = await open('?date=2025-03-05');
  await page.getByRole('link', { name: /^Tue 4 Mar, 18:00–19:00: average/ }).click();
  await waitForSpan(page, '4 Mar 2025 18:00 – 19:00');
  expect(queryOf(page)).toEqual({ from: '2025-03-04T17:00:00Z', to: '2025-03-04T18:00:00Z' });
  await page.goBack();
  await waitForSpan(page, 'Wed 5 Mar 2025');
});

test('a day of the calendar of a year is opened', async () => {
  const page = await open('?span=year&date=2025-03-05');
  await page.getByRole('link', { name: /^Wed 5 Mar 2025: average/ }).click();
  await waitForSpan(page, 'Wed 5 Mar 2025');
  expect(queryOf(page)).toEqual({ span: 'day', date: '2025-03-05' });
});

test('the page works by keyboard alone', async () => {
  const page = await open('?date=2025-03-05');
  await spanLink(page, 'week').focus();
  await page.keyboard.press('Enter');
  await waitForSpan(page, '3–9 Mar 2025');
  // The chart of the day would be zoomed otherwise.
  await waitForHistory(page);
  await page.getByRole('slider').focus();
  await page.keyboard.press('+');
  await until(async () => 'from' in queryOf(page));
  await waitForHistory(page);
  await page.getByRole('link', { name: /^Thu 6 Mar, 10:00–11:00/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await waitForSpan(page, '6 Mar 2025 9:00 – 10:00');
});
