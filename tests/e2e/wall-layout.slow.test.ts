import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatValue } from '../../app/readings/format/format-value';
import { chartOf, tileOf, waitForPoints } from '../support/browser/dashboard';
import { openPage, stopAfterTest, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

describe('a wall', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWith(300, { endMs: 5000, intervalMs: 15_000 });
  });

  afterAll(() => server.stop());

  /** Opens a wall, and posts a reading that its tiles show. */
  async function openWall(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const page = await openPage(chromium.browser, server.url + path, options);
    await chartOf(page).waitFor();
    await post(server.url, { co2: 1187, voc: 152 });
    await figureOf(page, 'CO2', '1187').waitFor();
    return page;
  }

  const figureOf = (page: Page, name: string, value: string) =>
    tileOf(page, name).getByText(value, { exact: true });

  /** Returns the height in pixels of the digits in an element, without the space above and below. */
  const inkHeight = (page: Page, name: string, value: string) =>
    figureOf(page, name, value).evaluate((element) => {
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
      const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      return context.measureText('1').actualBoundingBoxAscent;
    });

  /** Returns the texts that are smaller than this fraction of the height, or cut off by their tile or the window. */
  const badTexts = (page: Page, least: number) =>
    page.evaluate((least) => {
      const isVisible = (element: Element) => element.checkVisibility() && !element.closest('.sr-only');
      const leaves = [...document.querySelectorAll('main *')].filter(
        (element) => isVisible(element) && [...element.childNodes].some(({ nodeType }) => nodeType === 3),
      );
      return leaves.flatMap((element) => {
        // The chart is drawn small and enlarged.
        const scale = element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth || 1;
        const size = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
        const text = element.textContent ?? '';
        const range = document.createRange();
        range.selectNodeContents(element);
        const box = range.getBoundingClientRect();
        const around = (element.closest('article, section') ?? document.body).getBoundingClientRect();
        const isCut =
          box.left < around.left - 1 ||
          box.top < Math.max(around.top, 0) - 1 ||
          box.right > Math.min(around.right, innerWidth) + 1 ||
          box.bottom > Math.min(around.bottom, innerHeight) + 1;
        return isCut || size < least * innerHeight ? [`${text}: ${size} px${isCut ? ', cut off' : ''}`] : [];
      });
    }, least);

  /**
   * Waits until no text is cut off or smaller than a fraction of the window's height, since a chart grows after its
   * window.
   */
  async function untilLegible(page: Page, least: number, message: string): Promise<void> {
    await until(async () => (await badTexts(page, least)).length === 0).catch(async () => {
      expect(await badTexts(page, least), message).toEqual([]);
    });
  }

  interface Viewport {
    width: number;
    height: number;
  }

  /** One of each shape: sizes of the wall are fractions of its window. */
  const SHAPES: Viewport[] = [
    { width: 1920, height: 1080 },
    { width: 1024, height: 600 },
  ];
  const SCREENS = [...SHAPES, { width: 3840, height: 2160 }];

  /** Sets the size of the window and waits until the chart fits into it. */
  async function resize(page: Page, viewport: Viewport): Promise<{ width: number; height: number }> {
    await page.setViewportSize(viewport);
    return until(async () => {
      const box = await page.locator('figure').boundingBox();
      return box && box.y + box.height <= viewport.height && box.x + box.width <= viewport.width && box;
    });
  }

  const UPRIGHT = [
    { width: 390, height: 844 },
    { width: 768, height: 1024 },
    { width: 1080, height: 1920 },
  ];

  async function expectLegible(page: Page, viewport: Viewport): Promise<void> {
    const chart = await resize(page, viewport);
    const { height, width } = viewport;
    const size = `${width}×${height}`;
    for (const [name, value] of [
      ['CO2', '1187'],
      ['VOC', '152'],
    ] as const) {
      expect(await inkHeight(page, name, value), size).toBeGreaterThanOrEqual(0.2 * height);
      expect(await tileOf(page, name).getByText(/ ago$/).count(), size).toBe(1);
    }
    await page.locator('[data-verdict=moderate]').waitFor();
    await untilLegible(page, 0.02, size);
    expect(await page.getByRole('banner').count(), size).toBe(0);
    expect(await page.locator(':is(button, a, input):visible').count(), size).toBe(0);
    // Nothing scrolls, and the chart has its share of the screen.
    const root = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { scrollWidth, scrollHeight };
    });
    expect(root).toEqual({ scrollWidth: width, scrollHeight: height });
    const canvas = await page.locator('canvas').boundingBox();
    // The labels of the time axis and the margin above the plot take about 9 % of a wall's height.
    expect(canvas?.height, size).toBeGreaterThan((1 / 3 + 0.09) * height);
    expect(chart.width, size).toBeGreaterThan(0.9 * width);
  }

  test('/chart?range=1HR&wall is legible across a room on every screen', async () => {
    const page = await openWall('/chart?range=1HR&wall');
    for (const viewport of SCREENS) await expectLegible(page, viewport);
  });

  test('/?wall is legible across a room on every screen, with a third for the chart in portrait', async () => {
    const page = await openWall('/?wall');
    for (const viewport of UPRIGHT) {
      const chart = await resize(page, viewport);
      const { height, width } = viewport;
      const size = `${width}×${height}`;
      expect(await page.locator('[data-shown-range]').innerText()).toMatch(/\d+:\d\d to .*, 40 readings/);
      expect(await inkHeight(page, 'CO2', '1187'), size).toBeGreaterThanOrEqual(0.08 * height);
      expect(chart.height, size).toBeGreaterThan(height / 3);
      // Before enlargement, the legend takes a fifth of this height.
      const drawn = await chartOf(page).evaluate(({ clientWidth, clientHeight }) => [
        clientWidth,
        clientHeight,
      ]);
      expect(Math.min(...drawn), size).toBeGreaterThanOrEqual(130);
      expect(drawn[0], size).toBeGreaterThanOrEqual(300);
    }
    for (const viewport of SCREENS) await expectLegible(page, viewport);
  });

  test('every value fits in its tile', async () => {
    const page = await openWall('/?wall');
    for (const co2 of [10_000, 12_345.67, -123456789.12, 1.7976931348623157e308]) {
      await post(server.url, { co2, voc: co2 });
      await figureOf(page, 'CO2', formatValue(co2)).waitFor();
      for (const viewport of SHAPES) {
        await resize(page, viewport);
        await untilLegible(page, 0.02, `${co2} at ${viewport.width} px`);
      }
    }
  });

  const VERDICT_SCREENS = [...UPRIGHT, { width: 800, height: 810 }, { width: 1024, height: 768 }, ...SHAPES];

  /** Returns readings of poor air that rise for half an hour. */
  function poorAir(sensor?: string) {
    const now = Date.now();
    return Array.from({ length: 61 }, (_, i) => ({
      sensor,
      co2: i < 10 ? 900 : 1004 + (i - 10) * 22,
      voc: i < 10 ? 300 : 810,
      created_at: new Date(now - (60 - i) * 30_000).toISOString(),
    }));
  }

  test('with poor air, the whole verdict fits on every screen, even for a broken or named sensor', async () => {
    const server = await startServer();
    stopAfterTest(server);
    expect((await post(server.url, poorAir())).status).toBe(201);
    const page = await openPage(chromium.browser, `${server.url}/?wall`);
    const detail = page.getByRole('region', { name: 'Verdict' });
    await detail.getByText('CO2 is 2104 PPM and rising; above 1000 for 25 min.', { exact: true }).waitFor();
    await chartOf(page).waitFor();
    await post(server.url, { co2: 120, voc: 810 });
    await detail
      .getByText(
        'VOC is 810 PPB; above 400 for 25 min. Check the sensor: CO2 is 120 PPM, less than the air outdoors has.',
        { exact: true },
      )
      .waitFor();
    for (const viewport of VERDICT_SCREENS) {
      await resize(page, viewport);
      await untilLegible(page, 0, `a broken sensor, ${JSON.stringify(viewport)}`);
    }

    expect((await post(server.url, [...poorAir('Lab'), ...poorAir('Kitchen')])).status).toBe(201);
    await page.goto(`${server.url}/?wall&sensor=Lab`);
    await detail.getByText('CO2 is 2104 PPM and rising; above 1000 for 25 min.', { exact: true }).waitFor();
    await chartOf(page).waitFor();
    for (const viewport of VERDICT_SCREENS) {
      const chart = await resize(page, viewport);
      const size = `several sensors, ${JSON.stringify(viewport)}`;
      await untilLegible(page, 0, size);
      expect(chart.height, size).toBeGreaterThan(0.17 * viewport.height);
    }
  });

  test('with nine or all metrics, the chart has its share of the screen, and no text is cut off', {
    timeout: 90_000,
  }, async () => {
    const server = await startServer();
    stopAfterTest(server);
    const others = { voc_index: 110, nox_index: 2, pm25: 38.6, pm10: 12 };
    const weather = { temperature: 22.4, humidity: 45, pressure: 1013.2 };
    const readings = [...poorAir('Gappy living room'), ...poorAir('Lab')];
    const all = readings.filter((_, i) => i % 20 < 15).map((one) => ({ ...one, ...others, ...weather }));
    expect((await post(server.url, all)).status).toBe(201);
    const more = {
      hcho: 18.4,
      co: 1.2,
      no2: 9,
      o3: 12,
      radon: 68,
      pm1: 9.1,
      pm4: 20.2,
      noise: 38.5,
      light: 24_000,
    };
    const eighteen = poorAir('Lab 2').map((one) => ({ ...one, ...others, ...weather, ...more }));
    expect((await post(server.url, eighteen)).status).toBe(201);
    const page = await openPage(chromium.browser, `${server.url}/?wall&sensor=Gappy living room`);
    await chartOf(page).waitFor();
    await tileOf(page, 'Pressure').waitFor();
    // Of the whole height, for the chart and for the plot in it.
    for (const [width, height, least, leastPlot] of [
      [1440, 900, 0.4, 1 / 3],
      [1920, 1080, 0.4, 1 / 3],
      [1024, 600, 0.4, 1 / 3],
      [390, 844, 0.28, 0.15],
      [320, 800, 0.28, 0.15],
      [768, 1024, 0.14, 0],
    ] as const) {
      const chart = await resize(page, { width, height });
      const size = `${width}×${height}`;
      await untilLegible(page, 0, size);
      expect(chart.height, size).toBeGreaterThan(least * height);
      // The labels of the time axis take about 6 % of a wall's height.
      const canvas = await page.locator('canvas').boundingBox();
      expect(canvas?.height, size).toBeGreaterThan((leastPlot + 0.06) * height);
      const root = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { scrollWidth, scrollHeight };
      });
      expect(root).toEqual({ scrollWidth: width, scrollHeight: height });
    }
    await page.goto(`${server.url}/?wall&sensor=Lab 2`);
    await chartOf(page).waitFor();
    await tileOf(page, 'Light').waitFor();
    for (const [width, height, least] of [
      [1440, 900, 0.25],
      [1024, 600, 0.25],
      [390, 844, 0.15],
      [768, 1024, 0.14],
    ] as const) {
      const chart = await resize(page, { width, height });
      await untilLegible(page, 0, `18 metrics, ${width}×${height}`);
      expect(chart.height, `18 metrics, ${width}×${height}`).toBeGreaterThan(least * height);
    }
  });
});

