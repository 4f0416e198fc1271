import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { timeAxis } from '../support/browser/canvas';
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
import { post } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;
let page: WatchedPage;

beforeAll(async () => {
  server = await startServerWith(20);
});

afterAll(() => server.stop());

beforeEach(async () => {
  page = await openZoomTab(chromium.browser);
});

/** Opens the dashboard with the response of the zoom code held back until `release`. */
async function holdZoomCode(): Promise<{ isRequested: () => boolean; release: () => Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isRequested = false;
  await page.route('**/assets/chart-zoom*', async (route) => {
    isRequested = true;
    await released;
    await route.continue();
  });
  await page.goto(server.url);
  await drawnAxis(page);
  return {
    isRequested: () => isRequested,
    async release() {
      const loaded = page.waitForResponse('**/assets/chart-zoom*');
      release();
      await (await loaded).finished();
    },
  };
}

test("viewing doesn't fetch the zoom code, the first move of the pointer does, and what it does until then is not lost", async () => {
  await page.setViewportSize({ width: 1400, height: 700 });
  const code = await holdZoomCode();
  await post(server.url, { co2: 640, voc: 210 });
  await waitForPoints(page, 21);
  expect(code.isRequested(), 'when viewed').toBe(false);
  await page.mouse.move(50, 5);
  await until(code.isRequested);

  // The wheel scrolls the page unless it zooms in.
  await page.mouse.move(700, 650);
  await page.mouse.wheel(0, 100);
  await until(() => page.evaluate(() => window.scrollY > 0));
  // A press that ends before the code arrives doesn't pan afterwards.
  await chartOf(page).hover();
  await page.mouse.down();
  await page.mouse.up();
  await page.evaluate(() => {
    addEventListener('wheel', () => {
      document.body.dataset.turns = `${Number(document.body.dataset.turns ?? 0) + 1}`;
    });
  });
  await turnWheel(page, -100, 3);
  await page.locator('body[data-turns="3"]').waitFor();
  expect(await resetButton(page).count(), 'without the code').toBe(0);
  await code.release();
  await resetButton(page).waitFor();
  const zoomedEarly = await settledAxis(page);
  const box = await chartOf(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 150, { steps: 10 });
  expect(await settledAxis(page), 'after a move').toEqual(zoomedEarly);
  await resetButton(page).click();
  await turnWheel(page, -100, 3);
  await resetButton(page).waitFor();
  expect(await settledAxis(page), 'zoomed with the code').toEqual(zoomedEarly);
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
  await resetButton(page).waitFor();
});
