import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  ConsoleMessage,
  Page,
} from 'playwright-core';
import { afterEach, beforeAll, expect, onTestFinished } from 'vitest';
import type { RunningServer } from '../server/server';
import { watchCanvas } from './canvas';
import { type ChromiumOptions, sharedChromium } from './chromium';

const VIEWPORT = { width: 1280, height: 900 };

/** A page with its console errors, warnings and uncaught errors. A test expects none. */
export type WatchedPage = Page & { complaints: string[] };

/**
 * Opens a page with a recorded canvas in a new browser context, as another visitor would. Later tests reuse the
 * context, so a test that installs scripts or a clock opens a tab of a new context instead.
 */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await visit(browser, options);
  await page.goto(url);
  return page;
}

/** A browser context with one page. Making one takes as long as loading a page, so tests reuse it. */
interface Visitor {
  page: WatchedPage;
  devtools: CDPSession;
  /** The permanent options of a context, as JSON. */
  lasting: string;
  /** The origins that the page has visited, whose storage has to be cleared. */
  origins: Set<string>;
  isTaken: boolean;
}

const visitors = new Map<Browser, Visitor[]>();

/** Each visitor has a process of about 50 MB. */
const MOST_VISITORS = 6;

/** Returns the empty page of a visitor that the test doesn't use yet. */
async function visit(browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> {
  const {
    viewport = VIEWPORT,
    colorScheme = 'light',
    reducedMotion = 'no-preference',
    forcedColors = 'none',
    ...lasting
  } = options;
  const all = visitors.get(browser) ?? [];
  visitors.set(browser, all);
  const key = JSON.stringify(lasting);
  const idle = all.filter(({ isTaken }) => !isTaken);
  let visitor = idle.find((known) => known.lasting === key);
  if (visitor) visitor.isTaken = true;
  else {
    const [oldest] = idle;
    if (oldest && all.length >= MOST_VISITORS) {
      all.splice(all.indexOf(oldest), 1);
      await oldest.page.context().close();
    }
    visitor = await makeVisitor(browser, lasting);
    all.push(visitor);
  }
  const { page } = visitor;
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion, forcedColors });
  return page;
}

async function makeVisitor(browser: Browser, lasting: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...lasting });
  await watchCanvas(context);
  const page = await openTab(context);
  const devtools = await context.newCDPSession(page);
  const refuse = () => {
    throw new Error('later tests would have this too: open a tab of a new context for it');
  };
  for (const owner of [page, context])
    Object.assign(owner, { addInitScript: refuse, exposeFunction: refuse });
  Object.assign(context.clock, { install: refuse });
  const origins = new Set<string>();
  page.on('framenavigated', (frame) => {
    if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin);
  });
  return { page, devtools, lasting: JSON.stringify(lasting), origins, isTaken: true };
}

/** Empties a visitor's page and its storage. */
async function dismiss(visitor: Visitor): Promise<void> {
  const { page, devtools } = visitor;
  const context = page.context();
  await Promise.all(context.pages().map((tab) => tab !== page && tab.close()));
  // Session storage belongs to the tab, and can only be cleared there.
  await page.evaluate(() => sessionStorage.clear()).catch(() => {});
  await page.goto('about:blank');
  for (const origin of visitor.origins)
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  visitor.origins.clear();
  await context.clearCookies();
  await context.setOffline(false);
  await devtools.send('Page.resetNavigationHistory');
  page.removeAllListeners('request');
  page.complaints = [];
  // Otherwise the pointer would hover over elements of the next page.
  await page.mouse.move(-10, -10);
  visitor.isTaken = false;
}

/** Playwright's warning about service workers, which `sharedChromium` blocks. */
const BLOCKED = 'Service Worker registration blocked by Playwright';

/** Opens an empty tab, for tests that set it up before it loads a page. */
export async function openTab(context: BrowserContext): Promise<WatchedPage> {
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  // Below Vitest's 30 s for a test, so that the error names the locator.
  page.setDefaultTimeout(25_000);
  page.on('console', (message: ConsoleMessage) => {
    const isComplaint = ['error', 'warning'].includes(message.type()) && message.text() !== BLOCKED;
    if (isComplaint) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  return page;
}

/**
 * Provides the tests of a file with a Chromium. After each test it closes all pages and expects their `complaints` to
 * be empty. A test that provokes some removes them.
 */
export function withChromium(options?: ChromiumOptions): { browser: Browser } {
  const chromium = {} as { browser: Browser };
  beforeAll(async () => {
    chromium.browser = await sharedChromium(options);
  });
  afterEach(async ({ task }) => {
    const contexts = chromium.browser.contexts();
    const pages = contexts.flatMap((context) => context.pages()) as Partial<WatchedPage>[];
    const complaints = pages.flatMap((page) => page.complaints ?? []);
    await closePages(chromium.browser, { isKept: task.result?.state !== 'fail' });
    // As one text, which a failure shows in full.
    expect(complaints.join('\n')).toBe('');
  });
  return chromium;
}

/** Closes all pages of a test. Visitors are kept for later tests, unless this one may have left them in any state. */
export async function closePages(browser: Browser, { isKept }: { isKept: boolean }): Promise<void> {
  const contexts = browser.contexts();
  // Otherwise the handlers of pending requests would fail.
  await Promise.all(
    [...contexts, ...contexts.flatMap((context) => context.pages())].map((routed) =>
      routed.unrouteAll({ behavior: 'ignoreErrors' }),
    ),
  );
  const kept = (isKept ? (visitors.get(browser) ?? []) : []).filter(({ page }) => !page.isClosed());
  visitors.set(browser, kept);
  await Promise.all([
    ...kept.filter(({ isTaken }) => isTaken).map(dismiss),
    ...contexts
      .filter((context) => !kept.some(({ page }) => page.context() === context))
      .map((context) => context.close()),
  ]);
}

/** Stops a server at the end of the test, after its pages are closed. They would report the lost connection. */
export function stopAfterTest(server: RunningServer): void {
  onTestFinished(async () => {
    await server.stop();
  });
}
