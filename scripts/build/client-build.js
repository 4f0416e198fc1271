/** The build of the pages' scripts: few files, compiled while they arrive, and compressed once. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { transformWithEsbuild } from 'vite';

/** The scripts that pages share: the code of every page with React, and that of pages with a chart. */
const EVERY_PAGE = 'every-page';
const CHART_PAGES = 'chart-pages';
/** What every page needs of the scripts that run before React has come. */
const FIRST_SHARED = 'first-shared';

/**
 * The scripts that run on some pages before React has come, each with its module and all that this imports. A module of
 * several is in the first of them.
 */
const FIRST_SCRIPTS = [
  { name: 'first-history', module: /\/app\/ui\/history\/load\/ask-first-history\./ },
  { name: 'first-chart', module: /\/app\/ui\/chart\/first\/first-readings\./ },
  { name: 'first-span', module: /\/app\/ui\/history\/load\/draw-first-history\./ },
];

/** The layout of every page. */
const ROOT = /\/app\/root\.tsx/;

/** What every page starts with, and the dashboard. */
const DASHBOARD_ENTRY = /\/app\/(root|entry\.client|routes\/_index)\.tsx/;

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
 * Returns the script for a module that runs before React or that several pages use, or undefined to leave it to Rollup. Rollup
 * would make a small file for each set of pages with modules in common: more requests, and worse compression.
 *
 * @type {import('vite').Rollup.GetManualChunk}
 */
export function sharedScript(id, { getModuleIds, getModuleInfo }) {
  const pages = [...entriesOf([id], getModuleInfo)];
  /** @param {(typeof FIRST_SCRIPTS)[number]} script */
  const modulesOf = ({ module }) => [...getModuleIds()].filter((other) => module.test(other));
  const scripts = FIRST_SCRIPTS.filter((script) => importsOf(modulesOf(script), getModuleInfo).has(id));
  if (scripts[0]) {
    const users = entriesOf(scripts.flatMap(modulesOf), getModuleInfo);
    return pages.every((page) => users.has(page)) ? scripts[0].name : FIRST_SHARED;
  }
  if (pages.some((page) => ROOT.test(page))) return EVERY_PAGE;
  // The dashboard loads both scripts, so they have no code that only other pages share.
  if (pages.length < 2 || !pages.some((page) => DASHBOARD_ENTRY.test(page))) return;
  const chartModules = [...getModuleIds()].filter((module) => CHART_MODULE.test(module));
  const chartPages = entriesOf(chartModules, getModuleInfo);
  return pages.every((page) => chartPages.has(page)) ? CHART_PAGES : EVERY_PAGE;
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

/**
 * Returns modules with all that they import statically, directly or not.
 *
 * @param {string[]} ids
 * @param {import('vite').Rollup.GetModuleInfo} getModuleInfo
 * @returns {Set<string>}
 */
function importsOf(ids, getModuleInfo) {
  const imports = new Set(ids);
  for (const id of imports)
    for (const imported of getModuleInfo(id)?.importedIds ?? []) imports.add(imported);
  return imports;
}

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
