import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../tests/support/browser/chromium';

/** Runs `work` with a new browser. Closes the browser even after an error. */
export async function withChromium<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchChromium();
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a page with an empty cache, and a DevTools session for it. */
export async function openFreshPage(browser: Browser): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  return { page, devtools: await context.newCDPSession(page) };
}
