import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { post, postAll } from '../support/api';
import { drawingOn, timeAxis, watchCanvas } from '../support/canvas';
import { chartOf, waitForPoints } from '../support/dashboard';
import { openTab, type WatchedPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;
let page: WatchedPage;
/** The number of points on the chart: below 40, so that each reading is one. */
let points: number;

beforeEach(async () => {
  points = 20;
  server = await startServerWith(points);
  const context = await chromium.browser.newContext({
    viewport: { width: 1400, height: 900 },
    hasTouch: true,
  });
  await watchCanvas(context);
  page = await openTab(context);
  await page.goto(server.url);
  await waitForPoints(page, points);
});

afterEach(() => server.stop());

const resetButton = () => page.getByRole('button', { name: 'Reset zoom' });

/** Tells whether the newest point's dot is drawn. Moves the pointer away, which draws a dot below it. */
async function showsNewest(): Promise<boolean> {
  await page.mouse.move(5, 5);
  return (await drawingOn(page)).dots.length > 0;
}

async function wheel(deltaY: number, times: number): Promise<void> {
  await chartOf(page).hover();
  for (let i = 0; i < times; i++) await page.mouse.wheel(0, deltaY);
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
  await untilDrawn();
  await wheel(-100, 5);
  await resetButton().waitFor();
  return timeAxis(page);
}

/** Waits for the first frame of the chart and returns its axis. */
function untilDrawn(of: Page = page): Promise<string[]> {
  return until(async () => {
    const axis = await timeAxis(of);
    return axis.length > 0 && axis;
  });
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
  expect(await resetButton().count()).toBe(0);
  expect(await showsNewest()).toBe(true);
  await zoomIn();
  const zoomed = await until(async () => !(await showsNewest()) && timeAxis(page));
  await addReading();
  expect(await timeAxis(page)).toEqual(zoomed);
  await resetButton().click();
  await until(showsNewest);
  expect(await resetButton().count()).toBe(0);
});

/** Reloads the page with the response of the zoom code held back until `release`. */
async function holdZoomCode(): Promise<{ isRequested: () => boolean; release: () => Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isRequested = false;
  await page.route('**/assets/chartjs-plugin-zoom*', async (route) => {
    isRequested = true;
    await released;
    await route.continue();
  });
  await page.reload();
  await untilDrawn();
  return {
    isRequested: () => isRequested,
    async release() {
      const loaded = page.waitForResponse('**/assets/chartjs-plugin-zoom*');
      release();
      await (await loaded).finished();
    },
  };
}

test('the first move of the pointer fetches the zoom code, which viewing alone doesn’t', async () => {
  const code = await holdZoomCode();
  await addReading();
  expect(code.isRequested()).toBe(false);
  await page.mouse.move(50, 5);
  await until(code.isRequested);
  await code.release();
});

test('wheel events before the zoom code has arrived are not lost', async () => {
  const code = await holdZoomCode();
  await page.evaluate(() => {
    addEventListener('wheel', () => {
      document.body.dataset.turns = `${Number(document.body.dataset.turns ?? 0) + 1}`;
    });
  });
  await wheel(-100, 3);
  await page.locator('body[data-turns="3"]').waitFor();
  expect(await resetButton().count()).toBe(0);
  await code.release();
  await resetButton().waitFor();
  const zoomedEarly = await timeAxis(page);
  await resetButton().click();
  await wheel(-100, 3);
  await resetButton().waitFor();
  expect(zoomedEarly).toEqual(await timeAxis(page));
});

test('a press that ended before the zoom code arrived doesn’t pan afterwards', async () => {
  const code = await holdZoomCode();
  await chartOf(page).hover();
  await page.mouse.down();
  await page.mouse.up();
  await code.release();
  await wheel(-200, 1);
  await resetButton().waitFor();
  const [start] = await timeAxis(page);
  const box = await chartOf(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 150, { steps: 10 });
  expect((await timeAxis(page))[0]).toBe(start);
});

test('zoomed out by the wheel, the chart follows new readings again', async () => {
  await zoomIn();
  await addReading();
  await wheel(100, 20);
  await resetButton().waitFor({ state: 'hidden' });
  await until(showsNewest);
  await wheel(100, 5);
  await addReading();
  await until(showsNewest);
  expect(await resetButton().count()).toBe(0);
});

test('dragging pans a zoomed chart as far as the newest reading', async () => {
  await untilDrawn();
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
  expect(await resetButton().count()).toBe(1);
});

test('two fingers zoom even if they touched before the zoom code arrived', async () => {
  const code = await holdZoomCode();
  const whole = await timeAxis(page);
  const cdp = await page.context().newCDPSession(page);
  const box = await chartOf(page).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 600, (box?.y ?? 0) + 150];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: x - apart, y, id: 1 },
              { x: x + apart, y, id: 2 },
            ],
    });
  let apart = 40;
  await touch('touchStart', apart);
  await until(code.isRequested);
  await code.release();
  await until(async () => {
    apart += 2;
    await touch('touchMove', apart);
    return (await timeAxis(page))[0] !== whole[0];
  });
  await touch('touchEnd', apart);
  await resetButton().waitFor();
});

test('the zoom ends when averaging begins', async () => {
  await zoomIn();
  await postAll(
    server.url,
    Array.from({ length: 41 - points }, () => ({ co2: 650, voc: 200 })),
  );
  await waitForPoints(page, 10);
  await until(showsNewest);
  expect(await resetButton().count()).toBe(0);
});
