import { readFileSync } from 'node:fs';

/** The version of airboard when it was built. */
export { version as VERSION } from '../../package.json';

/** The file with the digest of the build's sources, and its time. `scripts/build/build-app.js` writes it. */
const STAMP = 'build/built';

/** Read once, when the server starts: a newer build may replace the files while it runs. */
const [digest, builtAt = ''] = readStamp().split('\n');

/** Identifies the build that this process serves, in 16 characters. */
export const BUILD_ID = digest?.slice(0, 16) ?? '';

/** The time of the build in milliseconds since 1970; null if unknown, as in development. */
export const BUILT_AT: number | null = Date.parse(builtAt) || null;

function readStamp(): string {
  if (!import.meta.env.PROD) return 'development';
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    // The build was made without `build-app.js`.
    return 'unknown';
  }
}
