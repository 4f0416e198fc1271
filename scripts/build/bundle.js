/** Bundles the package's programs: the command, and the server built by Remix. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../root-folder.js';
import { licensesOf } from './vite-plugins.js';

/** Packages with native code, which npm installs for each platform. All others are bundled. */
const EXTERNAL = ['libsql'];

/** The programs that `airboard` starts. */
const ENTRIES = [
  'build/server/index.js',
  'scripts/airboard.js',
  'scripts/quick-check.js',
  'scripts/serve/server-build.js',
];

const IN_PACKAGE = { 'process.env.AIRBOARD_PACKAGE': '"yes"' };

/**
 * Writes the bundles into a folder with the same layout as a checkout. Returns the licences of the bundled packages.
 *
 * @param {string} folder
 * @param {{ entries?: string[], define?: Record<string, string> }} [settings] for tests: scripts, and esbuild's `define`
 */
export async function bundle(folder, { entries = ENTRIES, define = IN_PACKAGE } = {}) {
  // Use the version of esbuild that Vite depends on.
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
    // Chunks go to `scripts/`, because the sources use paths relative to that folder.
    chunkNames: 'scripts/chunk-[hash]',
    // remix-serve tries to load `fsevents`, which is native too and exists only on macOS.
    external: [...EXTERNAL, 'fsevents'],
    // V8 keeps the source text in memory, so make it short.
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    metafile: true,
    logLevel: 'error',
  });
  return licensesOf(Object.keys(metafile.inputs).map((path) => join(ROOT, path)));
}

/** Returns the packages that npm has to install, with their versions from `package.json`. */
export function runtimeDependencies() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]]));
}
