import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseColumns } from '../../scripts/import-arguments.js';
import { readReadings } from '../../scripts/import-readings.js';
import { inspectFile } from '../../scripts/import-rows.js';
import { temporaryFolder } from '../support/server';

interface Options {
  columns?: Record<string, string>;
  sensor?: string;
  timeZone?: string;
}

/** Reads a file as the import does: readings as they are sent, and the problems of other lines. */
async function read(file: string, { columns = {}, sensor, timeZone }: Options = {}) {
  const { delimiter, layout } = inspectFile(file, columns);
  const onBytes = () => {};
  const times = { timeZone };
  const { items } = readReadings({ file, delimiter, layout, columns, sensor, times, onBytes });
  const read: unknown[] = [];
  for await (const { line, reading, problem, skipped } of items) {
    read.push([line, reading ?? problem ?? (skipped && 'skipped')]);
  }
  return read;
}

const fixture = (name: string) => `tests/scripts/import-files/${name}.csv`;

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'file.csv');
  writeFileSync(file, text);
  return file;
}

test('joins the entities of a history of Home Assistant', async () => {
  const columns = { co2: 'sensor.bedroom_co2', voc: 'sensor.bedroom_voc' };
  expect(await read(fixture('home-assistant'), { columns, sensor: 'Bedroom' })).toEqual([
    [2, 'skipped'],
    [3, { created_at: '2026-01-31T10:00:00.104Z', co2: 612, voc: 88, sensor: 'Bedroom' }],
    [4, { created_at: '2026-01-31T10:01:00.102Z', co2: 618, voc: 88, sensor: 'Bedroom' }],
    [8, { created_at: '2026-01-31T10:02:00.108Z', co2: 618, voc: 91, sensor: 'Bedroom' }],
    [5, 'skipped'],
    [9, { created_at: '2026-01-31T10:04:00.108Z', co2: null, voc: 95, sensor: 'Bedroom' }],
  ]);
});

test('an entity that the file does not have is an error that lists those it has', async () => {
  await expect(read(fixture('home-assistant'), { columns: { co2: 'sensor.co2' } })).rejects.toThrow(
    'the file has no rows of "sensor.co2". It has: sensor.bedroom_co2, sensor.bedroom_temperature, sensor.bedroom_voc',
  );
});

test("reads AirGradient's export, with the location as the sensor", async () => {
  const readings = [
    [2, { created_at: '2026-01-31T10:05:00.000Z', co2: 498, voc: 104, sensor: 'Küche' }],
    [3, { created_at: '2026-01-31T10:00:00.000Z', co2: 491, voc: null, sensor: 'Küche' }],
    [4, 'skipped'],
  ];
  expect(await read(fixture('airgradient'))).toEqual(readings);
  const [[, unnamed]] = (await read(fixture('airgradient'), { sensor: '' })) as [[number, object]];
  expect(unnamed).not.toHaveProperty('sensor');
});

test.each([
  ['influx-annotated', { columns: { co2: 'co2', voc: 'voc' } }, 91, [5, 6]],
  ['influx-pivoted', {}, null, [2, 3]],
  ['influx-1', {}, 91, [2, 3]],
])('reads the fields of %s', async (name, options, secondVoc, lines) => {
  expect(await read(fixture(name), options)).toEqual([
    [lines[0], { created_at: '2026-01-31T10:00:00.000Z', co2: 612, voc: 88 }],
    [lines[1], { created_at: '2026-01-31T10:01:00.000Z', co2: 618.5, voc: secondVoc }],
  ]);
});

test("reads a spreadsheet's table with named columns, a zone, semicolons and decimal commas", async () => {
  const columns = parseColumns('created_at=Zeit,co2="CO2 (ppm)",voc=VOC,sensor=Raum');
  expect(await read(fixture('spreadsheet'), { columns, timeZone: 'Europe/Berlin' })).toEqual([
    [2, { created_at: '2026-01-31T10:00:00.000Z', co2: 612.5, voc: 88, sensor: 'Küche; klein' }],
    [3, { created_at: '2026-01-31T10:01:00.000Z', co2: 'abc', voc: 91, sensor: 'Bad' }],
    [5, '"31.01.2026 99:01" is a time that does not exist'],
    [6, 'skipped'],
  ]);
});

