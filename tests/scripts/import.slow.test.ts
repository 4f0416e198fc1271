import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from '../../scripts/progress.js';
import { answer, type BatchServer, startBatchServer, store } from '../support/ingest/batches';
import { runScriptHere } from '../support/run-script';
import { temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

const ROWS = 2500;
let server: BatchServer;
let running: ChildProcess | undefined;

beforeEach(async () => {
  server = await startBatchServer();
});

afterEach(async () => {
  running?.kill('SIGKILL');
  await server.stop();
});

/** Starts the import of a file. */
function start(file: string, ...options: string[]) {
  const env = { ...process.env, WRITE_KEY: 'secret' };
  const child = spawn(process.execPath, ['scripts/import.js', file, '--url', server.url, ...options], {
    env,
  });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const end = once(child, 'close').then(([exitCode]) => ({ exitCode, output }));
  return { child, output: () => output, end };
}

const run = (file: string, ...options: string[]) => start(file, ...options).end;

function fileOf(rows: number, lineOf: (i: number) => string = (i) => `${timeOf(i)},${400 + i},100`): string {
  const file = join(temporaryFolder(), 'readings.csv');
  const lines = Array.from({ length: rows }, (_, i) => lineOf(i));
  writeFileSync(file, `time,co2,voc\n${lines.join('\n')}\n`);
  return file;
}

const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 31) + i * 15_000).toISOString();

test('sends a file in batches of 1,000, prints the result, and recognizes duplicates when repeated', async () => {
  const file = fileOf(ROWS);
  const { exitCode, output } = await run(file, '--sensor', 'Attic');
  expect([exitCode, server.batches]).toEqual([0, [1000, 1000, 500]]);
  expect(output).toContain(`${ROWS} stored, 0 known already, 0 refused in `);
  expect(server.stored.get(`${timeOf(7)} Attic`)).toEqual({
    created_at: timeOf(7),
    co2: 407,
    voc: 100,
    sensor: 'Attic',
  });
  expect(server.authorization()).toBe('Bearer secret');
  const again = await run(file, '--sensor', 'Attic');
  expect([again.exitCode, again.output]).toEqual([
    0,
    expect.stringContaining(`0 stored, ${ROWS} known already, 0 refused`),
  ]);
});

test('stops at Ctrl-C, says how to continue, and misses nothing when repeated', async () => {
  const file = fileOf(ROWS);
  const stopped = start(file);
  // The second request gets no answer.
  server.faults.push(
    () => false,
    () => true,
  );
  await until(() => server.batches.length === 2);
  stopped.child.kill('SIGINT');
  const { exitCode, output } = await stopped.end;
  expect(exitCode).toBe(130);
  expect(output).toContain('1000 stored');
  expect(output).toContain(
    'Stopped. Everything up to line 1001 was sent. Run the same command again to go on',
  );
  const again = await run(file);
  expect(again.output).toContain('1500 stored, 1000 known already, 0 refused');
  expect(server.stored.size).toBe(ROWS);
});

test('repeats a batch with a lost answer, and waits for a server that restarts', async () => {
  const file = fileOf(ROWS);
  const importing = start(file);
  server.faults.push(
    () => false,
    (response, readings) => {
      store(server.stored, readings);
      response.destroy();
      return true;
    },
    () => true,
  );
  await until(() => server.batches.length === 3);
  const { stored, url } = server;
  await server.stop();
  await until(() => /waiting for the server \(ECONNREFUSED\)/.test(importing.output()));
  server = await startBatchServer(Number(new URL(url).port));
  const { exitCode, output } = await importing.end;
  expect(exitCode).toBe(0);
  expect(output).toContain('0 refused');
  expect(new Set([...stored.keys(), ...server.stored.keys()]).size).toBe(ROWS);
});

