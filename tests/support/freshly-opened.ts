import type { Page } from 'playwright-core';
import { chartOf } from './dashboard';
import { openTab } from './page';
import { until } from './until';

/** Returns the chart's label and the listed readings. */
async function contentOf(page: Page): Promise<string> {
  const chart = chartOf(page);
  const words = (await chart.count()) > 0 ? await chart.getAttribute('aria-label') : '';
  return [words, ...(await page.getByRole('row').allInnerTexts())].join('\n');
}

/** Waits until an open page shows the same as a new tab on `address`. */
export async function untilLikeFreshlyOpened(page: Page, address: string): Promise<void> {
  const fresh = await openTab(page.context());
  await fresh.goto(address);
  await until(async () => {
    const [expected, actual] = await Promise.all([contentOf(fresh), contentOf(page)]);
    return expected !== '' && expected === actual;
  });
  await fresh.close();
}
