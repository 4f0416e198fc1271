import tailwindcss from '@tailwindcss/vite';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build, type Rollup } from 'vite';
import { watchCanvas } from './canvas';
import { chartOf } from './dashboard';
import type { Moves, ShownHistory as Shown } from './history-chart-page';
import { openTab, type WatchedPage } from './page';
import { THRESHOLDS } from './thresholds';

/** What a chart shows, with the usual limits of levels. */
export type ShownHistory = Omit<Shown, 'thresholds'>;

const ADDRESS = 'http://history-chart.test/';

let bundled: Promise<Map<string, string>> | undefined;

/** Bundles a page that has a `HistoryChart` and nothing else. */
function bundle(): Promise<Map<string, string>> {
  bundled ??= build({
    configFile: false,
    logLevel: 'error',
    // Vitest sets the environment of the process to a test's.
    mode: 'production',
    esbuild: { jsx: 'automatic', jsxDev: false },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [tailwindcss()],
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      rollupOptions: {
        input: 'tests/support/history-chart-page.tsx',
        output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
      },
    },
  }).then((built) => {
    const { output } = built as Rollup.RollupOutput;
    return new Map(
      output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]),
    );
  });
  return bundled;
}

/** Opens a page with nothing but a history chart, and with a recorded canvas. */
export async function openHistoryChart(
  browser: Browser,
  history: ShownHistory,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const files = await bundle();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await watchCanvas(context);
  const page = await openTab(context);
  await page.route(`${ADDRESS}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name)
      return route.fulfill({
        body: files.get(name),
        contentType: name.endsWith('.js') ? 'text/javascript' : 'text/css',
      });
    return route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>chart</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"><meta name="viewport" content="width=device-width"><body class="bg-canvas text-ink"><div id="root"></div><script type="module" src="page.js"></script>',
    });
  });
  await page.goto(ADDRESS);
  await page.waitForFunction(() => 'show' in window);
  await show(page, history);
  return page;
}

/** Shows another history on the same chart. */
export async function show(page: Page, history: ShownHistory): Promise<void> {
  await page.evaluate((next) => (window as unknown as { show(history: Shown): void }).show(next), {
    ...history,
    thresholds: THRESHOLDS,
  });
  await chartOf(page).waitFor();
}

/** Returns what the chart has told its page. */
export function movesOf(page: Page): Promise<Moves> {
  return page.evaluate(() => (window as unknown as { moves: Moves }).moves);
}
