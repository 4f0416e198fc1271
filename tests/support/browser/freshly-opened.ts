import type { Page } from 'playwright-core';
import { until } from '../until';
import { openTab } from './page';

/** Returns the chart's label and the listed readings. */
function contentOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const chart = document.querySelector('[role=img][aria-label^="Line chart"]');
    const rows = [...document.querySelectorAll('tr')].map((row) => row.innerText);
    return [chart?.ariaLabel ?? '', ...rows].join('\n');
  });
}

/** Waits until each of these pages of one browser shows the same as a new tab on its address. */
export async function untilLikeFreshlyOpened(...pages: Page[]): Promise<void> {
  const [first] = pages;
  if (!first) return;
  const fresh = await openTab(first.context());
  for (const page of pages) {
    await fresh.goto(page.url());
    await until(async () => {
      const [expected, actual] = await Promise.all([contentOf(fresh), contentOf(page)]);
      return expected !== '' && expected === actual;
    });
  }
  await fresh.close();
}
