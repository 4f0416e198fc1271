/** `npm run sensors`: lists and changes the sensors of a running server. */
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { readArguments, sensorName, serverUrl, timeOption } from './arguments.js';
import { isConfirmed } from './database.js';
import { changeSensor, countReadings, deleteReadings, restoreReadings, sensorsOf } from './running-server.js';

const USAGE = `usage: ${commandLine('sensors', '[list] [--url URL]')}
       ${commandLine('sensors', 'set NAME [--group TEXT] [--place indoors|outdoors] [--note TEXT]')}
         [--hidden true|false] [--silent-after SECONDS]
       ${commandLine('sensors', 'rename OLD NEW [--merge]')}
       ${commandLine('sensors', 'delete NAME [--from TIME] [--to TIME] [--yes]')}
       ${commandLine('sensors', 'restore ID')}

  NAME, OLD, NEW  names of sensors; "" for the one without a name
  set             changes the given settings; an empty text or number restores the default
  rename          renames a sensor. A device that goes on posting as OLD posts to NEW
  --merge         gives the readings to the sensor that has the name NEW
  delete          deletes the readings from TIME to TIME, such as 2026-01-31 or 2026-01-31T08:00:00Z, or all of them
  --yes           doesn't ask
  restore         brings deleted readings back, for seven days
  --url URL       the server, http://localhost:PORT by default

Without a command, it lists the sensors. The server has to run. If it has a WRITE_KEY or a READ_KEY, set the same here.`;

const OPTIONS = /** @type {const} */ ({
  url: { type: 'string', value: 'http://localhost:3000' },
  group: { type: 'string', value: 'Home' },
  place: { type: 'string', value: 'outdoors' },
  note: { type: 'string', value: 'shelf' },
  hidden: { type: 'string', value: 'true' },
  'silent-after': { type: 'string', value: '600' },
  merge: { type: 'boolean' },
  from: { type: 'string', value: '2026-01-31' },
  to: { type: 'string', value: '2026-01-31' },
  yes: { type: 'boolean' },
});

/** The options and the number of names of each command. */
const COMMANDS = /** @type {const} */ ({
  list: { names: 0, options: [] },
  set: { names: 1, options: ['group', 'place', 'note', 'hidden', 'silent-after'] },
  rename: { names: 2, options: ['merge'] },
  delete: { names: 1, options: ['from', 'to', 'yes'] },
  restore: { names: 1, options: [] },
});

const { command, names, url, span, values } = readArguments(USAGE, OPTIONS, (values, words) => {
  const [command = 'list', ...names] = words;
  if (!Object.hasOwn(COMMANDS, command))
    throw new Error(`"${command}" is no command: use ${Object.keys(COMMANDS).join(', ')}.`);
  const known = COMMANDS[/** @type {keyof typeof COMMANDS} */ (command)];
  if (names.length !== known.names)
    throw new Error(`${command} takes ${counted(known.names, 'word')}, not ${names.length}.`);
  const options = /** @type {readonly string[]} */ (known.options);
  const other = Object.keys(values).find((name) => name !== 'url' && !options.includes(name));
  if (other) throw new Error(`--${other} doesn't belong to ${command}: remove it.`);
  if (command === 'set' && !options.some((name) => name in values))
    throw new Error(`say what to set: ${options.map((name) => `--${name}`).join(', ')}.`);
  const checked = command === 'restore' ? names : names.map((name) => sensorName(name, 'a name'));
  const span = { from: timeOption('from', values.from), to: timeOption('to', values.to) };
  return { command, names: checked, url: serverUrl(values), span, values };
});
const [name = '', newName = ''] = names;

switch (command) {
  case 'list':
    for (const { name, group, place, is_hidden, last_heard } of await sensorsOf(url)) {
      const settings = [group, place === 'outdoors' && place, is_hidden && 'hidden']
        .filter(Boolean)
        .join(', ');
      console.log(`${last_heard}  ${JSON.stringify(name)}${settings ? `  ${settings}` : ''}`);
    }
    break;
  case 'set':
    await changeSensor(url, name, changesOf(values));
    console.log(`${JSON.stringify(name)} was changed.`);
    break;
  case 'rename':
    await changeSensor(url, name, { name: newName }, values.merge);
    console.log(`${JSON.stringify(name)} is ${JSON.stringify(newName)} now.`);
    break;
  case 'delete': {
    const chosen = { sensor: name, ...span };
    const count = await countReadings(url, chosen);
    console.log(`${counted(count, 'reading')} of ${JSON.stringify(name)} in this time.`);
    if (count > 0 && (await isConfirmed('Delete them?', values.yes))) await deleteReadings(url, chosen);
    break;
  }
  case 'restore':
    await restoreReadings(url, name);
}

/**
 * Returns the members of the change that options describe. The server checks them. An empty value restores the default.
 *
 * @param {import('./arguments.js').Values} values
 */
function changesOf(values) {
  /** @type {[option: string, member: string, of: (text: string) => unknown][]} */
  const members = [
    ['group', 'group', String],
    ['place', 'place', String],
    ['note', 'note', String],
    ['hidden', 'is_hidden', (text) => ({ true: true, false: false })[text] ?? text],
    ['silent-after', 'silent_after_seconds', (text) => (Number.isNaN(Number(text)) ? text : Number(text))],
  ];
  return Object.fromEntries(
    members
      .filter(([option]) => values[option] !== undefined)
      .map(([option, member, of]) => [member, values[option] === '' ? null : of(values[option])]),
  );
}
