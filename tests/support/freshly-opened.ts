import type { Page } from 'playwright-core';
import { chartOf } from './dashboard';
import { openTab } from './page';
import { until } from './until';

/** What a page shows of the store: its chart in words, and the readings it lists. */
async function shown(page: Page): Promise<string> {
  const chart = chartOf(page);
  const words = (await chart.count()) > 0 ? await chart.getAttribute('aria-label') : '';
  return [words, ...(await page.getByRole('row').allInnerTexts())].join('\n');
}

/** Waits until an open page shows what a page opened now would show. */
export async function untilLikeFreshlyOpened(page: Page, address: string): Promise<void> {
  const fresh = await openTab(page.context());
  await fresh.goto(address);
  await until(async () => {
    const [there, here] = await Promise.all([shown(fresh), shown(page)]);
    return there !== '' && there === here;
  });
  await fresh.close();
}
