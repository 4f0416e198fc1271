import type { Locator, Page } from 'playwright-core';

/** Finds the tile of a metric. */
export function tileOf(page: Page, name: string): Locator {
  return page.getByRole('article', { name });
}

/** Finds the chart. Its label describes what it shows. */
export function chartOf(page: Page): Locator {
  return page.getByRole('img', { name: /^Line chart/ });
}

/** Waits until the chart's label gives this number of points. */
export async function waitForPoints(page: Page, points: number): Promise<void> {
  const inWords = points === 1 ? 'one point' : `${points} points`;
  await page.getByRole('img', { name: new RegExp(`^Line chart.*: ${inWords}\\.`) }).waitFor();
}

/** Waits until a button is enabled, which the first render in the browser does. Those of popovers need no script. */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.locator('main button:enabled:visible:not([popovertarget])').first().waitFor();
}
