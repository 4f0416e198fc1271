/** Bundles the programs of the package: the command, and the server that Remix has built. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../root-folder.js';
import { licensesOf } from './vite-plugins.js';

/** Packages with native code, which npm chooses for each machine. All others are bundled. */
export const EXTERNAL = ['libsql'];

/** The programs that `airboard` starts. */
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
    // remix-serve tries to load `fsevents`, which is native too and only there on macOS.
    external: [...EXTERNAL, 'fsevents'],
    // V8 keeps the source text in memory.
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

/** Returns the versions of the packages that npm has to install, as `package.json` has them. */
export function runtimeDependencies() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]]));
}
