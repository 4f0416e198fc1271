import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawingOn, timeAxis } from '../support/browser/canvas';
import {
  chartOf,
  drawnAxis,
  openZoomTab,
  resetButton,
  settledAxis,
  turnWheel,
  waitForPoints,
} from '../support/browser/dashboard';
import { type WatchedPage, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;
let page: WatchedPage;
let sensor: string;
/** The number of points on the chart: below 40, so that each reading is one. */
let points: number;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

beforeEach(async () => {
  points = 20;
  sensor = await addSensor(server, evenReadings(points));
  page = await openZoomTab(chromium.browser);
  await page.goto(`${server.url}/?sensor=${sensor}`);
  await waitForPoints(page, points);
});

/** Returns whether the newest point's dot is drawn. Moves the pointer away first, since it has a dot too. */
async function showsNewest(): Promise<boolean> {
  await page.mouse.move(5, 5);
  return (await drawingOn(page)).dots.includes(4);
}

test('zooms by the keys plus and minus around the focused point', async () => {
  await drawnAxis(page);
  const all = await settledAxis(page);
  await page.getByRole('slider', { name: 'Points of the chart' }).focus();
  await page.keyboard.press('+');
  await resetButton(page).waitFor();
  const zoomed = await settledAxis(page);
  expect(zoomed).not.toEqual(all);
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  await resetButton(page).waitFor({ state: 'hidden' });
  expect(await settledAxis(page)).toEqual(all);
});

/** Returns the seconds between two labels of the axis, even across midnight. */
function secondsBetween(from = '', to = ''): number {
  const [start = 0, end = 0] = [from, to].map((label) => {
    const [hours = 0, minutes = 0, seconds = 0] = label.split(':').map(Number);
    return (hours * 60 + minutes) * 60 + seconds;
  });
  return ((end - start + 129_600) % 86_400) - 43_200;
}

/** Zooms in on about half of the points, around the middle, and returns the axis. */
async function zoomIn(): Promise<string[]> {
  await drawnAxis(page);
  await turnWheel(page, -100, 5);
  await resetButton(page).waitFor();
  return settledAxis(page);
}

async function addReading(): Promise<void> {
  await post(server.url, { co2: 640, voc: 210, sensor });
  points++;
  await waitForPoints(page, points);
}

async function drag(dx: number): Promise<void> {
  const box = await chartOf(page).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 600, (box?.y ?? 0) + 150];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y, { steps: 10 });
  await page.mouse.up();
}

test('the wheel zooms as soon as the chart appears, and a new reading keeps the zoom until it is zoomed out', async () => {
  expect(await resetButton(page).count()).toBe(0);
  expect(await showsNewest()).toBe(true);
  await zoomIn();
  const zoomed = await until(async () => !(await showsNewest()) && timeAxis(page));
  await addReading();
  expect(await timeAxis(page)).toEqual(zoomed);
  await resetButton(page).click();
  await until(showsNewest);
  expect(await resetButton(page).count(), 'after a click').toBe(0);

  await zoomIn();
  await turnWheel(page, 100, 20);
  await resetButton(page).waitFor({ state: 'hidden' });
  await until(showsNewest);
  await turnWheel(page, 100, 5);
  await addReading();
  await until(showsNewest);
  expect(await resetButton(page).count(), 'zoomed out').toBe(0);
});

test('dragging pans a zoomed chart up to the newest reading, which it then follows, even when averaging starts', async () => {
  await drawnAxis(page);
  await zoomIn();
  const zoomed = await until(async () => !(await showsNewest()) && timeAxis(page));
  await drag(200);
  await until(async () => !(await showsNewest()));
  const panned = await timeAxis(page);
  expect(secondsBetween(panned[0], zoomed[0])).toBeGreaterThan(0);
  expect(panned).toHaveLength(zoomed.length);
  await addReading();
  await until(async () => {
    await drag(-500);
    return showsNewest();
  });
  const newest = await settledAxis(page);
  await addReading();
  await until(async () => {
    const [start] = await settledAxis(page);
    return start !== newest[0] && showsNewest();
  });
  const followed = await settledAxis(page);
  expect(followed).toHaveLength(newest.length);
  // One point later: the readings are 15 s apart.
  expect(secondsBetween(newest[0], followed[0])).toBe(15);
  expect(await resetButton(page).count()).toBe(1);

  await resetButton(page).click();
  await resetButton(page).waitFor({ state: 'detached' });
  const [start] = await zoomIn();
  const now = Date.now();
  const more = Array.from({ length: 41 - points }, (_, i) => ({
    sensor,
    co2: 650,
    voc: 200,
    created_at: new Date(now - 100 + i).toISOString(),
  }));
  await post(server.url, more);
  await waitForPoints(page, 10);
  expect(await showsNewest(), 'averaged').toBe(false);
  const [averaged] = await timeAxis(page);
  expect(Math.abs(secondsBetween(start, averaged))).toBeLessThanOrEqual(30);
  expect(await resetButton(page).count(), 'averaged').toBe(1);
});

test("the wheel scrolls the page when nothing can be zoomed out, and 'Reset zoom' covers and moves nothing", async () => {
  await page.setViewportSize({ width: 1400, height: 700 });
  await zoomIn();
  const scrollY = () => page.evaluate(() => window.scrollY);
  const before = await scrollY();
  await turnWheel(page, 100, 2);
  await until(async () => (await timeAxis(page)).length > 10);
  expect(await scrollY()).toBe(before);
  await turnWheel(page, 100, 20);
  await resetButton(page).waitFor({ state: 'hidden' });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.move(700, 650);
  await page.mouse.wheel(0, 100);
  await until(async () => (await scrollY()) > 0);
  expect(await resetButton(page).count()).toBe(0);

  // "Reset zoom" covers and moves nothing, on a screen and on phones.
  const chart = chartOf(page);
  const layout = async () => ({
    chart: await chart.boundingBox(),
    height: await page.evaluate(() => document.documentElement.scrollHeight),
  });
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await chart.scrollIntoViewIfNeeded();
    await settledAxis(page);
    await chart.hover();
    const before = await layout();
    await until(async () => {
      await page.mouse.wheel(0, -100);
      return (await resetButton(page).count()) > 0;
    });
    expect(await layout(), `at ${width} px`).toEqual(before);
    const button = await resetButton(page).boundingBox();
    expect(button?.y).toBeGreaterThanOrEqual((before.chart?.y ?? 0) + (before.chart?.height ?? 0));
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(width);
    await resetButton(page).click();
    await resetButton(page).waitFor({ state: 'detached' });
  }
});
