import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { post } from '../server/api';
import { chartOf, waitUntilInteractive } from './dashboard';
import type { Network } from './network';
import { openTab, type WatchedPage } from './page';

/** The CO2 value that `openLiveTabs` posted last, below all others, so that a chart's label has it. */
let lastCo2 = 400;

/**
 * Opens tabs of one browser on these paths, and posts a reading that each of them shows. The tabs are small and open one
 * after another, because on a busy machine a dozen pages that load at once could exceed the timeout of a page.
 *
 * @returns the tabs, and the reading's CO2
 */
export async function openLiveTabs<Paths extends string[]>(
  browser: Browser,
  network: Network,
  ...paths: Paths
): Promise<{ pages: { [Index in keyof Paths]: WatchedPage }; co2: number }> {
  const context = await browser.newContext({
    viewport: { width: 480, height: 640 },
    reducedMotion: 'reduce',
  });
  const pages: WatchedPage[] = [];
  for (const path of paths) {
    const page = await openTab(context);
    await page.goto(network.url + path);
    if (path.startsWith('/chart')) await chartOf(page).waitFor();
    else await waitUntilInteractive(page);
    pages.push(page);
  }
  lastCo2 -= 1;
  await post(network.url, { co2: lastCo2, voc: 11 });
  for (const page of pages) {
    await page
      .getByText(String(lastCo2), { exact: true })
      .or(page.getByLabel(new RegExp(` ${lastCo2} and `)))
      .first()
      .waitFor();
  }
  return { pages: pages as { [Index in keyof Paths]: WatchedPage }, co2: lastCo2 };
}

/** Clears the browser's log of failed requests, and expects nothing else in it. */
export function forgetFailedRequests(...pages: WatchedPage[]): void {
  for (const page of pages) {
    const other = page.complaints.splice(0).filter((text) => !/Failed to load resource: net::ERR/.test(text));
    expect(other).toEqual([]);
  }
}