test('names rejected lines of the file, whether the server rejected or the script could not read them', async () => {
  const file = fileOf(1200, (i) =>
    i === 3 ? 'noon,400,100' : i === 1100 ? `${timeOf(i)},high,100` : `${timeOf(i)},400,100`,
  );
  const { exitCode, output } = await run(file);
  expect(exitCode).toBe(3);
  expect(output).toContain('line 5: refused: "noon" is not a time in a known format');
  expect(output).toContain('line 1102: refused: co2 must be a number');
  expect(output).toContain('1198 stored, 0 known already, 2 refused');
});

test.each([
  [401, "A key is needed. Set WRITE_KEY to the server's key."],
  [403, 'A key is needed.'],
])('ends with 1 if the server refuses every post with %i', async (status, reason) => {
  server.faults.push((response) => {
    answer(response, status, { detail: 'A key is needed.' });
    return true;
  });
  const file = fileOf(10);
  const { exitCode, output } = await run(file);
  expect([exitCode, output]).toEqual([
    1,
    expect.stringContaining(`\n${file}: the server refuses readings: ${reason}\n`),
  ]);
});

test('a dry run shows the first readings, and sends none', async () => {
  const { exitCode, output } = await run(fileOf(ROWS), '--dry-run');
  expect([exitCode, server.batches]).toEqual([0, []]);
  expect(output).toContain(`line 2: {"created_at":"${timeOf(0)}","co2":400,"voc":100}`);
  expect(output.match(/^line/gm)).toHaveLength(5);
  expect(output).toContain('Nothing was sent (--dry-run).');
});

test('a dry run lists the used columns', async () => {
  const known = await run('tests/scripts/import-files/airgradient.csv', '--dry-run');
  expect(known.output).toContain(
    'airgradient.csv: columns of AirGradient: "UTC Date/Time" as created_at, "CO2 (ppm) corrected" as co2, ',
  );
  expect(known.output).toContain('Not imported: "Location ID", ');
  const columns = ['--columns', 'created_at=Zeit,co2=CO2 (ppm)', '--time-zone', 'Europe/Berlin'];
  const given = await run('tests/scripts/import-files/spreadsheet.csv', ...columns, '--dry-run');
  expect(given.output).toContain(
    'spreadsheet.csv: columns "Zeit" as created_at, "CO₂ (ppm)" as co2, "VOC" as voc. The first readings:\n',
  );
});

test('prints the meaning of each column, and sends all metrics', async () => {
  const file = join(temporaryFolder(), 'table.csv');
  writeFileSync(file, `time,temp (°F),occupied\n${timeOf(0)},68,1\n`);
  const { exitCode, output } = await run(file);
  expect(exitCode).toBe(0);
  expect(output).toContain(
    'table.csv: columns of a table: "time" as created_at, "temp (°F)" as temperature, converted to °C.\nNot imported: "occupied".\n',
  );
  expect(server.stored.get(`${timeOf(0)} `)).toEqual({
    created_at: timeOf(0),
    co2: null,
    voc: null,
    temperature: 20,
  });
});

test('keeps the first of two rows with one time, and reports it', async () => {
  const twice = (i: number) => `${timeOf(i >> 1)},${400 + i},100`;
  const { exitCode, output } = await run(fileOf(3000, twice));
  expect([exitCode, server.stored.get(`${timeOf(700)} `)?.co2]).toEqual([0, 1800]);
  expect(output).toContain('1500 stored, 0 known already, 0 refused');
  expect(output).toContain('1500 rows have the time of an earlier row but other values: the first was kept');
});

test.each([
  ['replace', 'the last was sent', 1801],
  ['average', 'the average was sent', 1800.5],
])('--on-conflict %s: %s', async (rule, words, co2) => {
  const file = fileOf(3000, (i) => `${timeOf(i >> 1)},${400 + i},${i % 2 ? '' : 100}`);
  const { output } = await run(file, '--on-conflict', rule);
  expect(output).toContain(words);
  expect(server.stored.get(`${timeOf(700)} `)?.co2).toBe(co2);
});