describe('full screen', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWith(300, { endMs: 5000, env: { RANDOM_POSTS: 'false' } });
  });

  afterAll(() => server.stop());

  const isFullScreen = (page: Page) => page.evaluate(() => document.fullscreenElement !== null);
  const button = (page: Page) => page.getByRole('button', { name: 'Full screen' });
  const untilOnWall = (page: Page) => page.getByRole('banner').waitFor({ state: 'hidden' });
  const untilUsual = (page: Page) => page.getByRole('banner').waitFor();

  test.each(['/', '/chart?range=1HR'])(
    '%s opens its wall in full screen, and Back leaves both; without full screen it opens in the window',
    async (path) => {
      const page = await openPage(chromium.browser, server.url + path);
      await chartOf(page).waitFor();
      const scripts = () =>
        page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const before = await scripts();
      expect(before.filter((name) => /\/wall-/.test(name))).toEqual([]);
      await button(page).click();
      await untilOnWall(page);
      await until(() => isFullScreen(page));
      expect((await scripts()).filter((name) => /\/wall-/.test(name))).toHaveLength(1);
      expect(page.url()).toBe(`${server.url}${path}${path.includes('?') ? '&' : '?'}wall`);
      await chartOf(page).waitFor();
      await page.goBack();
      await untilUsual(page);
      await until(async () => !(await isFullScreen(page)));
      expect(page.url()).toBe(server.url + path);

      // As on an iPhone, the wall fills the window then.
      await page.evaluate(() => {
        Object.assign(Element.prototype, { requestFullscreen: undefined });
      });
      await button(page).click();
      await untilOnWall(page);
      expect(await isFullScreen(page)).toBe(false);
    },
  );

  test('leaving full screen leaves the wall, and keeps the range and the readings', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?range=1HR`);
    await waitForPoints(page, 12);
    await button(page).click();
    await untilOnWall(page);
    await until(() => isFullScreen(page));
    await waitForPoints(page, 12);
    await page.evaluate(() => document.exitFullscreen());
    await untilUsual(page);
    expect(page.url()).toBe(`${server.url}/?range=1HR`);
    await waitForPoints(page, 12);
    // Forward leads to the wall again, in the window.
    await page.goForward();
    await untilOnWall(page);
    expect(await isFullScreen(page)).toBe(false);
    await page.keyboard.press('Escape');
    await untilUsual(page);
  });

  test('a wall opened by its address stays in the window until Escape, and another page has no wall', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?range=1HR&wall`);
    await waitForPoints(page, 12);
    expect(await isFullScreen(page)).toBe(false);
    await page.keyboard.press('Escape');
    await untilUsual(page);
    expect(page.url()).toBe(`${server.url}/?range=1HR`);
    // A page without a wall has no such button.
    await page.getByRole('link', { name: 'Post data' }).click();
    await page.getByRole('heading', { name: 'Newest readings' }).waitFor();
    expect(await button(page).count()).toBe(0);
  });
});
