import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium';

/** A page whose console errors, warnings and uncaught errors are collected: a test expects none. */
export type WatchedPage = Page & { complaints: string[] };

/** Opens a page in a browser context of its own, as another visitor would. */
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

/** An empty tab of a browser context: what it is to pretend is told before it goes anywhere. */
export async function openTab(context: BrowserContext): Promise<WatchedPage> {
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  return page;
}

/**
 * A Chromium for the tests of a file. After each test its pages are closed, and none may have complained:
 * a test that provokes a complaint takes it from `complaints` itself.
 */
export function withChromium(): { browser: Browser } {
  const chromium = {} as { browser: Browser };
  beforeAll(async () => {
    chromium.browser = await launchChromium();
  });
  afterEach(async () => {
    const contexts = chromium.browser.contexts();
    const pages = contexts.flatMap((context) => context.pages()) as Partial<WatchedPage>[];
    const complaints = pages.flatMap((page) => page.complaints ?? []);
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints).toEqual([]);
  });
  afterAll(() => chromium.browser.close());
  return chromium;
}
