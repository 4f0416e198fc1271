/**
 * Runs remix-serve in this process, with the settings that it reads itself. `app/http/guard/remix-serve.server.ts` says how requests
 * then reach it.
 */
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
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
// In the package, a relative path is one of the folder that the command was started in.
const { DATABASE_PATH } = process.env;
if (IS_PACKAGE && DATABASE_PATH) process.env.DATABASE_PATH = resolve(expandHome(DATABASE_PATH));
process.chdir(ROOT);
// remix-serve reads HOST and PORT before it loads the app, which reads the other settings.
loadEnvFile();
const HOST = listenHost(process.env.HOST ?? '');
// remix-serve takes an empty PORT as 0, and without PORT it picks another port if 3000 is in use.
const PORT = process.env.PORT || String(DEFAULT_PORT);
Object.assign(process.env, { HOST, PORT, NODE_ENV: 'production' });

process.on('uncaughtException', (error) => {
  const advice = listenAdvice(error, PORT);
  console.error(advice ? `[airboard] can't start: ${error.message}. ${advice}` : error);
  process.exit(1);
});

// Node publishes a server here when it is bound to its port. remix-serve prints an address too, but always localhost.
const SERVER_LISTENS = 'tracing:net.server.listen:asyncEnd';
subscribe(SERVER_LISTENS, function announce(message) {
  const { server } = /** @type {{ server: import('node:net').Server }} */ (message);
  const address = server.address();
  if (typeof address !== 'object' || String(address?.port) !== PORT) return;
  unsubscribe(SERVER_LISTENS, announce);
  console.log(`[airboard] open ${addressesToOpen(HOST, PORT).join(' or ')}`);
  notifyServiceManager();
});

// npm and its shell don't pass signals on: shut down when they are gone.
if (['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '')) {
  const { ppid } = process;
  const watch = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

// For boards with little memory: keeps V8's young generation at the 1 MB that it starts with, where it would grow to 16 MB
// with the first requests, and leaves out the machine code of functions that are called now and then.
if (IS_PACKAGE)
  for (const flag of ['--semi-space-growth-factor=1', '--no-sparkplug']) setFlagsFromString(flag);

process.argv[2] = 'build/server/index.js';
import('@remix-run/serve/dist/cli.js');

/** Notifies systemd that the server answers, if the unit has `Type=notify`. Node has no datagram sockets to do so itself. */
function notifyServiceManager() {
  if (!process.env.NOTIFY_SOCKET) return;
  // A container may have the variable without the program.
  spawn('systemd-notify', ['--ready'], { stdio: 'ignore' }).on('error', () => {});
}
