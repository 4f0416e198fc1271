import type { Browser, Locator, Page } from 'playwright-core';
import { until } from '../until';
import { timeAxis } from './canvas';
import { chartOf } from './dashboard';
import { openPage, type WatchedPage } from './page';

/** Opens an empty tab with a recorded canvas and a touch screen. */
export function openZoomTab(browser: Browser): Promise<WatchedPage> {
  return openPage(browser, 'about:blank', { viewport: { width: 1400, height: 900 }, hasTouch: true });
}

/** Finds the button that a zoomed chart has. */
export function resetButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Reset zoom' });
}

/** Turns the wheel over the middle of the chart; a negative `deltaY` zooms in. */
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

/** Returns the time axis once all turns of the wheel have been drawn: when it is the same twice, with frames between. */
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

/** Waits until the page has drawn what its events of now lead to. */
const nextFrames = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
