import { beforeEach, expect, test } from 'vitest';
import { post, postAll } from '../support/api';
import { drawingOn, timeAxis } from '../support/canvas';
import { chartOf, waitForPoints } from '../support/dashboard';
import { type WatchedPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';
import { drawnAxis, openZoomTab, resetButton, turnWheel } from '../support/zoom';

const chromium = withChromium();
let server: RunningServer;
let page: WatchedPage;
/** The number of points on the chart: below 40, so that each reading is one. */
let points: number;

beforeEach(async () => {
  points = 20;
  server = await startServerWith(points);
  page = await openZoomTab(chromium.browser);
  await page.goto(server.url);
  await waitForPoints(page, points);
  // Runs once `withChromium` has closed the pages, which would log a lost connection.
  return () => server.stop();
});

/** Tells whether the newest point's dot is drawn. Moves the pointer away, which draws a dot below it. */
async function showsNewest(): Promise<boolean> {
  await page.mouse.move(5, 5);
  return (await drawingOn(page)).dots.length > 0;
}

/** Returns the seconds from one label of the axis to another, also past midnight. */
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
  return timeAxis(page);
}

async function addReading(): Promise<void> {
  await post(server.url, { co2: 640, voc: 210 });
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

test('the wheel zooms as soon as the chart is there, and a new reading keeps the zoom', async () => {
  expect(await resetButton(page).count()).toBe(0);
  expect(await showsNewest()).toBe(true);
  await zoomIn();
  const zoomed = await until(async () => !(await showsNewest()) && timeAxis(page));
  await addReading();
  expect(await timeAxis(page)).toEqual(zoomed);
  await resetButton(page).click();
  await until(showsNewest);
  expect(await resetButton(page).count()).toBe(0);
});

test('zoomed out by the wheel, the chart follows new readings again', async () => {
  await zoomIn();
  await addReading();
  await turnWheel(page, 100, 20);
  await resetButton(page).waitFor({ state: 'hidden' });
  await until(showsNewest);
  await turnWheel(page, 100, 5);
  await addReading();
  await until(showsNewest);
  expect(await resetButton(page).count()).toBe(0);
});

test('dragging pans a zoomed chart as far as the newest reading', async () => {
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
  expect(await resetButton(page).count()).toBe(1);
});

test('the zoom ends when averaging begins', async () => {
  await zoomIn();
  await postAll(
    server.url,
    Array.from({ length: 41 - points }, () => ({ co2: 650, voc: 200 })),
  );
  await waitForPoints(page, 10);
  await until(showsNewest);
  expect(await resetButton(page).count()).toBe(0);
});
