import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../support/readings/database';
import { expectProblem, post, postAll, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The tests share the server, and leave it working. The first finds no readings, and the last deletes its file. */
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const readHealth = async () => (await fetch(`${server.url}/healthz`)).json();

test('answers 200 without an age if there are no readings', async () => {
  const answer = await fetch(`${server.url}/healthz`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await answer.json()).toEqual({
    status: 'ok',
    store: 'sqlite',
    version,
    lastReadingAgeSeconds: null,
  });
});

test('returns the age of the newest reading in seconds', async () => {
  await postAll(server.url, [{ co2: 1, voc: 1, created_at: new Date(Date.now() - 3_600_000) }]);
  const before = await readHealth();
  expect(before).toEqual({
    status: 'ok',
    store: 'sqlite',
    version,
    lastReadingAgeSeconds: expect.any(Number),
  });
  expect(Math.abs(before.lastReadingAgeSeconds - 3600)).toBeLessThan(60);
  await postAll(server.url, [{ co2: 1, voc: 1 }]);
  expect((await readHealth()).lastReadingAgeSeconds).toBeLessThan(60);
});

test('returns no age for a reading from the future, and says that a clock is wrong', async () => {
  runSql(server.databasePath, 'delete from data');
  const tomorrow = (Date.now() + 86_400_000) * 1000;
  runSql(
    server.databasePath,
    `insert into data (sensor, created_at, co2, voc) select id, ${tomorrow}, 1, 1 from sensors`,
  );
  const detail = expect.stringMatching(
    /^The newest reading has the time 20.*Z, which is in the future: the server's clock was changed, or/,
  );
  expect(await readHealth()).toEqual({
    status: 'ok',
    store: 'sqlite',
    version,
    lastReadingAgeSeconds: null,
    detail,
  });
  await postAll(server.url, [{ co2: 1600, voc: 1 }]);
  const health = await readHealth();
  expect(health).toMatchObject({ lastReadingAgeSeconds: expect.any(Number), detail });
  expect(health.lastReadingAgeSeconds).toBeLessThan(60);
});

test('every path answers with Retry-After while the store is unavailable, and works again afterwards', async () => {
  const stored = await readAll(server.url);
  expect(stored.length).toBeGreaterThan(0);
  runSql(server.databasePath, 'alter table data rename to elsewhere');

  for (const path of ['/api/data', '/api/data?limit=10', '/api/data?after=0', '/api/data?limit=9999']) {
    const answer = await fetch(server.url + path);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect((await expectProblem(answer, 503)).detail).toContain('database');
  }
  const rejected = await post(server.url, { co2: 3, voc: 4 });
  expect(rejected.headers.get('Retry-After')).toMatch(/^\d+$/);
  await expectProblem(rejected, 503);

  const health = await fetch(`${server.url}/healthz`);
  expect([health.status, health.headers.has('Retry-After')]).toEqual([503, true]);
  expect(await health.json()).toMatchObject({
    status: 'unavailable',
    store: 'sqlite',
    lastReadingAgeSeconds: null,
  });
  await until(() => /GET \/healthz 503 .*database/.test(server.output()));

  for (const path of ['/', '/chart', '/chart?range=1HR', '/postdata']) {
    const page = await fetch(server.url + path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toContain('Trying again');
  }

  runSql(server.databasePath, 'alter table elsewhere rename to data');
  expect(await readAll(server.url)).toEqual(stored);
  await until(async () => (await fetch(`${server.url}/healthz`)).status === 200);
  expect((await post(server.url, { co2: 3, voc: 4 })).status).toBe(201);
  expect(server.output()).not.toMatch(/\n\s+at /);
});

test('reports that the database file was deleted, stores nothing, and still returns stored readings', async () => {
  const stored = await readAll(server.url);
  expect(stored.length).toBeGreaterThan(0);
  rmSync(server.databasePath);
  const { detail } = await expectProblem(await post(server.url, { co2: 3, voc: 4 }), 503);
  expect(detail).toContain('readings.db was deleted while the server was using it');
  const health = await fetch(`${server.url}/healthz`);
  expect(health.status).toBe(503);
  expect((await health.json()).detail).toContain('readings.db was deleted');
  expect(await readAll(server.url)).toEqual(stored);
});
