/** Builds if necessary, then runs remix-serve in this process. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_PORT } from '../app/config/defaults.server.js';
import { loadEnvFile } from '../app/config/env-file.server.js';
import { buildApp, findBuilder, hasBuild, isBuildNeeded } from './build-app.js';
import { addressesToOpen, listenAdvice, listenHost } from './listen-address.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(ROOT);
if (process.argv.length > 2) {
  console.error(
    `[airboard] can't start: "${process.argv[2]}" has no effect here. Settings come from the environment or .env, ` +
      'for example: PORT=3155 npm start',
  );
  process.exit(1);
}
// remix-serve reads HOST and PORT before it loads the app, which reads the other settings.
loadEnvFile();
const HOST = listenHost(process.env.HOST ?? '');
// remix-serve takes an empty PORT as 0, and without PORT it picks another port if 3000 is in use.
const PORT = process.env.PORT || String(DEFAULT_PORT);
Object.assign(process.env, { HOST, PORT });

if (isBuildNeeded()) {
  if (findBuilder() || !hasBuild()) {
    console.log('[airboard] building, because there is no build or its sources have changed …');
    buildApp();
  } else {
    console.log(
      '[airboard] serving an outdated build: its sources have changed, and the build tools are not installed. ' +
        'To build, run: npm ci --include=dev && npm run build',
    );
  }
}

process.on('uncaughtException', (error) => {
  const advice = listenAdvice(error, PORT);
  console.error(advice ? `[airboard] can't start: ${error.message}. ${advice}` : error);
  process.exit(1);
});

// remix-serve prints localhost even if HOST is another address, and IPv6 addresses without brackets.
const { log } = console;
console.log = (...parts) => {
  if (!String(parts[0]).startsWith('[remix-serve] http')) return log(...parts);
  console.log = log;
  log(`[airboard] open ${addressesToOpen(HOST, PORT).join(' or ')}`);
};

// npm and its shell don't pass signals on: shut down when they are gone.
if (process.env.npm_lifecycle_event === 'start') {
  const { ppid } = process;
  const watch = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

// remix-serve would log each request for a page, with its whole address. The request guard logs those that are refused.
const remixServe = createRequire(import.meta.url).resolve('@remix-run/serve/dist/cli.js');
const require = createRequire(remixServe);
require('morgan');
/** @type {NodeJS.Module} */ (require.cache[require.resolve('morgan')]).exports = () => passOn;

process.env.NODE_ENV = 'production';
process.argv[2] = 'build/server/index.js';
require(remixServe);

/**
 * @param {unknown} _request
 * @param {unknown} _response
 * @param {() => void} next
 */
function passOn(_request, _response, next) {
  next();
}