test("reads airboard's own export, with guarded names, and counts lines within quotes", async () => {
  const file = fileWith(
    "created_at,sensor,co2,voc,id\r\n2026-01-31T10:00:00.123456Z,'=1+1,1e+21,,1\r\n" +
      '2026-01-31T10:00:00.000Z,"a\r\nb",1,2,2\r\n2026-01-31T10:00:01.000Z,,1,2,3\r\n',
  );
  expect(await read(file)).toEqual([
    [2, { created_at: '2026-01-31T10:00:00.123456Z', co2: 1e21, voc: null, sensor: '=1+1' }],
    [3, { created_at: '2026-01-31T10:00:00.000Z', co2: 1, voc: 2, sensor: 'a\r\nb' }],
    [5, { created_at: '2026-01-31T10:00:01.000Z', co2: 1, voc: 2 }],
  ]);
});

test.each([
  [
    'Time,CO2 (ppm),Temp\n',
    /^the file's columns are not known: "Time", "CO2 \(ppm\)", "Temp"\.\n.*--columns 'created_at=Time,co2="CO2 \(ppm\)",voc=VOC'/s,
  ],
  ['\n\n', /has no header line/],
  ['\u{feff}#only\n', /has no header line/],
])('refuses the header %j', (text, message) => {
  expect(() => inspectFile(fileWith(text), {})).toThrow(message);
});

test('refuses UTF-16', () => {
  const file = join(temporaryFolder(), 'file.csv');
  writeFileSync(file, Buffer.from('\u{feff}time,co2\n', 'utf16le'));
  expect(() => inspectFile(file, {})).toThrow(/not UTF-8/);
});

test('refuses a column that the file does not have', () => {
  expect(() => inspectFile(fixture('influx-1'), { created_at: 'time', co2: 'CO' })).toThrow(
    'the file has no column "CO". It has: "name", "time", "co2", "voc"',
  );
});

test('refuses rows of one metric that go back in time, as two sensors in one file do', async () => {
  const file = fileWith('entity_id,state,last_changed\na,1,2026-01-31T10:00:00Z\na,1,2026-01-31T09:00:00Z\n');
  await expect(read(file, { columns: { co2: 'a' } })).rejects.toThrow(/line 3: a goes back in time/);
});

test.each([
  ['created_at=Time', { created_at: 'Time' }],
  [
    'created_at=Time,co2="CO2, ppm",sensor=My room',
    { created_at: 'Time', co2: 'CO2, ppm', sensor: 'My room' },
  ],
  ['voc=', { voc: '' }],
])('parses --columns %s', (text, columns) => {
  expect(parseColumns(text)).toEqual(columns);
});

test.each(['Time', 'time=Time', 'co2="CO2'])('refuses --columns %s', (text) => {
  expect(() => parseColumns(text)).toThrow(/--columns must be like/);
});

test('reads a file that is larger than what is read at once, with line breaks in quotes anywhere', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    sensor: i % 3 === 0 ? `a "${i}"\nb` : `s${i}`,
    created_at: new Date(Date.UTC(2026, 0, 31) + i * 1000).toISOString(),
  }));
  const lines = rows.map(
    ({ sensor, created_at }) => `${created_at},"${sensor.replaceAll('"', '""')}",400,\r\n`,
  );
  const items = (await read(fileWith(`created_at,sensor,co2,voc\r\n${lines.join('')}`))) as [
    number,
    unknown,
  ][];
  expect(items.map(([, reading]) => reading)).toEqual(rows.map((row) => ({ ...row, co2: 400, voc: null })));
  expect(items.at(-1)?.[0]).toBe(1 + rows.length + Math.ceil(rows.length / 3));
});

test('refuses a quote that is never closed, before it has read the file', async () => {
  const file = fileWith(
    `time,co2\n2026-01-31T00:00:00Z,"400\n${'2026-01-31T00:00:00Z,400\n'.repeat(100_000)}`,
  );
  await expect(read(file)).rejects.toThrow(/quote is opened and never closed/);
});
