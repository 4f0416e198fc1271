#!/usr/bin/env node
/** `airboard`: one command for all scripts. `npm run package` bundles it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENV_FILE } from '../app/config/env-file.server.js';
import { DEFAULT_DATABASE_PATH } from '../app/config/installation.server.js';
import { fail } from './fail.js';
import { ROOT } from './root-folder.js';
import { checkNode } from './serve/check-requirements.js';

/** The commands. Each script reads `process.argv`, as with `npm run`. */
const COMMANDS = {
  serve: {
    does: 'starts the server; the default',
    load: () => (process.env.AIRBOARD_PACKAGE ? import('./serve.js') : import('./start.js')),
  },
  import: {
    does: 'sends the readings of a file, with their times, to a server',
    load: () => import('./import.js'),
  },
  export: { does: 'writes readings of a server to a file', load: () => import('./export.js') },
  replay: {
    does: 'posts the rows of a file as if they were measured now',
    load: () => import('./replay.js'),
  },
  seed: { does: 'adds simulated readings, to try the dashboard', load: () => import('./seed.js') },
  backup: { does: 'makes a verified copy of the database', load: () => import('./backup.js') },
  restore: { does: 'replaces the database with a copy', load: () => import('./restore.js') },
  prune: { does: 'deletes the readings of a span of time or a sensor', load: () => import('./prune.js') },
  rename: { does: 'gives a sensor another name', load: () => import('./rename.js') },
  sensors: {
    does: 'lists, changes and deletes sensors of a server',
    load: () => import('./sensors.js'),
  },
  service: { does: 'starts the server at boot, with systemd', load: () => import('./service.js') },
};

const USAGE = `usage: airboard [COMMAND] [options]

${Object.entries(COMMANDS)
  .map(([name, { does }]) => `  ${name.padEnd(13)} ${does}`)
  .join('\n')}

  help COMMAND  the options of a command, like COMMAND --help
  version       the version of airboard

Settings, such as PORT and WRITE_KEY, come from the environment or ${ENV_FILE}.
Readings are kept in ${DEFAULT_DATABASE_PATH}, unless DATABASE_PATH names another file.
Exit codes: 0 done, 1 failed, 2 wrong arguments, and 3 if an import stored some rows and refused others.`;

const SERVE_USAGE = `usage: airboard [serve]

Starts the server. It takes no options: settings, such as PORT=80 and WRITE_KEY, come from the environment or
${ENV_FILE}. docs/settings.md lists them.`;

checkNode();
const [first = 'serve', ...others] = process.argv.slice(2);
if (['version', '--version', '-v'].includes(first)) console.log(version());
else if (!['help', '--help', '-h'].includes(first)) run(first, others);
else if (others[0]) run(others[0], ['--help']);
else console.log(USAGE);

/** @param {string} command @param {string[]} words */
function run(command, words) {
  // An option without a command belongs to the server, which reports that it takes no options.
  if (command.startsWith('-')) return run('serve', [command, ...words]);
  if (!Object.hasOwn(COMMANDS, command)) fail(`${USAGE}\n\nairboard has no command "${command}".`, 2);
  process.argv.splice(2, process.argv.length, ...words);
  if (command === 'serve' && words.some((word) => word === '--help' || word === '-h'))
    console.log(SERVE_USAGE);
  else COMMANDS[/** @type {keyof typeof COMMANDS} */ (command)].load();
}

function version() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}
