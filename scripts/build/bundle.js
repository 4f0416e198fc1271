/** Bundles what runs from an installed package: the command, and the server that Remix has built. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../root-folder.js';
import { licenseIn } from './client-build.js';

/** Packages with native code, which npm chooses for each machine. All others are bundled. */
export const EXTERNAL = ['libsql'];

/** The media types of what the server sends. */
const SERVED_TYPES =
  /^text\/(css|html|javascript|plain|x-script)$|\/(javascript|json|manifest\+json|png|svg\+xml)$|icon$/;

/**
 * Packages that remix-serve and Express load but the server doesn't use, and what stands in for them. Each would take
 * memory: docs/decisions/0022 has the figures.
 *
 * @type {Record<string, string>}
 */
const REPLACED = {
  // Watches the build in development.
  chokidar: 'module.exports = {}',
  // Finds a port if PORT isn't a number. The app then refuses to start.
  'get-port': 'module.exports = async ({ port }) => port',
  // The request guard logs what is refused.
  morgan: 'module.exports = () => (request, response, next) => next()',
  // There are no source maps.
  'source-map-support': 'module.exports = { install() {} }',
  // Express loads it for routes that parse bodies.
  'body-parser': 'module.exports = {}',
  // Node has what remix-serve would replace by these.
  undici: 'module.exports = { fetch, FormData, Headers, Request, Response }',
  // Express and `compression` have a copy each, of which they need the types of the files in `build/client`.
  'mime-db': `module.exports = ${JSON.stringify(servedTypes())}`,
  '@remix-run/web-fetch': 'module.exports = { fetch, FormData, Headers, Request, Response }',
};

/** Returns the entries of `mime-db` for what the server sends. */
function servedTypes() {
  const types = Object.entries(createRequire(import.meta.url)('mime-db'));
  return Object.fromEntries(types.filter(([name]) => SERVED_TYPES.test(name)));
}

const PACKAGE_FOLDER = /(.*node_modules\/((?:@[^/]+\/)?[^/]+)\/)/;

/** What `airboard` runs. */
const ENTRIES = ['build/server/index.js', 'scripts/airboard.js', 'scripts/quick-check.js'];

const IN_PACKAGE = { 'process.env.AIRBOARD_PACKAGE': '"yes"' };

/**
 * Writes the bundles below a folder, where they find each other as the sources do in a checkout, and returns the licences
 * of the packages in them.
 *
 * @param {string} folder
 * @param {{ entries?: string[], define?: Record<string, string> }} [settings] for tests: scripts, and what to replace
 */
export async function bundle(folder, { entries = ENTRIES, define = IN_PACKAGE } = {}) {
  // The version that Vite has pinned and builds with.
  const require = createRequire(createRequire(import.meta.url).resolve('vite'));
  const esbuild = /** @type {any} */ (require('esbuild'));
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: folder,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // In `scripts/` they are as deep as the sources, which name files from there.
    chunkNames: 'scripts/chunk-[hash]',
    external: EXTERNAL,
    // V8 keeps the text of what it runs in memory.
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [replacePackages],
    metafile: true,
    logLevel: 'error',
  });
  return licensesOf(Object.keys(metafile.inputs));
}

/** @type {{ name: string, setup(build: any): void }} */
const replacePackages = {
  name: 'replace-packages',
  setup(build) {
    const names = Object.keys(REPLACED).join('|');
    build.onResolve({ filter: new RegExp(`^(${names})$`) }, (/** @type {{ path: string }} */ { path }) => ({
      path,
      namespace: 'replaced',
    }));
    build.onLoad({ filter: /./, namespace: 'replaced' }, (/** @type {{ path: string }} */ { path }) => ({
      contents: REPLACED[path],
    }));
  },
};

/** @param {string[]} files */
function licensesOf(files) {
  const folders = new Map();
  for (const file of files) {
    const [, folder, name] = PACKAGE_FOLDER.exec(file) ?? [];
    if (folder && existsSync(join(ROOT, folder, 'package.json'))) folders.set(name, join(ROOT, folder));
  }
  return [...folders]
    .sort()
    .map(([name, folder]) => `${name}\n\n${licenseIn(folder)}`)
    .join('\n\n----\n\n');
}

/** Returns the versions of the packages that npm has to install, as `package.json` has them. */
export function runtimeDependencies() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]]));
}
