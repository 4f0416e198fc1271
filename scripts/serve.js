/** Builds if necessary, then runs remix-serve in this process. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_PORT } from '../app/config/defaults.server.js';
import { loadEnvFile } from '../app/config/env-file.server.js';
import { buildApp, findBuilder, hasBuild, isBuildNeeded } from './build-app.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(ROOT);
// remix-serve reads HOST and PORT before it loads the app, which reads the other settings.
loadEnvFile();
// remix-serve takes an empty PORT as 0, and without PORT it picks another port if 3000 is in use.
process.env.PORT ||= String(DEFAULT_PORT);

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
  const { syscall = '', code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const isAddress = ['listen', 'getaddrinfo'].includes(syscall);
  const advice =
    code === 'EADDRINUSE'
      ? 'Stop the program that uses that port, or set PORT to another.'
      : 'Set HOST to an address of this machine, or leave it out.';
  console.error(isAddress ? `[airboard] can't start: ${message}. ${advice}` : error);
  process.exit(1);
});

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

process.env.NODE_ENV = 'production';
process.argv[2] = 'build/server/index.js';
createRequire(import.meta.url)('@remix-run/serve/dist/cli.js');
