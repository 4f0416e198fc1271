import { buildApp, findBuilder, hasBuild, isBuildNeeded } from './build-app.js';

/** Builds if there is no build or its sources have changed. Without the build tools, serves the build that is there. */
export function buildIfNeeded() {
  if (!isBuildNeeded()) return;
  if (findBuilder() || !hasBuild()) {
    console.log('[airboard] building, because there is no build or its sources have changed …');
    buildApp({ isQuiet: true });
  } else {
    console.log(
      '[airboard] serving an outdated build: its sources have changed, and the build tools are not installed. ' +
        'To build, run: npm ci --include=dev && npm run build',
    );
  }
}
