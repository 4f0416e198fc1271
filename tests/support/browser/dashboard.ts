import type { Browser, Locator, Page } from 'playwright-core';
import { until } from '../until';
import { timeAxis } from './canvas';
import { openPage, type WatchedPage } from './page';

/** Finds the tile of a metric. */
export function tileOf(page: Page, name: string): Locator {
  return page.getByRole('article', { name });
}

/** Finds the chart by its label, which describes it. */
export function chartOf(page: Page): Locator {
  return page.getByRole('img', { name: /^Line chart/ });
}

/** Waits until the chart's label contains this number of points. */
export async function waitForPoints(page: Page, points: number): Promise<void> {
  const inWords = points === 1 ? 'one point' : `${points} points`;
  await page.getByRole('img', { name: new RegExp(`^Line chart.*: ${inWords}\\.`) }).waitFor();
}

/** Waits for the first render in the browser, which enables all buttons that need a script. */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.locator('main button:enabled:visible:not([popovertarget])').first().waitFor();
}

export const stripOf = (page: Page) => page.getByRole('navigation', { name: 'Sensors' });
export const linksOf = (page: Page) => stripOf(page).getByRole('link');
export const linkTo = (page: Page, name: string) => linksOf(page).filter({ hasText: name });
export const cardOf = (page: Page, name: string) => page.getByRole('region', { name });
export const namesIn = (page: Page) => linksOf(page).locator('bdi').allTextContents();
export const boxOf = async (element: Locator) =>
  (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
/** Returns the boxes of all elements in one request to the page. Forty separate requests take a second. */
export const boxesOf = (elements: Locator) =>
  elements.evaluateAll((nodes) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );

/** Opens an empty tab with a recorded canvas and a touch screen. */
export function openZoomTab(browser: Browser): Promise<WatchedPage> {
  return openPage(browser, 'about:blank', { viewport: { width: 1400, height: 900 }, hasTouch: true });
}

/** Finds the reset button of a zoomed chart. */
export function resetButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Reset zoom' });
}

/** Turns the wheel over the middle of the chart. A negative `deltaY` zooms in. */
export async function turnWheel(page: Page, deltaY: number, times: number): Promise<void> {
  await chartOf(page).hover();
  for (let i = 0; i < times; i++) await page.mouse.wheel(0, deltaY);
}

/** Waits for the first frame of the chart and returns its time axis. */
export function drawnAxis(page: Page): Promise<string[]> {
  return until(async () => {
    const axis = await timeAxis(page);
    return axis.length > 0 && axis;
  });
}

/**
 * Returns the time axis once all turns of the wheel have been drawn, that is, when it stays the same for some frames.
 */
export function settledAxis(page: Page): Promise<string[]> {
  let before = '';
  return until(async () => {
    await nextFrames(page);
    const axis = await timeAxis(page);
    const isSettled = axis.join() === before;
    before = axis.join();
    return isSettled && axis;
  });
}

/** Waits until the page has drawn the results of its current events. */
const nextFrames = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
