import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn, timeAxis } from '../support/browser/canvas';
import { chartOf, waitForPoints } from '../support/browser/dashboard';
import { violationsInAnyScheme } from '../support/browser/legible';
import { openPage, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

// A tap shows nothing in a headless shell.
const chromium = withChromium({ isWhole: true });
let server: RunningServer;

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

beforeAll(async () => {
  server = await startServerWith(240, { intervalMs: 60_000 });
});

afterAll(() => server.stop());

/** Opens the dashboard and scrolls to its chart, which has 10 points. */
async function openChart(options: BrowserContextOptions, address = '/'): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, server.url + address, options);
  await waitForPoints(page, 10);
  await until(async () => (await timeAxis(page)).length > 0);
  await chartOf(page).scrollIntoViewIfNeeded();
  return page;
}

const tooltipOn = (page: Page) => page.getByRole('tooltip');
const sliderOn = (page: Page) => page.getByRole('slider', { name: 'Points of the chart' });

/** Returns the place on the page at this share of the chart's width. */
async function placeOn(page: Page, share: number): Promise<[number, number]> {
  const box = await chartOf(page).boundingBox();
  if (!box) throw new Error('the page has no chart');
  return [box.x + box.width * share, box.y + box.height / 3];
}

/** Returns the tooltip's box, relative to the chart's, as distances from its four edges. */
async function distances(page: Page): Promise<number[]> {
  const [outer, inner] = await Promise.all([chartOf(page).boundingBox(), tooltipOn(page).boundingBox()]);
  if (!outer || !inner) throw new Error('no tooltip');
  const [left, top] = [inner.x - outer.x, inner.y - outer.y];
  return [left, top, outer.width - left - inner.width, outer.height - top - inner.height];
}

const focusChart = async (page: Page) => {
  await page.getByRole('link', { name: '10MIN' }).focus();
  await until(async () => {
    await page.keyboard.press('Tab');
    return sliderOn(page).evaluate((node) => node === document.activeElement);
  });
};

/**
 * Points at several places of the chart. Expects the tooltip to give another time at each, in lines that aren't wrapped,
 * and never to leave the chart.
 */
async function expectFit(page: Page, point: (x: number, y: number) => Promise<void>): Promise<void> {
  const times = new Set<string>();
  for (const share of [0.25, 0.4, 0.5, 0.6, 0.75]) {
    await point(...(await placeOn(page, share)));
    await until(async () => {
      if ((await tooltipOn(page).count()) === 0) return false;
      const text = await tooltipOn(page).innerText();
      return !times.has(text) && times.add(text);
    });
    const message = `at ${share} of the chart, ${page.viewportSize()?.width} px`;
    for (const distance of await distances(page)) expect(distance, message).toBeGreaterThanOrEqual(0);
    const heights = await tooltipOn(page)
      .locator('p')
      .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().height));
    expect(heights, message).toEqual(Array(4).fill(20));
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

test('the mouse shows a tooltip, which fits the chart, and a marker until it leaves, or until Escape', async () => {
  const page = await openChart(DESKTOP);
  const dots = async () => (await drawingOn(page)).dots;
  // The page draws a frame after it has changed.
  const untilDots = (count: number) => until(async () => (await dots()).length === count);
  const newest = await dots();
  expect(newest).toEqual([4, 4]);
  await expectFit(page, (x, y) => page.mouse.move(x, y));
  await untilDots(4);
  await page.keyboard.press('Escape');
  await tooltipOn(page).waitFor({ state: 'detached' });
  await untilDots(2);
  expect(await dots()).toEqual(newest);
  const [x, y] = await placeOn(page, 0.5);
  await page.mouse.move(x, y);
  await tooltipOn(page).waitFor();
  await page.mouse.move(5, 5);
  await tooltipOn(page).waitFor({ state: 'detached' });
  await untilDots(2);
});

test('a tap shows a tooltip, which fits, a tap elsewhere closes it, and a swipe that scrolls the page shows none', async () => {
  const page = await openChart(PHONE);
  const [x, y] = await placeOn(page, 0.5);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Input.synthesizeScrollGesture', { x, y, yDistance: -60, gestureSourceType: 'touch' });
  expect(await tooltipOn(page).count()).toBe(0);
  for (const viewport of [PHONE.viewport, { width: 320, height: 640 }]) {
    await page.setViewportSize(viewport);
    await chartOf(page).scrollIntoViewIfNeeded();
    await expectFit(page, (x, y) => page.touchscreen.tap(x, y));
    await page.getByRole('heading', { name: 'Chart' }).tap();
    await tooltipOn(page).waitFor({ state: 'detached' });
  }
});

test('arrow keys, Home and End move through the points, with a visible focus, the values announced, and nothing that axe finds', async () => {
  const page = await openChart(DESKTOP, '/chart?range=10MIN');
  const slider = sliderOn(page);
  await focusChart(page);
  const outline = await slider.evaluate((node) => getComputedStyle(node).outline);
  expect(outline).toMatch(/solid [3-9]px/);
  expect(await slider.boundingBox()).toEqual(await chartOf(page).boundingBox());
  const timeOf = async (index: number) => {
    await until(async () => (await slider.inputValue()) === String(index));
    const spoken = (await slider.getAttribute('aria-valuetext')) ?? '';
    expect(spoken).toMatch(
      /^.*\d+:\d+:\d+ – .*\d+:\d+:\d+; CO2 [\d.]+ PPM, \d+ to \d+; VOC [\d.]+ PPB, \d+ to \d+; average of 4 readings$/,
    );
    const [time = '', ...rest] = spoken.split(/; |, /);
    const shown = await tooltipOn(page).innerText();
    for (const line of [time, ...rest]) expect(shown).toContain(line);
    return time;
  };
  const times = [await timeOf(9)];
  for (const [key, index] of [
    ['ArrowLeft', 8],
    ['Home', 0],
    ['ArrowRight', 1],
    ['End', 9],
  ] as const) {
    await page.keyboard.press(key);
    times.push(await timeOf(index));
  }
  expect(new Set(times).size).toBe(4);
  await page.keyboard.press('ArrowLeft');
  await timeOf(8);
  await page.keyboard.press('Escape');
  await tooltipOn(page).waitFor({ state: 'detached' });
  // It continues where it was.
  await page.keyboard.press('ArrowLeft');
  await timeOf(7);
  await page.keyboard.press('Shift+Tab');
  await tooltipOn(page).waitFor({ state: 'detached' });

  // They stay in the part that a zoom shows.
  const whole = (await timeAxis(page)).length;
  await chartOf(page).hover();
  await until(async () => {
    await page.mouse.wheel(0, -100);
    return (await timeAxis(page)).length < whole - 3;
  });
  await page.mouse.move(5, 5);
  await slider.focus();
  await page.keyboard.press('Home');
  const [start] = await timeAxis(page);
  await until(async () =>
    (await slider.getAttribute('aria-valuetext'))?.split(' – ')[0]?.endsWith(`${start}`),
  );
  // A new reading is not announced.
  const spoken = await slider.getAttribute('aria-valuetext');
  await post(server.url, { co2: 2222, voc: 210 });
  await page.getByLabel(/CO2 between \d+ and 2222 PPM/).waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toBe(spoken);
  await tooltipOn(page).waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await violationsInAnyScheme(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
});
