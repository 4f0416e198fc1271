import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn } from '../support/browser/canvas';
import { chartOf } from '../support/browser/dashboard';
import { holdFile } from '../support/browser/held-file';
import { openPage, type WatchedPage, withChromium } from '../support/browser/page';
import { startServerWith } from '../support/server/seeded-server';
import type { RunningServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  // Two days, so that a year has a beginning, and points are averages.
  server = await startServerWith(600, { intervalMs: 300_000 });
});

afterAll(() => server.stop());

/** Opens a page whose script with React doesn't come until it is let in. */
async function openWithoutReact(path: string, options: BrowserContextOptions = {}) {
  const page = await openPage(chromium.browser, 'about:blank', options);
  const letReactIn = await holdFile(page, 'every-page');
  await page.goto(server.url + path, { waitUntil: 'commit' });
  return { page, letReactIn };
}

const isDrawn = (page: Page) => page.locator('canvas[data-drawn]');

/** Returns what a page's chart shows, and where. */
async function seenOn(page: WatchedPage) {
  const canvas = page.locator('canvas');
  const place = await canvas.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y: y + scrollY, width, height };
  });
  return { ...(await drawingOn(page, 'canvas')), place, pixels: await canvas.screenshot() };
}

/** Counts from now on the frames of a page, and those in which its canvas has nothing on it. */
function watchFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const copy = Object.assign(document.createElement('canvas'), { width: 20, height: 20 });
    const context = copy.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    const frames = { all: 0, empty: 0 };
    Object.assign(window, { frames });
    const look = () => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      context.clearRect(0, 0, 20, 20);
      context.drawImage(canvas, 0, 0, 20, 20);
      frames.all++;
      if (context.getImageData(0, 0, 20, 20).data.every((value) => value === 0)) frames.empty++;
      requestAnimationFrame(look);
    };
    look();
  });
}

const framesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { frames: { all: number; empty: number } }).frames);

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

test.each([
  { path: '/', viewport: WIDE },
  { path: '/', viewport: PHONE, colorScheme: 'dark' as const },
  { path: '/', viewport: WIDE, forcedColors: 'active' as const },
  { path: '/chart?range=10MIN', viewport: PHONE },
  { path: '/history?span=year', viewport: PHONE, forcedColors: 'active' as const },
  { path: '/history?span=week', viewport: WIDE, colorScheme: 'dark' as const },
  { path: '/history', viewport: PHONE },
])(
  '$path shows its chart before React has come, and the same one after, without a frame between ($viewport.width px)',
  async ({ path, ...options }) => {
    const { page, letReactIn } = await openWithoutReact(path, options);
    await isDrawn(page).waitFor();
    expect(await page.getByText('Loading readings…').isVisible()).toBe(false);
    const before = await seenOn(page);
    expect(before.texts.length).toBeGreaterThan(5);
    await watchFrames(page);
    letReactIn();
    await chartOf(page).and(page.locator('canvas:not([data-drawn])')).waitFor();
    await until(async () => (await drawingOn(page)).texts.length >= before.texts.length);
    const after = await seenOn(page);
    expect({ ...after, pixels: after.pixels.equals(before.pixels) }).toEqual({ ...before, pixels: true });
    const frames = await framesOf(page);
    expect(frames).toEqual({ all: expect.any(Number), empty: 0 });
    expect(frames.all).toBeGreaterThan(1);
  },
);

test('the first chart waits for the styles, whose colours and sizes it has', async () => {
  const page = await openPage(chromium.browser, 'about:blank');
  const letStylesIn = await holdFile(page, 'tailwind');
  await page.goto(`${server.url}/`, { waitUntil: 'commit' });
  const address = await page.locator('script[src*="/assets/first-chart-"]').getAttribute('src');
  // Fulfilled once it has run. As a text, because Vitest rewrites `import`.
  await page.evaluate(`import('${address}')`);
  expect(await isDrawn(page).count()).toBe(0);
  letStylesIn();
  await chartOf(page).waitFor();
  await until(async () => (await drawingOn(page)).texts.length > 5);
  expect((await seenOn(page)).place.height).toBeGreaterThan(250);
});
