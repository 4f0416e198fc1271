import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build, type Rollup } from 'vite';
import { chartOf } from './dashboard';
import type { Moves, ShownHistory as Shown } from './history-chart-page';
import { openPage, type WatchedPage } from './page';
import { THRESHOLDS } from './thresholds';

/** What a chart shows, with the usual limits of levels. */
export type ShownHistory = Omit<Shown, 'thresholds'>;

const ADDRESS = 'http://history-chart.test/';

const ASSETS = 'build/client/assets';

let bundled: Promise<string> | undefined;

/** Bundles the script of a page that has a `HistoryChart` and nothing else. */
function bundle(): Promise<string> {
  bundled ??= build({
    configFile: false,
    logLevel: 'error',
    // Vitest sets the environment of the process to a test's.
    mode: 'production',
    esbuild: { jsx: 'automatic', jsxDev: false },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      rollupOptions: { input: 'tests/support/history-chart-page.tsx' },
    },
  }).then((built) => {
    const { output } = built as Rollup.RollupOutput;
    return output[0].code;
  });
  return bundled;
}

/** Returns the product's styles, which have all that the chart uses. Making them takes Tailwind CSS seconds. */
function styles(): string {
  const sheets = readdirSync(ASSETS).filter((name) => name.endsWith('.css'));
  return sheets.map((name) => readFileSync(join(ASSETS, name), 'utf8')).join('\n');
}

const PAGE = `<!doctype html><html lang="en"><title>chart</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><style>${styles()} .chart-height { height: 360px }</style>
<body class="bg-canvas text-ink"><div id="root"></div><script type="module" src="page.js"></script>`;

/** Opens a page with nothing but a history chart, and with a recorded canvas. */
export async function openHistoryChart(
  browser: Browser,
  history: ShownHistory,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const script = await bundle();
  const page = await openPage(browser, 'about:blank', options);
  await page.route(`${ADDRESS}**`, (route) =>
    route.request().url() === ADDRESS
      ? route.fulfill({ contentType: 'text/html', body: PAGE })
      : route.fulfill({ contentType: 'text/javascript', body: script }),
  );
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
