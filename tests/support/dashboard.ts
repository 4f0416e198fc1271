import type { Locator, Page } from 'playwright-core';

/** The tile of a metric. */
export function tileOf(page: Page, name: string): Locator {
  return page.getByRole('article', { name });
}

/** The chart; its label says in words what it shows. */
export function chartOf(page: Page): Locator {
  return page.getByRole('img', { name: /^Line chart/ });
}

/** Waits until the chart says that it shows so many points. */
export async function waitForPoints(page: Page, points: number): Promise<void> {
  const inWords = points === 1 ? 'one point' : `${points} points`;
  await page.getByRole('img', { name: new RegExp(`^Line chart.*: ${inWords}\\.`) }).waitFor();
}

/** Waits until the page gets inserts: the shown connection has caught up. */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.locator('button:enabled').first().waitFor();
}
