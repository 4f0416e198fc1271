import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatValue } from '../../app/readings/format-value';
import { post } from '../support/api';
import { chartOf, tileOf, waitForPoints } from '../support/dashboard';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import { type RunningServer, startServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000 });
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

/** Returns the height in pixels of the digits that an element shows, without the room above and below. */
const inkHeight = (page: Page, name: string, value: string) =>
  figureOf(page, name, value).evaluate((element) => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return context.measureText('1').actualBoundingBoxAscent;
  });

/** Returns the texts that are smaller than this share of the height, or cut off by their tile or the window. */
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

const SCREENS = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1024, height: 600 },
];

describe.each(['/?wall', '/chart?range=1HR&wall'])('%s', (path) => {
  test.each(SCREENS)('is legible across a room on %o', async (viewport) => {
    const page = await openWall(path, { viewport });
    const { height, width } = viewport;
    for (const [name, value] of [
      ['CO2', '1187'],
      ['VOC', '152'],
    ] as const) {
      expect(await inkHeight(page, name, value)).toBeGreaterThanOrEqual(0.2 * height);
      expect(await tileOf(page, name).getByText(/ ago$/).count()).toBe(1);
    }
    await page.locator('[data-verdict=moderate]').waitFor();
    expect(await badTexts(page, 0.02)).toEqual([]);
    expect(await page.getByRole('banner').count()).toBe(0);
    expect(await page.locator('button, a, input').count()).toBe(0);
    // Nothing scrolls, and the chart has its share of the screen.
    const root = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { scrollWidth, scrollHeight };
    });
    expect(root).toEqual({ scrollWidth: width, scrollHeight: height });
    const chart = await page.locator('figure').boundingBox();
    expect(chart?.height).toBeGreaterThan(0.3 * height);
    expect((chart?.y ?? 0) + (chart?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(chart?.width).toBeGreaterThan(0.9 * width);
  });
});

const UPRIGHT = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1080, height: 1920 },
];

test.each(UPRIGHT)('leaves its chart a fifth of the upright screen %o', async (viewport) => {
  const page = await openWall('/?wall', { viewport });
  const { height } = viewport;
  expect(await inkHeight(page, 'CO2', '1187')).toBeGreaterThanOrEqual(0.08 * height);
  const chart = await page.locator('figure').boundingBox();
  expect(chart?.height).toBeGreaterThan(0.18 * height);
  expect((chart?.y ?? 0) + (chart?.height ?? 0)).toBeLessThanOrEqual(height);
  // At its design size the legend takes a fifth of it.
  const size = await chartOf(page).evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
  expect(Math.min(...size)).toBeGreaterThanOrEqual(130);
  expect(size[0]).toBeGreaterThanOrEqual(300);
});

const FAULT = ' Check the sensor: CO2 is 120 PPM, less than the air outdoors has.';

test.each([
  ['one sensor', [{}], 2104, 'CO2 is 2104 PPM and rising; above 1000 for 25 min.'],
  [
    'several sensors',
    [{ sensor: 'Lab' }, { sensor: 'Kitchen' }],
    2104,
    'CO2 is 2104 PPM and rising; above 1000 for 25 min.',
  ],
  ['a broken sensor', [{}], 120, `VOC is 810 PPB; above 400 for 25 min.${FAULT}`],
])(
  'with %s and poor air, the verdict and its detail are whole on every screen',
  async (_, sensors, last, detail) => {
    const server = await startServer();
    const now = Date.now();
    const rise = Array.from({ length: 121 }, (_, i) => ({
      co2: i < 20 ? 900 : i < 120 ? 1004 + (i - 20) * 11 : last,
      voc: i < 20 ? 300 : 810,
      created_at: new Date(now - (120 - i) * 15_000).toISOString(),
    }));
    const readings = sensors.flatMap((sensor) => rise.map((reading) => ({ ...sensor, ...reading })));
    expect((await post(server.url, readings)).status).toBe(201);
    const page = await openPage(chromium.browser, `${server.url}/?wall`);
    await page.getByRole('region', { name: 'Verdict' }).getByText(detail, { exact: true }).waitFor();
    await chartOf(page).waitFor();
    for (const viewport of [
      ...UPRIGHT,
      { width: 800, height: 810 },
      { width: 1024, height: 768 },
      ...SCREENS,
    ]) {
      await page.setViewportSize(viewport);
      const size = JSON.stringify(viewport);
      const chart = await until(async () => {
        const box = await page.locator('figure').boundingBox();
        return box && box.y + box.height <= viewport.height && box;
      });
      expect(await badTexts(page, 0), size).toEqual([]);
      if (last === 2104) expect(chart.height, size).toBeGreaterThan(0.17 * viewport.height);
    }
    // It would report the lost connection.
    await page.close();
    await server.stop();
  },
);

