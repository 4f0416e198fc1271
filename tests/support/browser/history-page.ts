import type { Locator, Page } from 'playwright-core';
import { until } from '../until';
import { chartOf } from './dashboard';

/** Waits until the chart has all of the span in view. */
export async function waitForHistory(page: Page): Promise<void> {
  await chartOf(page).waitFor();
  await page.locator('[aria-busy=false]:has(> [data-step])').waitFor();
}

/** Finds the link to a span such as `week`. */
export function spanLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Span' }).getByRole('link', { name });
}

/** Returns the span in words, as the date field shows it. */
export async function spanTitleOn(page: Page): Promise<string> {
  return (await page.locator('label:has([type=date]) [aria-hidden]').innerText()).replace(/\s*▾$/, '');
}

/** Waits until the date field shows a span. */
export async function waitForSpan(page: Page, title: string): Promise<void> {
  await until(async () => (await spanTitleOn(page)) === title).catch(async () => {
    throw new Error(`the page shows ${await spanTitleOn(page)}, not ${title}`);
  });
}

/** Returns the query of a page's address. */
export function queryOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** Returns the card with the numbers of a metric. */
export function numbersOf(page: Page, metric: string): Locator {
  return page.getByRole('region', { name: new RegExp(`^${metric} PP[MB]$`) });
}
