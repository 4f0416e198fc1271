import { readFileSync } from 'node:fs';

/** The version of airboard when it was built. */
export { version as VERSION } from '../../package.json';

/** The file with the digest of the build's sources. `scripts/build/build-app.js` writes it. */
const STAMP = 'build/built';

/**
 * Identifies the build that this process serves, in 16 characters. Read once, when the server starts: a newer build
 * may replace the files while it runs.
 */
export const BUILD_ID = readBuildId();

function readBuildId(): string {
  if (!import.meta.env.PROD) return 'development';
  try {
    return readFileSync(STAMP, 'utf8').slice(0, 16);
  } catch {
    // The build was made without `build-app.js`.
    return 'unknown';
  }
}
