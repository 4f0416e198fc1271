/** How the pages' scripts are built: into few files, compiled while they arrive, and compressed once. */
import { brotliCompressSync } from 'node:zlib';

/** What every page needs, and what those with a chart need besides. */
const EVERY_PAGE = 'every-page';
const CHART_PAGES = 'chart-pages';
const PAGES_WITH_CHART = /routes\/(_index|chart)\./;

/**
 * The file for what several pages share. Left alone, Rollup makes a small one for each set of pages that have
 * something in common: more requests, and worse compression. What one page alone needs stays with it, and
 * what is imported later stays apart. A new page with a chart has to be named here.
 *
 * @type {import('vite').Rollup.GetManualChunk}
 */
export function scriptOf(id, { getModuleInfo }) {
  const users = entriesThatImport(id, getModuleInfo);
  if (users.size < 2) return;
  return [...users].every((user) => PAGES_WITH_CHART.test(user)) ? CHART_PAGES : EVERY_PAGE;
}

/**
 * The entries (a route's module is one) that need a module from the start.
 *
 * @param {string} id
 * @param {import('vite').Rollup.GetModuleInfo} getModuleInfo
 * @returns {Set<string>}
 */
function entriesThatImport(id, getModuleInfo) {
  const users = new Set();
  const seen = new Set([id]);
  for (const module of seen) {
    const info = getModuleInfo(module);
    if (info?.isEntry) users.add(module);
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  return users;
}

/** @type {import('vite').Plugin['apply']} */
const forBrowsers = (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild;

/**
 * Tells Chromium to compile these files whole, off the page's thread, while they arrive: it would compile
 * each function when that is first called, and nearly all are called before the chart is drawn.
 *
 * @see https://v8.dev/blog/explicit-compile-hints
 * @returns {import('vite').Plugin}
 */
export function compileAtOnce() {
  return {
    name: 'compile-at-once',
    apply: forBrowsers,
    generateBundle: {
      // The hint counts as the first line alone, and Vite itself may put one there.
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

/** Below this a copy is not worth its headers. */
const COMPRESS_FROM_BYTES = 1000;

/**
 * Puts a Brotli copy beside each script and style. It is what `app/http/compressed-assets.server.ts` has sent.
 *
 * @returns {import('vite').Plugin}
 */
export function compressOnce() {
  return {
    name: 'compress-once',
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
