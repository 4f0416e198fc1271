import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartPlace } from '../support/browser/canvas';
import { chartOf } from '../support/browser/dashboard';
import { queryOf, spanLink, spanTitleOn, waitForHistory, waitForSpan } from '../support/browser/history-page';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { storeReadings } from '../support/readings/database';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

/** Ten days with a reading every minute, in March 2025. */
const FIRST = Date.parse('2025-03-04T09:15:00Z');
const COUNT = 14_400;

beforeAll(async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  const readings = Array.from({ length: COUNT }, (_, i) => ({
    co2: 600 + (i % 100),
    voc: 100 + (i % 20),
    created_at: new Date(FIRST + i * 60_000).toISOString(),
  }));
  await storeReadings(databasePath, readings);
  server = await startServer({ databasePath });
});

afterAll(() => server.stop());

/** Opens a tab of a viewer in UTC. */
async function open(search: string): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, `${server.url}/history${search}`, { timezoneId: 'UTC' });
  await waitForHistory(page);
  return page;
}

/** The length of the span in the address, in seconds. */
function lengthOf(page: Page): number {
  const { from = '', to = '' } = queryOf(page);
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** Turns the wheel three times and waits until the page has come to rest. */
async function turn(page: Page, deltaY: number): Promise<void> {
  const before = page.url();
  for (let i = 0; i < 3; i++) await page.mouse.wheel(0, deltaY);
  await until(() => page.url() !== before);
  await waitForHistory(page);
}

/** Moves the pointer over the chart, where 0 is its left edge and 1 its right one. */
async function hoverAt(page: Page, share: number): Promise<void> {
  const { left, top, right } = await chartPlace(page);
  const box = await chartOf(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + left + share * (right - left), (box?.y ?? 0) + top + 80);
}

const stepOf = async (page: Page) => Number(await page.locator('[data-step]').getAttribute('data-step'));

test('the wheel leads from years to single readings and back, and the address follows', async () => {
  const [from, to] = [FIRST, Date.parse('2026-11-24T00:00:00Z')];
  const page = await open(`?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`);
  expect(await stepOf(page)).toBeGreaterThanOrEqual(43_200);
  // The readings are at the left edge.
  const lengths = [(to - from) / 1000];
  const steps = [await stepOf(page)];
  while ((lengths.at(-1) ?? 0) > 600) {
    await hoverAt(page, 0.01);
    await turn(page, -700);
    lengths.push(lengthOf(page));
    steps.push(await stepOf(page));
  }
  expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
  expect(steps).toEqual([...steps].sort((a, b) => b - a));
  expect(steps.at(-1)).toBeLessThanOrEqual(2);
  // Each point is a single reading.
  await page.getByRole('slider').focus();
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).not.toContain('average');
  const { from: shown = '' } = queryOf(page);
  expect(Date.parse(shown)).toBeGreaterThan(FIRST - 86_400_000);

  while (lengthOf(page) < 20 * 86_400) {
    // The focus may have scrolled the page.
    await hoverAt(page, 0.5);
    await turn(page, 700);
  }
  expect(await stepOf(page)).toBeGreaterThanOrEqual(1800);
  for (let i = 0; i < 2; i++) {
    const before = page.url();
    await page.goBack();
    await until(() => page.url() !== before);
  }
  await waitForHistory(page);
  expect(await spanTitleOn(page)).toMatch(/2025/);
});

