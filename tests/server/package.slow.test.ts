import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'libsql';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hostOf, listen } from '../support/alerts/receiver';
import { endWithRun } from '../support/own-temporary-folder';
import { post, readAll } from '../support/server/api';
import { freePort, temporaryFolder } from '../support/server/server';
import { filesBelow } from '../support/sources';
import { startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

const folder = temporaryFolder();
const home = join(folder, 'home');
const prefix = join(folder, 'prefix');
const archive = join(folder, `airboard-${version}.tgz`);
const airboard = join(prefix, 'bin', 'airboard');
const installed = join(prefix, 'lib', 'node_modules', 'airboard');
const data = join(home, 'data', 'airboard');

/** The server's port, also set in the `.env` next to the readings, where the commands look for it. */
let port: number;
/** The file that the test's own `systemd-notify` writes. */
const told = join(folder, 'told-systemd');
let server: ChildProcess;
let printed = '';

/** Makes npm use the native packages that `npm ci` left in its cache, and give up soon on others. */
const npmEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '1000',
};

/** Errors of npm without a network. */
const OFFLINE = /\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED)\b/;
let isOffline = false;

/** Packs this project, installs the package as a user does, and starts it. The tests share the server. */
beforeAll(async () => {
  port = await freePort();
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, '.env'), `PORT=${port}\nHOST=127.0.0.1\nWRITE_KEY=key-of-the-house\n`);
  run(process.execPath, [resolve('scripts/package.js'), '--folder', folder], {
    cwd: process.cwd(),
    env: process.env,
  });
  try {
    run('npm', ['install', '--global', '--prefix', prefix, archive], { env: npmEnvironment });
  } catch (error) {
    isOffline = !process.env.CI && OFFLINE.test(String(error));
    if (!isOffline) throw error;
    console.warn(
      '\nLEFT OUT: the tests of the installed package. npm needs a network to load libsql, which its cache lacks.\n',
    );
    return;
  }
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const notify = `#!/bin/sh\necho "$NOTIFY_SOCKET $@" > ${told}\n`;
  writeFileSync(join(programs, 'systemd-notify'), notify, { mode: 0o755 });
  const PATH = `${programs}:${process.env.PATH}`;
  await start({ ...environment(), PATH, NOTIFY_SOCKET: '/run/a-socket' });
});

beforeEach(({ skip }) => skip(isOffline));

afterAll(() => {
  server?.kill('SIGKILL');
});

const url = () => `http://127.0.0.1:${port}`;

/** Starts the installed server, and waits until it answers. */
async function start(env: NodeJS.ProcessEnv = environment()): Promise<void> {
  server = spawn(airboard, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithRun(server);
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  await until(() => {
    if (server.exitCode !== null) throw new Error(`airboard ended with ${server.exitCode}:\n${printed}`);
    return fetch(`${url()}/healthz`).then(Boolean, () => false);
  });
}

/** A user's environment, without the variables that npm sets for its scripts. */
function environment(): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return {
    PATH,
    NODE_ENV: 'production',
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
  };
}

