/** Plugins and options for `vite.config.ts`: the page scripts, and the server of `npm run dev`. */
import { readdirSync, readFileSync } from 'node:fs';
import { loadEnvFile } from '../../app/config/env-file.server.js';
import { DEFAULT_PORT } from '../../app/config/installation.server.js';
import { listenHost } from '../serve/listen-address.js';

/** The oldest browsers that run the pages (docs/decisions/0011-scripts-of-pages.md). */
export const OLDEST_BROWSERS = ['chrome92', 'safari15.6', 'firefox115'];

/**
 * Packages that the development server bundles at start. If it discovered one later, it would bundle all of them again, and an
 * open page would get two copies of React.
 */
export const BROWSER_PACKAGES = [
  '@remix-run/react',
  '@supabase/supabase-js',
  'chart.js',
  'chartjs-plugin-zoom',
  'react',
  'react-chartjs-2',
  'react-dom',
  'react-dom/client',
  'react/jsx-dev-runtime',
  // Only the server uses these, but Vite scans imports before Remix removes those of a page's loader.
  'negotiator',
  'zod',
];

/** The module with the layout of every page. */
const ROOT_ROUTE = /\/app\/root\.tsx/;
/** The entry modules of the dashboard. */
const DASHBOARD_ENTRY = /\/app\/(root|entry\.client|routes\/_index)\.tsx/;

/** The module of the page `/history`. */
const HISTORY_ENTRY = /\/app\/routes\/history\.tsx/;

/**
 * Puts the modules that the dashboard shares with other pages into two scripts: `chart-pages` for the charts, and `every-page`
 * for the rest. `time-axis` has those of `/history` that other pages load on demand. By default, Rollup makes a small file for each set of pages with common modules: more requests, and 5 % more
 * bytes.
 *
 * @type {import('vite').Rollup.GetManualChunk}
 */
export function sharedScript(id, { getModuleInfo }) {
  const pages = new Set();
  let isOnDemand = false;
  const importers = new Set([id]);
  for (const importer of importers) {
    const info = getModuleInfo(importer);
    if (info?.isEntry) pages.add(importer);
    isOnDemand ||= Boolean(info?.dynamicImporters.length);
    for (const next of info?.importers ?? []) importers.add(next);
  }
  const names = [...pages];
  if (names.some((page) => ROOT_ROUTE.test(page))) return 'every-page';
  if (names.length < 2)
    return isOnDemand && names.some((page) => HISTORY_ENTRY.test(page)) ? 'time-axis' : undefined;
  if (!names.some((page) => DASHBOARD_ENTRY.test(page))) return 'other-pages';
  return names.some((page) => /\/(postdata|notifications)\.tsx/.test(page)) ? 'every-page' : 'chart-pages';
}

/** @type {import('vite').Plugin['apply']} */
const forBrowsers = (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild;

/**
 * Makes Chromium compile the two large scripts completely, off the main thread, while they load. By default it compiles each
 * function at its first call, and nearly all are called before the chart is drawn.
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

/**
 * Adds the service worker's script. Its address has no hash, so that browsers find updates at the same address.
 *
 * @returns {import('vite').Plugin}
 */
export function emitServiceWorker() {
  return {
    name: 'emit-service-worker',
    apply: forBrowsers,
    buildStart() {
      this.emitFile({
        type: 'chunk',
        id: 'app/offline/offline-worker.ts',
        fileName: 'service-worker.js',
      });
    },
  };
}

/**
 * Writes the licences of the bundled packages to `licenses.txt`. As comments in the scripts, they would add 0.6 kB (gzipped) for
 * every visitor.
 *
 * @returns {import('vite').Plugin}
 */
export function collectLicenses() {
  return {
    name: 'collect-licenses',
    apply: forBrowsers,
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const source = licensesOf(chunks.flatMap((chunk) => Object.keys(chunk.modules)));
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
    },
  };
}

const PACKAGE_FOLDER = /[^\0]*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns the licences of the modules' packages.
 *
 * @param {string[]} modules absolute paths, or paths relative to the current folder
 */
export function licensesOf(modules) {
  const folders = new Map();
  for (const module of modules) {
    const [folder, name] = PACKAGE_FOLDER.exec(module) ?? [];
    if (folder && name) folders.set(name, folder);
  }
  return [...folders]
    .sort()
    .map(([name, folder]) => `${name}\n\n${licenseIn(folder)}`)
    .join('\n\n----\n\n');
}

/**
 * Returns the text of a package's licence, or the licence's name if there is no text.
 *
 * @param {string} folder ends with a slash
 * @returns {string}
 */
function licenseIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file) return readFileSync(folder + file, 'utf8').trim();
  return JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).license;
}

/**
 * Puts the request guard in front of Vite's development server, and makes the server listen on `HOST` and `PORT`. The guard is
 * loaded for each request, so that edits to the API take effect.
 *
 * @returns {import('vite').Plugin}
 */
export function guardDevServer() {
  return {
    name: 'guard-dev-server',
    apply: 'serve',
    config({ server }) {
      // Load `.env` here, because Vite loads it later and replaces `$NAME` in its values.
      loadEnvFile();
      const { HOST, PORT } = process.env;
      // Command-line arguments take precedence.
      const host = server?.host ?? (listenHost(HOST ?? '') || undefined);
      return { server: { host, port: server?.port ?? Number(PORT || DEFAULT_PORT), strictPort: true } };
    },
    configureServer({ middlewares, ssrLoadModule }) {
      middlewares.use(async (request, response, next) => {
        const app = await loadApp(ssrLoadModule);
        if (app) app.requestGuard(request, response, next);
        else next();
      });
    },
  };
}

/**
 * @param {import('vite').ViteDevServer['ssrLoadModule']} ssrLoadModule
 * @returns {Promise<typeof import('../../app/boot.server.ts') | null>} null if the application can't be loaded:
 *   Remix then fails to load it too, and reports the error
 */
async function loadApp(ssrLoadModule) {
  try {
    const app = await ssrLoadModule('/app/boot.server.ts');
    await app.boot();
    return /** @type {typeof import('../../app/boot.server.ts')} */ (app);
  } catch {
    return null;
  }
}
