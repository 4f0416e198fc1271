import { once } from 'node:events';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { postAll, readAll } from '../support/server/api';
import { freePort, runServer, startServer, temporaryFolder } from '../support/server/server';

/** Expects the server to exit with 1 and to print a reason without a stack trace. */
async function expectNoStart(env: Record<string, string>, ...reasons: (string | RegExp)[]): Promise<void> {
  const { exitCode, output } = await runServer({
    DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
    ...env,
  });
  expect(output).toContain("[airboard] can't start: ");
  for (const reason of reasons) expect(output).toMatch(reason);
  expect(output).not.toMatch(/\n\s+at |node:|Error:/);
  expect(output).not.toContain('http://');
  expect(exitCode).toBe(1);
}

test('refuses a file that is not a database', async () => {
  const file = join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, 'notes, not readings\n'.repeat(200));
  await expectNoStart({ DATABASE_PATH: file }, file, 'not an SQLite database', 'DATABASE_PATH');
});

// tests/config/env.test.ts has more cases.
test('refuses the port "70000"', async () => {
  await expectNoStart({ PORT: '70000' }, /settings are invalid/, /PORT: must be/);
});

// tests/config/alert-settings.test.ts has more cases.
test('names an invalid address in NOTIFY_URLS, without its secrets', async () => {
  const NOTIFY_URLS = 'https://fine.example.org ntfys://:SECRET@ntfy.sh/SECRET/SECRET';
  const { exitCode, output } = await runServer({ NOTIFY_URLS });
  expect(exitCode).toBe(1);
  expect(output).toContain('NOTIFY_URLS: the 2nd address (ntfys://ntfy.sh/…) must end with a topic');
  expect(output).not.toContain('SECRET');
});

test('names a port that is in use', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
  const { exitCode, output } = await runServer({
    PORT: String(port),
    DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
  });
  taken.close();
  expect(output).toMatch(new RegExp(`can't start: .*in use.*${port}`));
  expect(output).not.toMatch(/\n\s+at /);
  expect(exitCode).toBe(1);
});

test('names a HOST that is not an address of this machine', async () => {
  // 192.0.2.0/24 is reserved for documentation (RFC 5737).
  const { exitCode, output } = await runServer({
    HOST: '192.0.2.1',
    DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
  });
  expect(output).toMatch(/can't start: .*192\.0\.2\.1/);
  expect(output).not.toMatch(/\n\s+at /);
  expect(exitCode).toBe(1);
});

const hasIpv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('listens on an IPv6 address in brackets, and prints a working address', async () => {
  const server = await startServer({
    env: { HOST: '[::1]' },
    isReady: (output) => output.includes('[airboard] open'),
  });
  const address = `http://[::1]:${server.port}`;
  expect(server.output()).toContain(`[airboard] open ${address}\n`);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  await server.stop();
});

test('points to the environment for settings if npm start gets arguments', async () => {
  const { exitCode, output } = await runServer({}, ['--port', '3155']);
  expect(output).toBe(
    '[airboard] can\'t start: "--port 3155" has no effect here. Settings come from the environment or .env, for example: ' +
      'PORT=3155 npm start\n',
  );
  expect(exitCode).toBe(2);
});

test('creates the data folder, warns about a misspelled setting, and makes the database file private', async () => {
  const databasePath = join(temporaryFolder(), 'new', 'and deep', 'readings.db');
  const server = await startServer({ isUnbundled: true, databasePath, env: { WRITEKEY: 'house-key' } });
  expect(existsSync(databasePath)).toBe(true);
  expect(server.output()).toContain(`readings are kept in: SQLite file ${databasePath}`);
  expect(server.output()).toContain('WRITEKEY is not a setting and has no effect. Did you mean WRITE_KEY?');
  // tests/server/npm-start.slow.test.ts checks when it builds.
  expect(server.output()).not.toContain('building');
  await expectNoStart({ DATABASE_PATH: databasePath }, 'another airboard', databasePath);
  await postAll(server.url, [{ co2: 1, voc: 2 }]);
  await server.stop();
});

test('keeps every reading answered with 201 after SIGTERM, SIGKILL and restarts', async () => {
  let server = await startServer();
  const stored = await postAll(
    server.url,
    Array.from({ length: 20 }, (_, i) => ({ co2: i, voc: -i })),
  );
  for (const [i, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
    await server.stop(signal);
    if (signal === 'SIGTERM') {
      // The file of a stopped server is a complete backup.
      const copy = join(temporaryFolder(), 'copy.db');
      copyFileSync(server.databasePath, copy);
      const restored = openSqliteStore(copy);
      expect(await restored.newest(100)).toEqual(stored);
      await restored.close();
    }
    server = await server.restart();
    expect(await readAll(server.url)).toEqual(stored);
    const [more] = await postAll(server.url, [{ co2: 1, voc: 1 }]);
    expect(more?.id).toBe(21 + i);
    stored.push(more as Reading);
  }
  await server.stop();
});
