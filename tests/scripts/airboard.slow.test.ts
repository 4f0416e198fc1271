import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { dataFolder } from '../../app/config/installation.server.js';
import { toLines } from '../../scripts/json-lines.js';
import { serviceUnit } from '../../scripts/service-unit.js';
import { temporaryFolder } from '../support/server/server';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Runs the command as the installed package does, though not bundled. */
const airboard = (...args: string[]) => airboardIn(temporaryFolder(), ...args);

/** Runs the command with its data and settings in a folder. */
function airboardIn(folder: string, ...args: string[]) {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_ENV: 'production' as const,
    AIRBOARD_PACKAGE: 'yes',
    XDG_DATA_HOME: folder,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/airboard.js', ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('airboard', () => {
  const { stdout: usage } = airboard('--help');
  const commands = [...usage.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name as string);

  test('has these commands, and prints its version and usage', () => {
    expect(commands).toEqual([
      'serve',
      'import',
      'export',
      'replay',
      'seed',
      'backup',
      'restore',
      'prune',
      'rename',
      'sensors',
      'service',
      'version',
    ]);
    for (const word of ['--version', 'version'])
      expect(airboard(word)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(airboard('help').stdout).toContain(usage.split('Settings')[0]);
    expect(airboard('help', 'backup').stdout).toMatch(/^usage: airboard backup FILE/);
  });

  test.each(commands.filter((name) => name !== 'version'))(
    '%s --help prints its usage as typed, and ends with 0 whatever .env contains',
    (command) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'airboard'));
      writeFileSync(join(folder, 'airboard', '.env'), 'PORT 3155\n');
      const { status, stdout, stderr } = airboardIn(folder, command, '--help');
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        command === 'serve' ? /^usage: airboard \[serve\]/ : new RegExp(`^usage: airboard ${command} `),
      );
      expect(stdout).not.toContain('npm run');
    },
  );

  test.each([
    ['fly'],
    ['--port', '3155'],
    ['serve', '--port'],
    ['import'],
    ['export', '--format', 'xml'],
    ['export', 'a.csv', 'b.csv'],
    ['export', 'a.xml'],
    ['backup'],
    ['prune', '--before', 'yesterday'],
    ['service'],
    ['service', 'remove', '--print'],
    ['seed', '--readings', '-5'],
    ['seed', '--nope'],
    ['export', '--from', 'yesterday'],
    ['rename', 'Attic'],
    ['sensors', 'fly'],
    ['sensors', 'set', 'Attic'],
    ['sensors', 'delete', 'Attic', '--merge'],
  ])('ends with 2 for wrong arguments: %s %s', (...args) => {
    const { status, stdout, stderr } = airboard(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stderr).not.toContain('positional');
    // Below the usage, where a small terminal shows it.
    expect(stderr.trimEnd().split('\n').at(-1)).not.toMatch(/^(usage|Exit codes|Settings|Both need)/);
  });

  test.each([
    [['--port', '80'], /for example: PORT=80 airboard\n$/],
    [['serve', '--host=::1'], /for example: HOST=::1 airboard\n$/],
    [['backup', '--nope'], /\n\nthere is no option --nope\. This command has no options\.\n$/],
    [['seed', '--readings'], /\n\n--readings needs a value, such as --readings 5760\.\n$/],
    [['seed', '--readings', '--add'], /\n\n--readings needs a value, .* is written --readings=--add\n$/],
  ])('prints a specific message for %j', (args, message) => {
    expect(airboard(...args).stderr).toMatch(message);
  });

  test.each(['import', 'replay', 'restore'])(
    '%s names a missing file or a folder, without its usage',
    (command) => {
      const expected = (stderr: string) => ({ status: 1, stdout: '', stderr });
      expect(airboard(command, 'nosuch.csv')).toEqual(expected('There is no file nosuch.csv.\n'));
      expect(airboard(command, 'docs')).toEqual(expected('docs is a folder. Name a file.\n'));
      expect(airboard(command, '/dev/null')).toEqual(
        expected('/dev/null is a pipe or a device. Name a file.\n'),
      );
    },
  );

  test('offers no random readings unless RANDOM_POSTS is set', async () => {
    vi.stubEnv('AIRBOARD_PACKAGE', 'yes');
    vi.resetModules();
    const { parseEnv } = await import('../../app/config/env.server');
    expect(parseEnv({}).RANDOM_POSTS).toBe('false');
    vi.unstubAllEnvs();
    vi.resetModules();
    expect((await import('../../app/config/env.server')).parseEnv({}).RANDOM_POSTS).toBe('true');
  });
});

test('stores its data in the data folder of the platform', () => {
  const folder = (platform: NodeJS.Platform, env = {}, isRoot = false) =>
    dataFolder({ platform, env, isRoot });
  expect(folder('linux')).toBe(join(homedir(), '.local', 'share', 'airboard'));
  expect(folder('linux', { XDG_DATA_HOME: '/srv' }, true)).toBe('/srv/airboard');
  expect(folder('linux', { XDG_DATA_HOME: 'relative' })).toBe(join(homedir(), '.local', 'share', 'airboard'));
  expect(folder('linux', {}, true)).toBe('/var/lib/airboard');
  expect(folder('darwin', {}, true)).toBe(join(homedir(), 'Library', 'Application Support', 'airboard'));
  expect(folder('win32', { LOCALAPPDATA: '/appdata' })).toBe(join('/appdata', 'airboard'));
});

test.each([1, 2, 3, 5, 1000])('prints an array as lines if it arrives in parts of %d bytes', async (size) => {
  const readings = ['', '},{"', 'Küche', '}\n{"', '[', ']', '\\"},{\\"'].map((sensor, id) => ({
    id,
    sensor,
  }));
  for (const rows of [readings, readings.slice(0, 1), []]) {
    const bytes = Buffer.from(`[${rows.map((row) => JSON.stringify(row)).join(',')}]`);
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    let text = '';
    for await (const line of toLines(
      (async function* () {
        yield* parts;
      })(),
    ))
      text += line;
    expect(text).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
});

describe('the unit', () => {
  const unit = serviceUnit('/usr/bin/node', '/usr/lib/node_modules/airboard/scripts/airboard.js');

  test('equals the output of airboard service install --print', () => {
    const { status, stdout } = airboard('service', '--print');
    expect(unit).toContain('\nMemoryMax=512M\n');
    expect(status).toBe(0);
    const exec = `ExecStart=${process.execPath} ${join(process.cwd(), 'scripts/airboard.js')} serve`;
    expect(stdout).toBe(unit.replace(/^ExecStart=.*$/m, exec));
  });

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'is valid for systemd, with a low exposure score',
    () => {
      const file = join(temporaryFolder(), 'airboard.service');
      writeFileSync(file, serviceUnit(process.execPath, join(process.cwd(), 'scripts/airboard.js')));
      const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      expect(verified.stderr.split('\n').filter((line) => line.includes('airboard.service'))).toEqual([]);
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], {
        encoding: 'utf8',
      });
      const [, exposure] = /exposure level for airboard\.service: ([\d.]+)/.exec(stdout) ?? [];
      expect(Number(exposure)).toBeLessThan(2.5);
    },
  );
});