test('a stored reading with other values stays, and only a requested replacement is refused', async () => {
  await run(fileOf(300));
  const other = fileOf(301, (i) => `${timeOf(i)},900,100`);
  const kept = await run(other);
  expect(kept.exitCode).toBe(0);
  expect(kept.output).toContain(
    '300 rows have the time of a stored reading but other values: the stored one was kept',
  );
  const errors = join(temporaryFolder(), 'refused.txt');
  const refused = await run(other, '--on-conflict', 'average', '--errors', errors);
  expect(refused.exitCode).toBe(3);
  expect(refused.output.match(/^line /gm)).toHaveLength(20);
  expect(refused.output).toContain(`All refused lines are in ${errors}.`);
  expect(readFileSync(errors, 'utf8').match(/^line \d+: created_at is the time of a reading/gm)).toHaveLength(
    300,
  );
});

test('ends with 1 if nothing was stored', async () => {
  const { exitCode, output } = await run(fileOf(3, (i) => `${timeOf(i)},high,100`));
  expect([exitCode, output]).toEqual([1, expect.stringContaining('Nothing was stored')]);
});

test('prints progress in one line on a terminal, and elsewhere every 5 s and at each change', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  for (const isTTY of [true, false]) {
    now = 0;
    const printed: string[] = [];
    const output = { isTTY, write: (text: string) => printed.push(text) } as unknown as NodeJS.WriteStream;
    const { update } = createProgress(output, 6000);
    update(500, '500 stored', false);
    now = 5000;
    update(1000, '1000 stored', false);
    update(1000, 'waiting', true);
    const line = '1000 of 6000 rows, 200 rows/s, 25 s left, ';
    const lines = [`${line}1000 stored`, `${line}waiting`];
    expect(printed).toEqual(lines.map((text) => (isTTY ? `\r\u001b[K${text}` : `${text}\n`)));
  }
  vi.restoreAllMocks();
});

test.each([
  [[], /^usage: npm run import.*\n\nFILE\.csv is missing\.$/s],
  [['package.json', 'README.md'], /only one FILE\.csv is possible: remove README\.md/],
  [['package.json', '--url', 'board'], /--url must be an address/],
  [['package.json', '--date-order', 'ydm'], /--date-order must be mdy, dmy or ymd/],
  [['package.json', '--decimal', ';'], /--decimal must be a comma or a point/],
  [['package.json', '--columns', 'Time'], /--columns must be like/],
  [['package.json', '--where', 'Kitchen'], /--where must be like/],
  [['package.json', '--on-conflict', 'skip'], /--on-conflict must be keep, replace or average, not "skip"/],
  [['package.json', '--errors', './package.json'], /--errors must be another file/],
])('rejects the arguments %j with 2', async (options, message) => {
  const { exitCode, output } = await runScriptHere('import', ...options);
  expect(exitCode).toBe(2);
  expect(output).toMatch(message);
});

test('suggests a command for unknown columns, and prints nothing after it', async () => {
  const file = join(temporaryFolder(), 'table.csv');
  writeFileSync(file, 'Zeit,CO2 (ppm)\n2026-01-01T00:00:00Z,415\n');
  const { exitCode, output } = await run(file);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/\n {2}npm run import -- \S*table\.csv --columns '.*'\n$/);
});

test('says that it cannot read a folder', async () => {
  const { exitCode, output } = await runScriptHere('import', 'docs');
  expect([exitCode, output]).toEqual([1, 'docs is a folder. Name a file.']);
});

test.each(['import', 'replay'])('%s of a database points to restore', async (command) => {
  const { exitCode, output } = await runScriptHere(command, 'tests/store/sqlite/file/version-0.db');
  expect(exitCode).toBe(1);
  expect(output).toContain('the file is a database, such as a backup.');
  expect(output).toContain('npm run restore -- tests/store/sqlite/file/version-0.db.');
});

test('requires the entities of Home Assistant, and lists them', async () => {
  const { exitCode, output } = await run('tests/scripts/import-files/home-assistant.csv');
  expect(exitCode).toBe(1);
  expect(output).toMatch(
    /--co2 sensor\.NAME, .* The file has: sensor\.bedroom_co2, sensor\.bedroom_temperature, sensor\.bedroom_voc/,
  );
});