/** Runs a program, with `airboard` installed, in the home folder, and returns its stdout. */
function run(program: string, args: string[], { cwd = home, env = environment() } = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

// First, because it measures a new server.
test('uses at most 128 MB of memory at rest, after requests', async () => {
  for (let i = 0; i < 20; i++) {
    const answer = await post(
      url(),
      { co2: 400 + i, voc: 120 },
      { Authorization: 'Bearer key-of-the-house' },
    );
    expect(answer.status).toBe(201);
  }
  for (const path of ['/', '/history', '/api/data', '/api/sensors']) await (await fetch(url() + path)).text();
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  expect(Number(kilobytes) / 1024).toBeLessThan(128);
});

test('serves pages, scripts and the API, with its readings in the data folder of the platform', async () => {
  expect(printed).toContain(`SQLite file ${join(data, 'readings.db')}`);
  expect(existsSync(join(data, 'readings.db'))).toBe(true);
  const health = await fetch(`${url()}/healthz`);
  expect(await health.json()).toMatchObject({ status: 'ok', version });
  // Open pages compare it with their own version, and reload after an update.
  const build = readFileSync(join(installed, 'build', 'built'), 'utf8').slice(0, 16);
  expect(health.headers.get('Airboard-Build')).toBe(build);
  for (const path of ['/', '/chart?range=24HR', '/history', '/postdata', '/notifications']) {
    const page = await fetch(url() + path, { headers: { 'Accept-Encoding': 'gzip' } });
    expect([path, page.status, page.headers.get('Content-Encoding')]).toEqual([path, 200, 'gzip']);
    const [, script] = /"(\/assets\/every-page-[^"]+\.js)"/.exec(await page.text()) ?? [];
    // Scripts are compressed by the build, other responses when they are sent.
    for (const coding of ['br', 'gzip']) {
      const file = await fetch(`${url()}${script}`, { headers: { 'Accept-Encoding': coding } });
      expect([file.status, file.headers.get('Content-Encoding')]).toEqual([200, coding]);
      expect(file.headers.get('Content-Type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/i);
    }
  }
  // The service worker caches only the listed scripts.
  const listed: string[] = await (await fetch(`${url()}/assets.json`)).json();
  expect(listed.filter((path) => path.includes('/every-page-'))).toHaveLength(1);
  const manifest = await fetch(`${url()}/manifest.webmanifest`);
  expect(manifest.headers.get('Content-Type')).toContain('application/manifest+json');
});

test('notifies systemd once it serves', async () => {
  await until(() => existsSync(told) && readFileSync(told, 'utf8') === '/run/a-socket --ready\n');
});

test('needs at most 60 MB on disk, with native packages only and no build tools', () => {
  const bytes = filesBelow(prefix).reduce((sum, path) => sum + statSync(path).size, 0);
  expect(bytes).toBeLessThan(60e6);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toEqual({ libsql: dependencies.libsql });
  const packages = readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages.sort()).toEqual(['@libsql', '@neon-rs', 'detect-libc', 'libsql']);
});

test('imports its own exports: CSV, NDJSON and JSON', async () => {
  const sensor = 'Küche, "klein"},{"';
  const history = join(home, 'history.csv');
  writeFileSync(
    history,
    `created_at,sensor,co2,voc\n${Array.from({ length: 2500 }, (_, i) => `${new Date(Date.UTC(2026, 0, 1) + i * 15_000).toISOString()},"${sensor.replaceAll('"', '""')}",${400 + i},`).join('\n')}\n`,
  );
  expect(run(airboard, ['import', 'history.csv'])).toContain('2500 stored, 0 known already, 0 refused');
  const stored = (await readAll(url())).filter((reading) => reading.sensor === sensor);
  expect(stored.length).toBe(2500);

  const query = ['--sensor', sensor, '--from', '2026-01-01', '--to', '2026-01-02'];
  expect(run(airboard, ['export', 'out.csv', ...query])).toMatch(
    /^2500 readings written to out\.csv \(\d+ kB\)\n$/,
  );
  const csv = await fetch(`${url()}/api/data?format=csv&sensor=${encodeURIComponent(sensor)}`);
  expect(readFileSync(join(home, 'out.csv'), 'utf8')).toBe(await csv.text());
  expect(run(airboard, ['import', 'out.csv'])).toContain('0 stored, 2500 known already, 0 refused');

  const lines = run(airboard, ['export', '--format', 'ndjson', ...query])
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(stored);
  expect(JSON.parse(run(airboard, ['export', '-', '--format', 'json', ...query]))).toEqual(stored);
});

test('a failed export leaves no file, and replaces none', () => {
  writeFileSync(join(home, 'kept.csv'), 'kept');
  const failed = (exitCode: number, ...args: string[]) => {
    const { status, stderr } = spawnSync(airboard, ['export', ...args], {
      cwd: home,
      env: environment(),
      encoding: 'utf8',
    });
    expect(status).toBe(exitCode);
    return stderr;
  };
  expect(failed(1, 'kept.csv')).toContain('kept.csv exists already');
  expect(readFileSync(join(home, 'kept.csv'), 'utf8')).toBe('kept');
  expect(failed(2, 'new.csv', '--from', 'yesterday')).toContain('--from must be a day like');
  expect(failed(1, 'new.csv', '--sensor', 'Nosuch')).toMatch(
    /there is no sensor "Nosuch"\. The server has ".*"\./,
  );
  expect(failed(1, 'new.csv', '--url', 'http://127.0.0.1:1')).toContain(
    'No server answers at http://127.0.0.1:1',
  );
  expect(readdirSync(home).filter((name) => name.startsWith('new.csv'))).toEqual([]);
});

