import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
import { violationsInAnyScheme } from '../support/browser/legible';
import { openPage, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

/** Returns times as the axis and the tooltip show them, without the zeros that screen readers get. */
const asDrawn = (spoken: string) => spoken.replace(/:0(\d)/g, ':$1');

describe('the tooltip', () => {
  // A tap shows nothing in a headless shell.
  const chromium = withChromium({ isWhole: true });
  let server: RunningServer;

  const DESKTOP = { viewport: { width: 1440, height: 900 } };
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  beforeAll(async () => {
    server = await startServerWith(240, { intervalMs: 15_000 });
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

  /** Returns the position on the page at this fraction of the chart's width. */
  async function placeOn(page: Page, share: number): Promise<[number, number]> {
    const box = await chartOf(page).boundingBox();
    if (!box) throw new Error('the page has no chart');
    return [box.x + box.width * share, box.y + box.height / 3];
  }

  /** Returns the distances of the tooltip from the four edges of the chart. */
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
   * Points at several places of the chart. Expects a different time in the tooltip at each, without wrapped lines, and
   * the tooltip within the chart.
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

  test('the mouse shows a marker and a tooltip that fits the chart, until it leaves or until Escape', async () => {
    const page = await openChart(DESKTOP);
    const dots = async () => (await drawingOn(page)).dots;
    // The page draws a change in a later frame.
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

  test('a tap shows a tooltip that fits, a tap elsewhere closes it, and a swipe that scrolls the page shows none', async () => {
    const page = await openChart(PHONE);
    const [x, y] = await placeOn(page, 0.5);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Input.synthesizeScrollGesture', {
      x,
      y,
      yDistance: -60,
      gestureSourceType: 'touch',
    });
    expect(await tooltipOn(page).count()).toBe(0);
    for (const viewport of [PHONE.viewport, { width: 320, height: 640 }]) {
      await page.setViewportSize(viewport);
      await chartOf(page).scrollIntoViewIfNeeded();
      await expectFit(page, (x, y) => page.touchscreen.tap(x, y));
      await page.getByRole('heading', { name: 'Chart' }).tap();
      await tooltipOn(page).waitFor({ state: 'detached' });
    }
  });

  test('arrow keys, Home and End move through the points, with visible focus and announced values, and axe finds nothing', async () => {
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
      for (const line of [asDrawn(time), ...rest]) expect(shown).toContain(line);
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
    // The keys continue from the last selected point.
    await page.keyboard.press('ArrowLeft');
    await timeOf(7);
    await page.keyboard.press('Shift+Tab');
    await tooltipOn(page).waitFor({ state: 'detached' });

    // The keys don't leave the zoomed part.
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
    await until(async () => {
      const [from = ''] = (await slider.getAttribute('aria-valuetext'))?.split(' – ') ?? [];
      return asDrawn(from).endsWith(`${start}`);
    });
    // A new reading is not announced.
    const spoken = await slider.getAttribute('aria-valuetext');
    await post(server.url, { co2: 2222, voc: 210 });
    await page.getByLabel(/CO2 between \d+ and 2222 PPM/).waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toBe(spoken);
    await tooltipOn(page).waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await violationsInAnyScheme(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  });
});

describe('the zoom before its code has loaded', () => {
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

  /** Opens the dashboard, and holds the response with the zoom code back until `release`. */
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

  test('the first pointer move fetches the zoom code, and the wheel turned before takes effect once it arrives', async () => {
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
    // A press that ends before the code arrives doesn't pan later.
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
});
