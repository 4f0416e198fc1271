import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRoomAir } from '../../scripts/room-air.js';
import { readAll } from '../support/api';
import { startServer, temporaryFolder } from '../support/server';

test('a seeded store holds readings 15 s apart that end now', async () => {
  const started = Date.now();
  const server = await seededServer();
  const readings = await readAll(server.url);
  expect(readings).toHaveLength(12_345);
  const times = readings.map(({ created_at }) => Date.parse(created_at));
  expect(times.at(-1)).toBeGreaterThanOrEqual(started);
  expect(times.slice(1).every((time, i) => time - (times[i] as number) === 15_000)).toBe(true);
  await server.stop();
});

test('the same seed makes the same air for the same times, and another seed another', () => {
  const start = Date.parse('2026-01-02T10:00:00Z');
  const [air, again, other] = [7, 7, 8].map((number) => {
    const nextReading = createRoomAir(number, 15_000);
    return Array.from({ length: 1000 }, (_, i) => nextReading(start + i * 15_000));
  });
  expect(again).toEqual(air);
  expect(other).not.toEqual(air);
});

test('a store that has readings is only added to when told, and one that a server has is left alone', async () => {
  const databasePath = join(temporaryFolder(), 'readings.db');
  expect(seed(databasePath, '--readings', '100').exitCode).toBe(0);
  const refused = seed(databasePath, '--readings', '100');
  expect(refused).toEqual({
    exitCode: 1,
    output: expect.stringContaining('has readings already. Say --add'),
  });
  expect(seed(databasePath, '--readings', '50', '--add').exitCode).toBe(0);

  const server = await startServer({ databasePath });
  expect(await readAll(server.url)).toHaveLength(150);
  const taken = seed(databasePath, '--readings', '100', '--add');
  expect(taken).toEqual({ exitCode: 1, output: expect.stringMatching(/^another airboard .* is locked/) });
  expect(await readAll(server.url)).toHaveLength(150);
  await server.stop();
});

test('wrong arguments: the usage and exit 2', () => {
  for (const given of [[], ['--readings', 'many'], ['--readings', '5', '--fast'], ['--readings', '-5']]) {
    const { exitCode, output } = seed(join(temporaryFolder(), 'readings.db'), ...given);
    expect(output).toContain('usage: npm run seed -- --readings N');
    expect(exitCode).toBe(2);
  }
});

async function seededServer() {
  const databasePath = join(temporaryFolder(), 'readings.db');
  expect(seed(databasePath, '--readings', '12345').exitCode).toBe(0);
  return startServer({ databasePath });
}

function seed(databasePath: string, ...given: string[]) {
  const env = { ...process.env, DATABASE_PATH: databasePath };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/seed.js', ...given], {
    env,
    encoding: 'utf8',
  });
  return { exitCode: status, output: stderr + stdout };
}
