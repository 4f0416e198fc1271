import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, postAll, readAll } from '../support/api';
import { seedDatabase } from '../support/database';
import { expectProblem } from '../support/problem';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Runs SQL on the server's file, as another program would. */
function runSql(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

test('a server without readings is well, and knows no age', async () => {
  const answer = await fetch(`${server.url}/healthz`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer.json()).toEqual({ status: 'ok', store: 'sqlite', lastReadingAgeSeconds: null });
});

test('it tells how many seconds old the newest reading is', async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, 3, { endMs: 3_600_000 });
  const old = await startServer({ databasePath });
  const before = await (await fetch(`${old.url}/healthz`)).json();
  expect(before).toEqual({ status: 'ok', store: 'sqlite', lastReadingAgeSeconds: expect.any(Number) });
  expect(Math.abs(before.lastReadingAgeSeconds - 3600)).toBeLessThan(60);
  await postAll(old.url, [{ co2: 1, voc: 1 }]);
  expect((await (await fetch(`${old.url}/healthz`)).json()).lastReadingAgeSeconds).toBeLessThan(60);
  await old.stop();
});

test('a reading from the future, after a clock was set back, is 0 s old', async () => {
  const databasePath = `${temporaryFolder()}/readings.db`;
  await seedDatabase(databasePath, 1, { endMs: -86_400_000 });
  const early = await startServer({ databasePath });
  expect((await (await fetch(`${early.url}/healthz`)).json()).lastReadingAgeSeconds).toBe(0);
  await early.stop();
});

test('while the store can’t be used every call says so with Retry-After, and works again after it', async () => {
  const stored = await postAll(server.url, [{ co2: 1, voc: 2 }]);
  runSql(server.databasePath, 'alter table data rename to elsewhere');

  for (const path of ['/api/data', '/api/data?limit=10', '/api/data?after=0', '/api/data?limit=9999']) {
    const answer = await fetch(server.url + path);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect((await expectProblem(answer, 503)).detail).toContain('database');
  }
  const refused = await post(server.url, { co2: 3, voc: 4 });
  expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
  await expectProblem(refused, 503);

  const health = await fetch(`${server.url}/healthz`);
  expect([health.status, health.headers.has('Retry-After')]).toEqual([503, true]);
  expect(await health.json()).toMatchObject({
    status: 'unavailable',
    store: 'sqlite',
    lastReadingAgeSeconds: null,
  });

  for (const path of ['/', '/chart', '/chart?range=1HR', '/postdata']) {
    const page = await fetch(server.url + path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toContain('Trying again');
  }

  runSql(server.databasePath, 'alter table elsewhere rename to data');
  expect(await readAll(server.url)).toEqual(stored);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await post(server.url, { co2: 3, voc: 4 })).status).toBe(201);
  expect(server.output()).not.toMatch(/\n\s+at /);
});

test('a post waits for a database that another program has locked, and is stored once', async () => {
  const database = new Database(server.databasePath);
  database.exec('begin immediate');
  const before = await readAll(server.url);
  const answers = [1, 2, 3].map((co2) => post(server.url, { co2, voc: 0 }));
  // Reading goes on: it is answered while the posts still wait.
  expect(await readAll(server.url)).toEqual(before);
  database.exec('rollback');
  database.close();
  const stored = await Promise.all((await Promise.all(answers)).map((answer) => answer.json()));
  expect(stored.map(({ co2 }) => co2)).toEqual([1, 2, 3]);
  expect(await readAll(server.url)).toEqual([...before, ...stored.sort((a, b) => a.id - b.id)]);
});
