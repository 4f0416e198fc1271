/** `airboard service`: installs or removes the systemd service, or prints its unit. */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IS_PACKAGE } from '../app/config/installation.server.js';
import { readArguments } from './arguments.js';
import { fail } from './fail.js';
import { ROOT } from './root-folder.js';
import { serviceUnit } from './service-unit.js';

const USAGE = `usage: airboard service install [--print]
       airboard service remove

  install  starts the server now and at every boot, with systemd, as the user airboard
  --print  prints the unit and changes nothing
  remove   removes the service; the readings stay

Both need root, except --print. Readings and settings (.env) are in /var/lib/airboard.`;

const UNIT = '/etc/systemd/system/airboard.service';
/** Folders that the unit's sandbox hides from the service. */
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)\//;

const { action, isPrinted } = serviceArguments();
if (!IS_PACKAGE) {
  fail('A checkout has no service. Install the package: npm run package, then npm install -g FILE.tgz.', 1);
}
const node = realpathSync(process.execPath);
const script = join(ROOT, 'scripts', 'airboard.js');
if (isPrinted) {
  process.stdout.write(serviceUnit(node, script));
} else {
  requireSystemd();
  if (action === 'install') install();
  else remove();
}

function install() {
  for (const path of [node, script]) {
    if (!HIDDEN.test(path)) continue;
    fail(`The service can't use ${path}. Install Node and airboard for all users: sudo npm install -g …`, 1);
  }
  if (spawnSync('id', ['-u', 'airboard']).status !== 0) {
    run(
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/var/lib/airboard',
      '--shell',
      '/usr/sbin/nologin',
      'airboard',
    );
  }
  writeFileSync(`${UNIT}.new`, serviceUnit(node, script), { mode: 0o644 });
  renameSync(`${UNIT}.new`, UNIT);
  run('systemctl', 'daemon-reload');
  run('systemctl', 'enable', 'airboard');
  // `restart`, because after an update the service is already running. Returns once the server is ready.
  if (spawnSync('systemctl', ['restart', 'airboard']).status !== 0) {
    fail(
      `The service is installed and can't start yet. systemd tries again every 5 s. Its log:\n${lastLog()}`,
      1,
    );
  }
  console.log('airboard is running, and starts at every boot. Its log: journalctl -u airboard');
  console.log(
    'Readings and settings (.env) are in /var/lib/airboard. After a change: systemctl restart airboard',
  );
}

function remove() {
  if (!existsSync(UNIT)) fail('There is no service to remove.', 1);
  run('systemctl', 'disable', '--now', 'airboard');
  rmSync(UNIT);
  run('systemctl', 'daemon-reload');
  console.log(
    'The service is removed. The readings stay in /var/lib/airboard, and the user airboard with them.',
  );
  console.log('To delete both: rm -r /var/lib/airboard && userdel airboard');
}

/** Returns the service's output since its last start, without systemd's own messages. */
function lastLog() {
  const output = (/** @type {string} */ program, /** @type {string[]} */ ...args) =>
    spawnSync(program, args, { encoding: 'utf8' }).stdout?.trimEnd();
  const start = output('systemctl', 'show', '--property', 'InvocationID', '--value', 'airboard');
  const lines = output('journalctl', `_SYSTEMD_INVOCATION_ID=${start}`, '--output', 'cat', '--no-pager');
  return lines || 'journalctl -u airboard';
}

function requireSystemd() {
  // The same check as systemd's `sd_booted`.
  if (!existsSync('/run/systemd/system'))
    fail("This system doesn't run systemd. --print prints the unit.", 1);
  if (process.getuid?.() !== 0) fail(`Only root may do that: sudo airboard service ${action}`, 1);
}

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) fail(`${[program, ...args].join(' ')} failed${error ? `: ${error.message}` : '.'}`, 1);
}

function serviceArguments() {
  return readArguments(USAGE, { print: { type: 'boolean' } }, ({ print = false }, words) => {
    const [action = print ? 'install' : undefined, ...others] = words;
    if (others.length > 0 || (action !== 'install' && action !== 'remove')) {
      throw new Error('say install or remove.');
    }
    if (print && action === 'remove') throw new Error('remove prints nothing: leave --print out.');
    return { action, isPrinted: print };
  });
}
