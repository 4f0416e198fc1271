import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { postAll, readAll } from '../support/api';
import { freePort, runServer, startServer, temporaryFolder } from '../support/server';

/** Expects the server to end with 1, and to print a reason without a stack trace. */
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

test('refuses a folder below a file', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expectNoStart(
    { DATABASE_PATH: join(file, 'sub', 'readings.db') },
    join(file, 'sub'),
    'DATABASE_PATH',
  );
});

test("refuses a folder that the system can't make", async () => {
  await expectNoStart({ DATABASE_PATH: '/proc/nowhere/below/readings.db' }, "can't keep readings in");
});

test('refuses a folder as file', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'readings.db'));
  await expectNoStart({ DATABASE_PATH: join(folder, 'readings.db') }, "can't be opened as a file");
});

test.each([
  ['create table data (something text)'],
  ['create table data (id integer primary key, created_at text, humidity real)'],
])("refuses another program's database and does not change it: %s", async (sql) => {
  const file = join(temporaryFolder(), 'other.db');
  const database = new Database(file);
  database.exec(sql);
  database.close();
  await expectNoStart({ DATABASE_PATH: file }, /its table "data" is another program's/);
  const schema = new Database(file);
  expect(schema.prepare('select sql from sqlite_master').all()).toMatchObject([
    { sql: sql.replace('create table', 'CREATE TABLE') },
  ]);
  schema.close();
});

test.each(['abc', '70000', '-1', '1.5', '0', '80 80'])('refuses the port "%s"', async (PORT) => {
  await expectNoStart({ PORT }, /settings are invalid/, /PORT: must be/);
});

test('names a port that is in use, also the default one', async () => {
  for (const PORT of [String(await freePort()), '']) {
    const port = Number(PORT || 3000);
    const taken = createServer();
    // If another program already uses the default port, that serves the test too.
    await new Promise((resolve) =>
      taken.once('listening', resolve).once('error', resolve).listen(port, '127.0.0.1'),
    );
    const { exitCode, output } = await runServer({
      PORT,
      DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
    });
    taken.close();
    expect(output).toMatch(new RegExp(`can't start: .*in use.*${port}`));
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(1);
  }
});

test('names a HOST that this machine does not have', async () => {
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

test.skipIf(!hasIpv6)(
  'listens on an IPv6 address in brackets, and prints an address that can be opened',
  async () => {
    const server = await startServer({
      env: { HOST: '[::1]' },
      isReady: (output) => output.includes('[airboard] open'),
    });
    const address = `http://[::1]:${server.port}`;
    expect(server.output()).toContain(`[airboard] open ${address}\n`);
    expect(server.output()).not.toContain('remix-serve');
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    await server.stop();
  },
);

test('says that settings come from the environment if npm start gets arguments', async () => {
  const { exitCode, output } = await runServer({}, ['--port', '3155']);
  expect(output).toBe(
    '[airboard] can\'t start: "--port" has no effect here. Settings come from the environment or .env, for example: ' +
      'PORT=3155 npm start\n',
  );
  expect(exitCode).toBe(1);
});

test('warns about a misspelled setting', async () => {
  const server = await startServer({ env: { WRITEKEY: 'house-key' } });
  expect(server.output()).toContain('WRITEKEY is not a setting and has no effect. Is WRITE_KEY meant?');
  await server.stop();
});

test('refuses a file that another server uses, and the other keeps running', async () => {
  const first = await startServer();
  await expectNoStart({ DATABASE_PATH: first.databasePath }, 'another airboard', first.databasePath);
  await postAll(first.url, [{ co2: 1, voc: 2 }]);
  await first.stop();
});

test('creates the folder of the readings and its parents', async () => {
  const databasePath = join(temporaryFolder(), 'new', 'and deep', 'readings.db');
  const server = await startServer({ databasePath });
  expect(existsSync(databasePath)).toBe(true);
  expect(server.output()).toContain(`readings are kept in: SQLite file ${databasePath}`);
  await server.stop();
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'keeps every reading answered with 201 after %s and a restart',
  async (signal) => {
    const server = await startServer();
    const stored = await postAll(
      server.url,
      Array.from({ length: 20 }, (_, i) => ({ co2: i, voc: -i })),
    );
    await server.stop(signal);
    const next = await server.restart();
    expect(await readAll(next.url)).toEqual(stored);
    const [more] = await postAll(next.url, [{ co2: 1, voc: 1 }]);
    expect(more?.id).toBe(21);
    await next.stop();
  },
);

test('the file of a stopped server is a complete backup', async () => {
  const server = await startServer();
  const stored = await postAll(server.url, [{ co2: 1, voc: 2 }]);
  await server.stop();
  const copy = join(temporaryFolder(), 'copy.db');
  copyFileSync(server.databasePath, copy);
  const restored = await startServer({ databasePath: copy });
  expect(await readAll(restored.url)).toEqual(stored);
  await restored.stop();
});
