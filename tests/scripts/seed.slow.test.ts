import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { METRICS } from '../../app/readings/metric';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { createRoomAir } from '../../scripts/seed/room-air.js';
import { runScriptHere } from '../support/run-script';
import { temporaryFolder } from '../support/server/server';

test('stores readings 15 s apart, the last one now', async () => {
  const started = Date.now();
  const databasePath = join(temporaryFolder(), 'readings.db');
  expect(seed(databasePath, '--readings', '12345').exitCode).toBe(0);
  const store = openSqliteStore(databasePath);
  const readings = await store.newest(20_000);
  await store.close();
  expect(readings).toHaveLength(12_345);
  const times = readings.map(({ created_at }) => Date.parse(created_at));
  expect(times.at(-1)).toBeGreaterThanOrEqual(started);
  expect(times.slice(1).every((time, i) => time - (times[i] as number) === 15_000)).toBe(true);
});

test('--metrics chooses the metrics, with plausible values that change', async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  const stored = async (count: number, ...options: string[]) => {
    expect(seed(databasePath, '--readings', String(count), '--add', ...options).output).toContain('stored');
    const store = openSqliteStore(databasePath);
    const readings = await store.newest(count);
    await store.close();
    return readings;
  };
  const day = await stored(5760, '--metrics', 'all');
  for (const { field, plausible } of METRICS) {
    const { from, to } = plausible;
    const values = day.map((reading) => reading[field] ?? Number.NaN);
    expect(Math.min(...values), field).toBeGreaterThanOrEqual(from);
    expect(Math.max(...values), field).toBeLessThanOrEqual(to);
    expect(new Set(values).size, field).toBeGreaterThan(10);
  }
  const [reading] = await stored(1, '--sensor', 'Office', '--metrics', 'temperature, co2');
  expect(reading).toMatchObject({
    sensor: 'Office',
    voc: null,
    co2: expect.any(Number),
    temperature: expect.any(Number),
  });
  expect(reading).not.toHaveProperty('pm25', expect.any(Number));
});

test('simulates the same air for the same seed and times, and other air for another seed', () => {
  const start = Date.parse('2026-01-02T10:00:00Z');
  const [air, again, other] = [7, 7, 8].map((number) => {
    const nextReading = createRoomAir(number, 15_000);
    return Array.from({ length: 1000 }, (_, i) => nextReading(start + i * 15_000));
  });
  expect(again).toEqual(air);
  expect(other).not.toEqual(air);
});

test('adds to a file with readings only with --add, and never to one that a server uses', async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  // Up to ten readings, such as a few by hand, need no --add.
  expect(seed(databasePath, '--readings', '1').exitCode).toBe(0);
  expect(seed(databasePath, '--readings', '99').exitCode).toBe(0);
  expect(seed(databasePath, '--readings', '100')).toEqual({
    exitCode: 1,
    output: expect.stringContaining('has more than 10 readings. Use --add'),
  });
  expect(seed(databasePath, '--readings', '50', '--add').exitCode).toBe(0);

  // Like a running server.
  const store = openSqliteStore(databasePath);
  expect(await store.count(1000)).toBe(150);
  expect(seed(databasePath, '--readings', '100', '--add')).toEqual({
    exitCode: 1,
    output: expect.stringMatching(/^another airboard .* is locked/),
  });
  expect(await store.count(1000)).toBe(150);
  await store.close();
});

test('prints its usage and exits with 2 for invalid arguments', async () => {
  for (const options of [
    [],
    ['--readings', 'many'],
    ['--readings', '0'],
    ['--readings', '5', '--fast'],
    ['--readings', '-5'],
    ['--readings', '5', '--metrics', 'co2,so2'],
  ]) {
    const { exitCode, output } = await runScriptHere('seed', ...options);
    expect(output).toContain('usage: npm run seed -- --readings N');
    expect(exitCode).toBe(2);
  }
});

test('accepts the same names as the API, and refuses others', async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  for (const name of ['a'.repeat(65), 'a\tb', 'a\u0085b']) {
    expect(await runScriptHere('seed', '--readings', '1', '--sensor', name)).toEqual({
      exitCode: 2,
      output: expect.stringContaining('--sensor must have at most 64 characters and no control characters'),
    });
  }
  expect(seed(databasePath, '--readings', '1', '--sensor', ` ${'😀'.repeat(64)} `).exitCode).toBe(0);
});

function seed(databasePath: string, ...options: string[]) {
  const env = { ...process.env, DATABASE_PATH: databasePath };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/seed.js', ...options], {
    env,
    encoding: 'utf8',
  });
  return { exitCode: status, output: stderr + stdout };
}
