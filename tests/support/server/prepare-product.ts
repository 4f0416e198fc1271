import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildApp, isBuildNeeded } from '../../../scripts/build/build-app.js';
import { bundle } from '../../../scripts/build/bundle.js';

/** The files that the server reads, and the package that isn't bundled. */
const LINKED = ['build/client', 'build/built', 'docs', 'node_modules', 'package.json', 'supabase'];

/**
 * Builds the product if its sources have changed, bundles its server as `npm run package` does, and sets
 * `SERVER_SCRIPT` to its path. Tests start a server hundreds of times, and the bundle needs half the processor time of
 * the checkout for that. package.slow.test.ts, boot.slow.test.ts and npm-start.slow.test.ts test the package and the
 * checkout.
 */
export default async function prepareProduct(): Promise<(() => void) | undefined> {
  if (isBuildNeeded()) buildApp();
  // Two projects call this.
  if (process.env.SERVER_SCRIPT) return;
  const folder = mkdtempSync(join(tmpdir(), 'airboard-product-'));
  process.env.SERVER_SCRIPT = join(folder, 'scripts/serve.js');
  await bundle(folder, {
    entries: [
      'build/server/index.js',
      'scripts/serve.js',
      'scripts/quick-check.js',
      'scripts/serve/server-build.js',
    ],
    define: {},
  });
  mkdirSync(join(folder, 'build'), { recursive: true });
  for (const path of LINKED) symlinkSync(resolve(path), join(folder, path));
  return () => rmSync(folder, { recursive: true, force: true });
}
