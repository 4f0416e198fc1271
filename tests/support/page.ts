import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, onTestFinished } from 'vitest';
import { type ChromiumOptions, sharedChromium } from './chromium';
import type { RunningServer } from './server';

/** A page with its console errors, warnings and uncaught errors, of which a test expects none. */
export type WatchedPage = Page & { complaints: string[] };

/** Opens a page in its own browser context, as another visitor would. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await openTab(context);
  await page.goto(url);
  return page;
}

/** Opens an empty tab, for tests that set it up before it loads a page. */
export async function openTab(context: BrowserContext): Promise<WatchedPage> {
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  return page;
}

/**
 * Provides the tests of a file with a Chromium. After each test it closes all pages and expects their `complaints`
 * to be empty; a test that provokes some removes them.
 */
export function withChromium(options?: ChromiumOptions): { browser: Browser } {
  const chromium = {} as { browser: Browser };
  beforeAll(async () => {
    chromium.browser = await sharedChromium(options);
  });
  afterEach(async () => {
    const contexts = chromium.browser.contexts();
    const pages = contexts.flatMap((context) => context.pages()) as Partial<WatchedPage>[];
    const complaints = pages.flatMap((page) => page.complaints ?? []);
    // Handlers of requests that a page is still waiting for would fail.
    await Promise.all(
      [...contexts, ...contexts.flatMap((context) => context.pages())].map((routed) =>
        routed.unrouteAll({ behavior: 'ignoreErrors' }),
      ),
    );
    await Promise.all(contexts.map((context) => context.close()));
    // As one text, which a failure shows in full.
    expect(complaints.join('\n')).toBe('');
  });
  return chromium;
}

/** Stops a server at the end of the test, once its pages are closed: they would complain of the lost connection. */
export function stopAfterTest(server: RunningServer): void {
  onTestFinished(async () => {
    await server.stop();
  });
}