test('nothing flashes while the chart is dragged or spans change, Back returns, and an obsolete answer is dropped', async () => {
  const page = await open('?date=2025-03-06');
  // Records each moment without a drawn chart.
  await page.evaluate(() => {
    const flashes: string[] = [];
    Object.assign(window, { flashes });
    const note = () => {
      const figure = document.querySelector('figure');
      if (!figure?.querySelector('canvas')) flashes.push('no chart');
      if (/Loading|No readings/.test(figure?.parentElement?.parentElement?.innerText ?? ''))
        flashes.push('text');
    };
    new MutationObserver(note).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });

  const box = await chartOf(page).boundingBox();
  if (!box) throw new Error('no chart');
  await page.mouse.move(box.x + 600, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 100, { steps: 5 });
  // The address follows once the chart rests.
  expect(queryOf(page)).toEqual({ date: '2025-03-06' });
  await until(async () => /^6 Mar 2025 \d+:\d\d – 7 Mar 2025 \d+:\d\d$/.test(await spanTitleOn(page)));
  await page.mouse.up();
  await until(() => lengthOf(page) === 86_400);
  await page.goBack();
  await waitForSpan(page, 'Thu 6 Mar 2025');
  await page.goForward();
  await until(async () => /^6 Mar 2025/.test(await spanTitleOn(page)));
  await spanLink(page, 'day').click();
  await waitForSpan(page, 'Thu 6 Mar 2025');

  await page.getByRole('button', { name: 'Earlier' }).click();
  await waitForSpan(page, 'Wed 5 Mar 2025');
  await waitForHistory(page);
  await spanLink(page, 'month').click();
  await waitForSpan(page, 'Mar 2025');
  await waitForHistory(page);
  await hoverAt(page, 0.3);
  await turn(page, -300);
  expect(await page.evaluate(() => (window as unknown as { flashes: string[] }).flashes)).toEqual([]);

  await page.getByLabel('Date').fill('2025-03-06');
  await waitForSpan(page, 'Thu 6 Mar 2025');
  // The answer for the 7th arrives after that for the 8th.
  await page.route(/api\/history\?from=2025-03-06T23:58/, async (route) => {
    await until(() => isLaterAnswered);
    await route.continue();
  });
  let isLaterAnswered = false;
  await page.getByRole('button', { name: 'Later' }).click();
  await waitForSpan(page, 'Fri 7 Mar 2025');
  const later = page.waitForResponse(/api\/history\?from=2025-03-07T23:58/);
  await page.getByRole('button', { name: 'Later' }).click();
  await later;
  await waitForHistory(page);
  isLaterAnswered = true;
  await waitForSpan(page, 'Sat 8 Mar 2025');
  expect(await chartOf(page).getAttribute('aria-label')).toContain('from 8 Mar 2025 0:00 to 9 Mar 2025 0:00');
});

/** Opens a page whose clock tests can stop. */
async function openWithClock(search: string): Promise<WatchedPage> {
  const page = await openTab(await chromium.browser.newContext({ timezoneId: 'UTC' }));
  await page.clock.install();
  await page.goto(`${server.url}/history${search}`);
  await waitForHistory(page);
  return page;
}

/** Turns the wheel over the chart and stops the clock, so the zoom doesn't come to rest. */
async function turnWithoutRest(page: Page): Promise<void> {
  await hoverAt(page, 0.5);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  const title = await spanTitleOn(page);
  await page.mouse.wheel(0, -300);
  await until(async () => (await spanTitleOn(page)) !== title);
}

/** Lets more time pass than the wheel takes to come to rest. */
async function rest(page: Page): Promise<void> {
  await page.clock.fastForward(500);
  await page.clock.resume();
}

test('another span, and Back, end a zoom that has not come to rest', async () => {
  const page = await openWithClock('?span=week&date=2025-03-10');
  const opened = page.url();
  await turnWithoutRest(page);
  await spanLink(page, 'month').click();
  await until(() => queryOf(page).span === 'month');
  await rest(page);
  await waitForSpan(page, 'Mar 2025');

  await turnWithoutRest(page);
  await page.goBack();
  await rest(page);
  expect(page.url()).toBe(opened);
  await waitForHistory(page);
  await page.goForward();
  expect(queryOf(page)).toMatchObject({ span: 'month' });
});

test('a drag without movement does not change the address', async () => {
  // The chart's largest possible span.
  const page = await openWithClock('?from=2025-01-01T00:00:00Z&to=2035-01-01T00:00:00Z');
  const before = await page.evaluate(() => [location.href, history.length]);
  await hoverAt(page, 0.7);
  await page.mouse.down();
  await hoverAt(page, 0.3);
  await page.mouse.up();
  await rest(page);
  expect(await page.evaluate(() => [location.href, history.length])).toEqual(before);
});
