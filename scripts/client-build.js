/** The build of the pages' scripts: few files, compiled while they arrive, and compressed once. */
import { brotliCompressSync } from 'node:zlib';

/** The scripts that pages share: the code of every page, and the code of pages with a chart. */
const EVERY_PAGE = 'every-page';
const CHART_PAGES = 'chart-pages';

const CHART_MODULE = /\/app\/ui\/chart\//;

/**
 * Packages that development bundles when it starts. If it found one of them later, it would bundle all of them
 * again, and an open page would have two copies of React.
 */
export const BROWSER_PACKAGES = [
  '@remix-run/react',
  '@supabase/supabase-js',
  'chart.js',
  'chartjs-plugin-zoom',
  'react',
  'react-chartjs-2',
  'react-dom/client',
  'react/jsx-dev-runtime',
  // Only the server uses it, but Vite looks at imports before Remix removes those of a page's loader.
  'zod',
];

/**
 * Returns the shared script for a module that several pages use, or undefined to leave it to Rollup. Rollup
 * would make a small file for each set of pages with modules in common: more requests, and worse compression.
 *
 * @type {import('vite').Rollup.GetManualChunk}
 */
export function sharedScript(id, { getModuleIds, getModuleInfo }) {
  const pages = entriesOf([id], getModuleInfo);
  if (pages.size < 2) return;
  const chartModules = [...getModuleIds()].filter((module) => CHART_MODULE.test(module));
  const chartPages = entriesOf(chartModules, getModuleInfo);
  return [...pages].every((page) => chartPages.has(page)) ? CHART_PAGES : EVERY_PAGE;
}

/**
 * Returns the entries (each route is one) that import one of the modules statically, directly or not.
 *
 * @param {string[]} ids
 * @param {import('vite').Rollup.GetModuleInfo} getModuleInfo
 * @returns {Set<string>}
 */
function entriesOf(ids, getModuleInfo) {
  const entries = new Set();
  const importers = new Set(ids);
  for (const id of importers) {
    const info = getModuleInfo(id);
    if (info?.isEntry) entries.add(id);
    for (const importer of info?.importers ?? []) importers.add(importer);
  }
  return entries;
}

/** @type {import('vite').Plugin['apply']} */
const forBrowsers = (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild;

/**
 * Makes Chromium compile the shared scripts as a whole, off the main thread, while they load. Otherwise it would
 * compile each function at its first call, and nearly all are called before the chart is drawn.
 *
 * @see https://v8.dev/blog/explicit-compile-hints
 * @returns {import('vite').Plugin}
 */
export function compileWhileLoading() {
  return {
    name: 'compile-while-loading',
    apply: forBrowsers,
    generateBundle: {
      // The hint has to be the first line, after Vite has added its own.
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type !== 'chunk' || ![EVERY_PAGE, CHART_PAGES].includes(output.name)) continue;
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
        }
      },
    },
  };
}

/** Smaller files gain less than the headers of a compressed response cost. */
const COMPRESS_FROM_BYTES = 1000;

/**
 * Writes a Brotli copy of each script and style, which `app/http/compressed-assets.server.ts` serves.
 *
 * @returns {import('vite').Plugin}
 */
export function compressAssets() {
  return {
    name: 'compress-assets',
    apply: forBrowsers,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle)) {
          const content = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          if (!/\.(js|css)$/.test(output.fileName) || content.length < COMPRESS_FROM_BYTES) continue;
          this.emitFile({
            type: 'asset',
            fileName: `${output.fileName}.br`,
            source: brotliCompressSync(content),
          });
        }
      },
    },
  };
}
