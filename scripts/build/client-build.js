/** The files of the pages' build: scripts that are compiled while they arrive and compressed once, and what they need. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { transformWithEsbuild } from 'vite';
import { CHART_PAGES, EVERY_PAGE, FIRST_SCRIPTS } from './shared-scripts.js';

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

/** The large scripts of pages with a chart. */
const COMPILED_WHILE_LOADING = [
  EVERY_PAGE,
  CHART_PAGES,
  ...FIRST_SCRIPTS.map(({ name }) => name),
  'span-chart',
  'history',
];

/**
 * Makes Chromium compile these scripts as a whole, off the main thread, while they load. Otherwise it would
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
          if (output.type !== 'chunk' || !COMPILED_WHILE_LOADING.includes(output.name)) continue;
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
        }
      },
    },
  };
}

/** The script that a document has in its head. */
const HEAD_SCRIPT = 'first-history';

/**
 * Writes a copy of the script that a document has in its head, for `HeadScript`: as a function instead of a module, because a
 * browser runs a module only when it has nothing better to do.
 *
 * @returns {import('vite').Plugin}
 */
export function copyHeadScript() {
  return {
    name: 'copy-head-script',
    apply: forBrowsers,
    async generateBundle(_options, bundle) {
      const script = Object.values(bundle).find(({ name }) => name === HEAD_SCRIPT);
      if (script?.type !== 'chunk') return this.error(`there is no script ${HEAD_SCRIPT}`);
      if (script.imports.length > 0) this.error(`${script.fileName} imports ${script.imports}`);
      const define = { 'import.meta.url': 'location.href' };
      const { code } = await transformWithEsbuild(script.code, script.fileName, {
        format: 'iife',
        minify: true,
        define,
        sourcemap: false,
      });
      this.emitFile({ type: 'asset', fileName: `${script.fileName}.txt`, source: code.trim() });
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