test.each(SCREENS)('no value, however long, leaves its tile on %o', async (viewport) => {
  const page = await openWall('/?wall', { viewport });
  for (const co2 of [10_000, 12_345.67, -123456789.12, 1.7976931348623157e308]) {
    await post(server.url, { co2, voc: co2 });
    await figureOf(page, 'CO2', formatValue(co2)).waitFor();
    expect(await badTexts(page, 0.02), String(co2)).toEqual([]);
  }
});

test('its chart has thick lines and large labels, and is sharp', async () => {
  const context = await chromium.browser.newContext({ viewport: { width: 1920, height: 1080 } });
  // Records the sizes of what is drawn, in pixels of the screen.
  await context.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillText, stroke } = prototype;
    const drawn = { texts: [] as number[], lines: [] as number[] };
    const scaleOf = ({ canvas }: CanvasRenderingContext2D) =>
      canvas.getBoundingClientRect().width / canvas.width;
    prototype.fillText = function (...text) {
      const size = Number.parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? '0');
      const { c, d } = this.getTransform();
      // The titles of the axes are turned.
      drawn.texts.push(size * Math.hypot(c, d) * scaleOf(this));
      fillText.apply(this, text);
    };
    prototype.stroke = function (...path: unknown[]) {
      drawn.lines.push(this.lineWidth * this.getTransform().a * scaleOf(this));
      stroke.apply(this, path as [Path2D]);
    };
    Object.assign(window, { drawn });
  });
  const page = await openTab(context);
  await page.goto(`${server.url}/?wall&range=1HR`);
  const drawn = () =>
    page.evaluate(() => (window as unknown as { drawn: { texts: number[]; lines: number[] } }).drawn);
  const { texts, lines } = await until(async () => {
    const now = await drawn();
    return now.texts.length > 0 && now;
  });
  expect(Math.min(...texts)).toBeGreaterThanOrEqual(0.02 * 1080);
  expect(Math.max(...lines)).toBeGreaterThanOrEqual(5);
  const sharpness = await chartOf(page).evaluate((canvas: HTMLCanvasElement) => {
    return canvas.width / canvas.getBoundingClientRect().width;
  });
  expect(sharpness).toBeCloseTo(1, 1);
});

test('the server renders the wall, so that nothing else is seen first', async () => {
  const html = await (await fetch(`${server.url}/chart?range=1HR&wall`)).text();
  expect(html).not.toContain('know when to open a window');
  expect(html).toMatch(/<article[^>]*aria-label="CO2"/);
  // Other pages take no notice of the parameter, nor does an error page, which needs its links.
  for (const path of ['/postdata?wall', '/?range=1DAY&wall', '/nowhere?wall', '/']) {
    expect([path, await (await fetch(server.url + path)).text()]).toEqual([
      path,
      expect.stringContaining('know when to open a window'),
    ]);
  }
});

test('shows no pointer, and keeps the screen awake while it is visible', async () => {
  const page = await openTab(await chromium.browser.newContext());
  await page.addInitScript(() => {
    const locks: string[] = [];
    Object.assign(window, { locks });
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: async (type: string) => {
          locks.push(type);
          return { release: async () => locks.push('released') };
        },
      },
    });
  });
  const locks = () => page.evaluate(() => (window as unknown as { locks: string[] }).locks);
  await page.goto(`${server.url}/?wall`);
  await chartOf(page).waitFor();
  await until(async () => (await locks()).length > 0);
  expect(await locks()).toEqual(['screen']);
  const cursors = await page.evaluate(() =>
    [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => {
      const element = document.elementFromPoint(share * innerWidth, share * innerHeight);
      return element && getComputedStyle(element).cursor;
    }),
  );
  expect(new Set(cursors)).toEqual(new Set(['none']));
  for (const state of ['hidden', 'visible']) {
    await page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }
  await until(async () => (await locks()).length > 1);
  expect(await locks()).toEqual(['screen', 'screen']);
  await page.keyboard.press('Escape');
  await page.getByRole('banner').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await until(async () => (await locks()).at(-1) === 'released');
});

test('shows an empty store and a chart without a range', async () => {
  const page = await openPage(chromium.browser, `${server.url}/chart?wall`);
  await page.getByText('Waiting for the next reading.').waitFor();
  expect(await page.getByRole('banner').count()).toBe(0);
  await post(server.url, { co2: 431, voc: 43 });
  await figureOf(page, 'CO2', '431').waitFor();
  await waitForPoints(page, 1);
});
