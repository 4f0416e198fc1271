/** The files of the pages' build: compressed copies, the service worker, and the licences of what is in the scripts. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

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

/** @type {import('vite').Plugin['apply']} */
const forBrowsers = (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild;

/**
 * Makes Chromium compile the two large scripts as a whole, off the main thread, while they load. Otherwise it would compile
 * each function at its first call, and nearly all are called before the chart is drawn.
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
          if (output.type !== 'chunk' || !['every-page', 'chart-pages'].includes(output.name)) continue;
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
        }
      },
    },
  };
}

/** The service worker's script. Its address stays the same, so that browsers find a newer one there. */
const SERVICE_WORKER = { id: 'app/live/browser/offline-worker.ts', fileName: 'service-worker.js' };

/** @returns {import('vite').Plugin} */
export function emitServiceWorker() {
  return {
    name: 'emit-service-worker',
    apply: forBrowsers,
    buildStart() {
      this.emitFile({ type: 'chunk', ...SERVICE_WORKER });
    },
  };
}

const PACKAGE_FOLDER = /[^\0]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * Writes the licences of the packages in the scripts to `licenses.txt`. As comments, which every visitor would load, they
 * took 0.6 kB gzipped.
 *
 * @returns {import('vite').Plugin}
 */
export function collectLicenses() {
  return {
    name: 'collect-licenses',
    apply: forBrowsers,
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const packages = new Map();
      for (const id of chunks.flatMap((chunk) => Object.keys(chunk.modules))) {
        const [folder, name] = PACKAGE_FOLDER.exec(id) ?? [];
        if (folder && name) packages.set(name, licenseIn(folder));
      }
      const source = [...packages]
        .sort()
        .map(([name, license]) => `${name}\n\n${license}`)
        .join('\n\n----\n\n');
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
    },
  };
}

/**
 * Returns the text of a package's licence, or its name.
 *
 * @param {string} folder ends with a slash
 * @returns {string}
 */
export function licenseIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file) return readFileSync(folder + file, 'utf8').trim();
  return JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).license;
}

/** Smaller files gain less than the headers of a compressed response cost. */
const COMPRESS_FROM_BYTES = 1000;

/**
 * Writes a Brotli copy of each script and style, which `app/http/guard/compressed-assets.server.ts` serves.
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

/** The layout of every page. */
const ROOT_ROUTE = /\/app\/root\.tsx/;
/** What the dashboard starts with. */
const DASHBOARD_ENTRY = /\/app\/(root|entry\.client|routes\/_index)\.tsx/;

/**
 * Puts the modules that the dashboard shares with other pages into two scripts: `chart-pages` for the charts, `every-page` for
 * the rest. Rollup would make a small file for each set of pages with modules in common: more requests, and 5 % more bytes.
 *
 * @type {import('vite').Rollup.GetManualChunk}
 */
export function sharedScript(id, { getModuleInfo }) {
  const pages = new Set();
  const importers = new Set([id]);
  for (const importer of importers) {
    const info = getModuleInfo(importer);
    if (info?.isEntry) pages.add(importer);
    for (const next of info?.importers ?? []) importers.add(next);
  }
  const names = [...pages];
  if (names.some((page) => ROOT_ROUTE.test(page))) return 'every-page';
  if (names.length < 2 || !names.some((page) => DASHBOARD_ENTRY.test(page))) return;
  return names.some((page) => /\/(postdata|notifications)\.tsx/.test(page)) ? 'every-page' : 'chart-pages';
}
