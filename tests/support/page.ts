import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';

/** Opens a page whose console errors, warnings and uncaught errors are collected: a test expects none. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page & { complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  await page.goto(url);
  return page;
}
