/**
 * Runs remix-serve in this process, and sets the environment variables that it reads. `app/http/guard/remix-serve.server.ts`
 * explains how requests reach it.
 */
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import morgan from 'morgan';
import { ENV_FILE, loadEnvFile } from '../app/config/env-file.server.js';
import { DEFAULT_PORT, expandHome, IS_PACKAGE } from '../app/config/installation.server.js';
import { ROOT } from './root-folder.js';
import { addressesToOpen, listenAdvice, listenHost } from './serve/listen-address.js';

if (process.argv.length > 2) {
  const words = process.argv.slice(2).join(' ');
  const [, name = 'port', value = '3155'] = /^--(host|port)[= ](\S+)$/.exec(words) ?? [];
  console.error(
    `[airboard] can't start: "${words}" has no effect here. Settings come from the environment or ${ENV_FILE}, ` +
      `for example: ${name.toUpperCase()}=${value} ${IS_PACKAGE ? 'airboard' : 'npm start'}`,
  );
  process.exit(2);
}
// In the package, a relative path refers to the folder in which the command was started.
const { DATABASE_PATH } = process.env;
if (IS_PACKAGE && DATABASE_PATH) process.env.DATABASE_PATH = resolve(expandHome(DATABASE_PATH));
process.chdir(ROOT);
// Load `.env` here, because remix-serve reads HOST and PORT before it loads the app, which reads the other settings.
loadEnvFile();
const HOST = listenHost(process.env.HOST ?? '');
// Always set PORT: remix-serve takes an empty one as 0, and without one it picks another port if 3000 is in use.
const PORT = process.env.PORT || String(DEFAULT_PORT);
Object.assign(process.env, { HOST, PORT, NODE_ENV: 'production' });

process.on('uncaughtException', (error) => {
  const advice = listenAdvice(error, PORT);
  console.error(advice ? `[airboard] can't start: ${error.message}. ${advice}` : error);
  process.exit(1);
});

// Node publishes a server on this channel once its port is bound. remix-serve itself only prints a localhost address.
const SERVER_LISTENS = 'tracing:net.server.listen:asyncEnd';
subscribe(SERVER_LISTENS, function announce(message) {
  const { server } = /** @type {{ server: import('node:net').Server }} */ (message);
  const address = server.address();
  if (typeof address !== 'object' || String(address?.port) !== PORT) return;
  unsubscribe(SERVER_LISTENS, announce);
  console.log(`[airboard] open ${addressesToOpen(HOST, PORT, process.env.BASE_PATH ?? '').join(' or ')}`);
  notifyServiceManager();
});

// npm and its shell don't forward signals, so shut down when they have exited.
if (['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) {
  const { ppid } = process;
  const watch = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

// Saves memory on small boards: keeps V8's young generation at its initial 1 MB (it would grow to 16 MB with the first requests),
// and doesn't compile rarely called functions to machine code.
if (IS_PACKAGE)
  for (const flag of ['--semi-space-growth-factor=1', '--no-sparkplug']) setFlagsFromString(flag);

// remix-serve would log each page with its whole address, keys and all, without limit. Refused requests and errors are
// logged by `app/http/guard/refusal-log.server.ts`.
morgan.format('tiny', () => null);

process.argv[2] = 'scripts/serve/server-build.js';
import('@remix-run/serve/dist/cli.js');

/** Notifies systemd that the server is ready (`Type=notify`). Uses a program, because Node has no Unix datagram sockets. */
function notifyServiceManager() {
  if (!process.env.NOTIFY_SOCKET) return;
  // Ignore errors, because a container may have the variable but not the program.
  spawn('systemd-notify', ['--ready'], { stdio: 'ignore' }).on('error', () => {});
}
