#!/usr/bin/env node
/** `airboard`: one command for everything that the scripts do. `npm run package` bundles it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_DATABASE_PATH } from '../app/config/defaults.server.js';
import { ENV_FILE } from '../app/config/env-file.server.js';
import { fail } from './fail.js';
import { ROOT } from './root-folder.js';
import { checkNode } from './serve/check-requirements.js';

/** Each script reads `process.argv`, as it does behind `npm run`. */
const COMMANDS = {
  serve: {
    does: 'serves the dashboard and the API; the default',
    load: () => (process.env.AIRBOARD_PACKAGE ? import('./serve.js') : import('./start.js')),
  },
  import: { does: 'sends a history with its own times to a server', load: () => import('./import.js') },
  export: { does: 'writes readings of a server to a file', load: () => import('./export.js') },
  replay: {
    does: 'posts the rows of a file as if they were measured now',
    load: () => import('./replay.js'),
  },
  seed: { does: 'adds simulated readings, to see the dashboard full', load: () => import('./seed.js') },
  backup: { does: 'makes a verified copy of the database', load: () => import('./backup.js') },
  restore: { does: 'puts a copy in place of the database', load: () => import('./restore.js') },
  prune: { does: 'deletes old readings', load: () => import('./prune.js') },
  service: { does: 'serves at boot, with systemd', load: () => import('./service.js') },
};

const USAGE = `usage: airboard [COMMAND] [options]

${Object.entries(COMMANDS)
  .map(([name, { does }]) => `  ${name.padEnd(9)} ${does}`)
  .join('\n')}

  --help     after a command: its options
  --version  the version of airboard

Settings, such as PORT and WRITE_KEY, come from the environment or ${ENV_FILE}.
Readings are kept in ${DEFAULT_DATABASE_PATH}, unless DATABASE_PATH names another file.
Exit codes: 0 done, 1 failed, 2 wrong arguments.`;

checkNode();
const [first = 'serve', ...others] = process.argv.slice(2);
if (first === '--version' || first === '-v') console.log(version());
else if (first === '--help' || first === '-h') console.log(USAGE);
else if (Object.hasOwn(COMMANDS, first)) run(/** @type {keyof typeof COMMANDS} */ (first));
else fail(`airboard has no ${first.startsWith('-') ? 'option' : 'command'} "${first}"\n\n${USAGE}`, 2);

/** @param {keyof typeof COMMANDS} command */
function run(command) {
  process.argv.splice(2, process.argv.length, ...others);
  if (command === 'serve' && others.some((word) => word === '--help' || word === '-h')) console.log(USAGE);
  else COMMANDS[command].load();
}

function version() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}
