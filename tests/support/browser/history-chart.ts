import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { THRESHOLDS } from '../readings/readings';
import { chartOf } from './dashboard';
import type { Moves, ShownHistory as Shown } from './history-chart-page';
import { openPage, type WatchedPage } from './page';

/** The data of a chart, with the default thresholds. */
export type ShownHistory = Omit<Shown, 'thresholds'>;

const ADDRESS = 'http://history-chart.test/';

const ASSETS = 'build/client/assets';

let bundled: Promise<string> | undefined;

/** Bundles the script of a page with only a `HistoryChart`. Vite would take many times as long as esbuild. */
function bundle(): Promise<string> {
  // The version that Vite has pinned.
  const { build } = createRequire(createRequire(import.meta.url).resolve('vite'))('esbuild');
  bundled ??= build({
    entryPoints: ['tests/support/browser/history-chart-page.tsx'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env.SSR': 'false' },
    logLevel: 'error',
  }).then(({ outputFiles }: { outputFiles: [{ text: string }] }) => outputFiles[0].text);
  return bundled as Promise<string>;
}

/** Returns the product's styles, which include those of the chart. Tailwind CSS takes seconds to make them. */
function styles(): string {
  const sheets = readdirSync(ASSETS).filter((name) => name.endsWith('.css'));
  return sheets.map((name) => readFileSync(join(ASSETS, name), 'utf8')).join('\n');
}

const PAGE = `<!doctype html><html lang="en"><title>chart</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><style>${styles()} .chart-height { height: 360px }</style>
<body class="bg-canvas text-ink"><div id="root"></div><script type="module" src="page.js"></script>`;

/** Opens a page with only a history chart, and with a recorded canvas. */
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

/** Shows another history in the same chart. */
export async function show(page: Page, history: ShownHistory): Promise<void> {
  await page.evaluate((next) => (window as unknown as { show(history: Shown): void }).show(next), {
    ...history,
    thresholds: THRESHOLDS,
  });
  await chartOf(page).waitFor();
}

/** Returns the chart's calls to its page. */
export function movesOf(page: Page): Promise<Moves> {
  return page.evaluate(() => (window as unknown as { moves: Moves }).moves);
}
