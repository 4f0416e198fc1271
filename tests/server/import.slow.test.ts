import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runSql } from '../support/readings/database';
import { readAll } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const ROWS = 6000;
let server: RunningServer;
const FILES = 'tests/scripts/import-files';

beforeAll(async () => {
  server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
});

afterAll(() => server.stop());

beforeEach(() => {
  runSql(server.databasePath, 'delete from data');
});

function start(file: string, ...options: string[]) {
  const child = spawn(process.execPath, ['scripts/import.js', file, '--url', server.url, ...options]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return { child, end: once(child, 'close').then(([exitCode]) => ({ exitCode, output })) };
}

const run = (file: string, ...options: string[]) => start(file, ...options).end;
const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 31) + i * 15_000).toISOString();

function longFile(): string {
  const file = join(temporaryFolder(), 'readings.csv');
  const lines = Array.from({ length: ROWS }, (_, i) => `${timeOf(i)},Attic,${400 + (i % 9)},`);
  writeFileSync(file, `created_at,sensor,co2,voc\n${lines.join('\n')}\n`);
  return file;
}

test('an import that is stopped anywhere and restarted stores every reading once', async () => {
  const file = longFile();
  const first = start(file);
  await until(async () => (await readAll(server.url, '?limit=1')).length > 0);
  first.child.kill('SIGKILL');
  await first.end;
  const second = start(file);
  await until(async () => (await readAll(server.url, '?sensor=Attic&limit=3000')).length === 3000);
  second.child.kill('SIGINT');
  await second.end;
  const { exitCode, output } = await run(file);
  expect(exitCode).toBe(0);
  expect(output).toMatch(/\d+ stored, \d+ known already, 0 refused in /);
  const stored = await readAll(server.url);
  expect(stored.map(({ created_at }) => created_at)).toEqual(
    Array.from({ length: ROWS }, (_, i) => timeOf(i)),
  );
  expect((await run(file)).output).toContain(`0 stored, ${ROWS} known already, 0 refused`);
});

test('continues with the next server after a kill', async () => {
  const file = longFile();
  const importing = start(file);
  await until(async () => (await readAll(server.url, '?limit=1')).length > 0);
  await server.stop('SIGKILL');
  server = await server.restart();
  const { exitCode, output } = await importing.end;
  expect([exitCode, output.includes('0 refused')]).toEqual([0, true]);
  expect(await readAll(server.url)).toHaveLength(ROWS);
});

test('imports an export unchanged, and rejects a reading with other values, with its line', async () => {
  await run(`${FILES}/airgradient.csv`);
  const exported = await (await fetch(`${server.url}/api/data?format=csv`)).text();
  const file = join(temporaryFolder(), 'export.csv');
  writeFileSync(file, exported);
  expect((await run(file)).output).toContain('0 stored, 3 known already, 0 refused');
  writeFileSync(file, exported.replace(',498,', ',499,'));
  const { exitCode, output } = await run(file, '--on-conflict', 'replace');
  expect(exitCode).toBe(3);
  expect(output).toMatch(/^line 4: refused: created_at .*49[89].*49[89]/m);
  expect(output).toContain('0 stored, 2 known already, 1 refused');
});

test('stores the readings of Home Assistant entities', async () => {
  const entities = ['--co2', 'sensor.bedroom_co2', '--voc', 'sensor.bedroom_voc'];
  const { output } = await run(`${FILES}/home-assistant.csv`, ...entities);
  expect(output).toContain('4 stored, 0 known already, 0 refused, 2 without a value');
  const readings = await readAll(server.url);
  expect(readings).toHaveLength(4);
  expect(readings[0]?.created_at).toMatch(/^2026-01-31T10:00:00\./);
});

test('stores the lines of an export once, whether imported or posted', async () => {
  const file = join(temporaryFolder(), 'export.lp');
  const at = '1772366400123456789';
  const lines = `air,host=attic co2=612 ${at}\nair,host=attic temperature=21.4 ${at}\n`;
  writeFileSync(file, `# DML\n${lines}`);
  const posted = await fetch(`${server.url}/write`, { method: 'POST', body: lines });
  expect(posted.status).toBe(204);
  const { exitCode, output } = await run(file);
  expect([exitCode, output]).toEqual([0, expect.stringContaining('0 stored, 1 known already, 0 refused')]);
  expect(output).toContain('line protocol: "co2" as co2, "temperature" as temperature.');
  expect(await readAll(server.url)).toMatchObject([{ co2: 612, temperature: 21.4, sensor: 'attic' }]);
});

test("says which values of Home Assistant's files are means of an hour", async () => {
  const file = join(temporaryFolder(), 'statistics.csv');
  writeFileSync(file, 'statistic_id,start_ts,mean,min,max\nsensor.co2,1772366400.0,612.5,500,700\n');
  const { output } = await run(file, '--co2', 'sensor.co2');
  expect(output).toContain('Its values are means of an hour, at the beginning of the hour.');
  expect(output).toContain('Not imported: "min", "max".');
  expect(await readAll(server.url)).toMatchObject([{ co2: 612.5 }]);
});