test.runIf(existsSync('/dev/full'))('an export to a full disk fails', () => {
  const { status, stderr } = spawnSync(airboard, ['export'], {
    cwd: home,
    env: environment(),
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(stderr).toContain('The readings are incomplete: ENOSPC');
  expect(status).toBe(1);
});

test('backs up and checks the file beside a running server, and prints commands as users type them', async () => {
  expect(run(airboard, ['backup', 'copy.db'])).toMatch(/^\d+ readings of .* backed up to copy\.db/);
  const { status, stderr } = spawnSync(airboard, ['restore', 'out.csv'], {
    cwd: home,
    env: { ...environment(), DATABASE_PATH: 'other.db' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('Give a file that airboard backup has made');
  expect(printed).not.toContain('was not checked for damage');
});

test('resolves a relative path in the environment against the current folder', async () => {
  const env = { ...environment(), DATABASE_PATH: 'here.db' };
  const { status, stdout, stderr } = spawnSync(airboard, ['seed', '--readings', '3'], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(join(home, 'here.db'));
  expect(existsSync(join(home, 'here.db'))).toBe(true);
});

test('names an invalid setting', () => {
  const { status, stderr } = spawnSync(airboard, {
    cwd: home,
    env: { ...environment(), DATABASE_PATH: 'here.db', PORT: 'abc' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/settings are invalid:\n {2}PORT: must be .*\n$/),
  ]);
});

test('npx runs the package without installing it', () => {
  const npx = ['--yes', `./airboard-${version}.tgz`, '--version'];
  expect(run('npx', npx, { cwd: folder, env: npmEnvironment })).toBe(`${version}\n`);
});

test('stores readings in Supabase and sends mails, with bundled code', async () => {
  const mails: string[] = [];
  const mailServer = new SMTPServer({
    authOptional: true,
    onData: async (stream, _, answer) => {
      let mail = '';
      for await (const part of stream.setEncoding('utf8')) mail += part;
      mails.push(mail);
      answer();
    },
  });
  await listen(mailServer.server);
  const double = await startSupabaseDouble();
  const ownPort = await freePort();
  const env = {
    ...environment(),
    ...double.env,
    SUPABASE_SECRET_KEY: double.secretKey,
    PORT: String(ownPort),
    WRITE_KEY: '',
    SMTP_URL: `smtp://${hostOf(mailServer.server)}?from=board@example.org`,
    NOTIFY_URLS: 'mailto:ann@example.org',
  };
  const hosted = spawn(airboard, { cwd: home, env, stdio: 'ignore' });
  endWithRun(hosted);
  const ownUrl = `http://127.0.0.1:${ownPort}`;
  await until(() => fetch(`${ownUrl}/healthz`).then(Boolean, () => false));
  for (const minutesAgo of [10, 0]) {
    const created_at = new Date(Date.now() - minutesAgo * 60_000);
    expect((await post(ownUrl, { co2: 3000, voc: null, created_at })).status).toBe(201);
  }
  expect((await double.rows()).map(({ co2 }) => co2)).toEqual([3000, 3000]);
  await until(() => mails.length > 0);
  expect(mails[0]).toContain('Subject: Poor air');
  hosted.kill('SIGTERM');
  expect(await once(hosted, 'exit')).toEqual([0, null]);
  mailServer.close(() => {});
  await double.stop();
});

test('stops with 0 on SIGTERM', async () => {
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(printed).toContain('stopped by SIGTERM');
});

test('an update keeps the readings of an older file', async () => {
  const file = join(home, 'older.db');
  copyFileSync('tests/store/sqlite/file/version-0.db', file);
  await start({ ...environment(), DATABASE_PATH: file });
  const readings = await readAll(url());
  expect(readings).toHaveLength(12);
  expect(readings).toContainEqual({ id: 1, co2: 415, voc: 120, created_at: '2026-01-02T10:00:00.000Z' });
  server.kill('SIGTERM');
  await once(server, 'exit');
});

test('refuses a newer file after a downgrade, and leaves it unchanged', () => {
  const file = join(data, 'readings.db');
  const database = new Database(file);
  database.exec('pragma user_version = 99; pragma wal_checkpoint(truncate)');
  database.close();
  const before = readFileSync(file);
  for (const args of [
    [],
    ['seed', '--readings', '3', '--add'],
    ['prune', '--before', '2030-01-01', '--yes'],
  ]) {
    const options = { cwd: home, env: environment(), encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(airboard, args, options);
    expect([args, status]).toEqual([args, 1]);
    expect(stderr).toMatch(/readings\.db: its database version is 99,.*airboard restore FILE/s);
    expect(readFileSync(file).equals(before)).toBe(true);
  }
});
