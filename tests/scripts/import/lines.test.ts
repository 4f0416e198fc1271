import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLines, lineReadings } from '../../../scripts/import/lines.js';
import { temporaryFolder } from '../../support/server/server';

type Options = Partial<Parameters<typeof lineReadings>[1]>;

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'export.lp');
  writeFileSync(file, text);
  return file;
}

/** Reads a file as the import does: the readings to send, and the problems of other lines. */
async function read(text: string, options: Options = {}) {
  const given = { sensor: undefined, columns: {}, units: {}, where: [], ...options };
  const { items, taken, untaken } = await lineReadings(fileWith(text), given);
  const readings: unknown[] = [];
  for await (const { line, reading, problem } of items) readings.push([line, reading ?? problem]);
  return { readings, said: [taken, ...untaken] };
}

const NOON = 1_772_366_400;
const at = (seconds: number) => `${NOON + seconds}000000000`;
const time = (seconds: number) => new Date((NOON + seconds) * 1000).toISOString();

/** An export of InfluxDB 1, `influx_inspect export`, of a database to which Home Assistant writes: field by field. */
const EXPORT = `# INFLUXDB EXPORT: 1677-09-21T00:12:43Z - 2262-04-11T23:47:16Z
# DDL
CREATE DATABASE home WITH NAME autogen
# DML
# CONTEXT-DATABASE:home
# CONTEXT-RETENTION-POLICY:autogen

ppm,domain=sensor,entity_id=living_room_co2 value=612 ${at(0)}
ppm,domain=sensor,entity_id=living_room_co2 friendly_name_str="Living room" ${at(0)}
ppm,domain=sensor,entity_id=living_room_co2 value=620 ${at(60)}
°F,domain=sensor,entity_id=living_room_temperature value=70 ${at(60)}
°F,domain=sensor,entity_id=living_room_temperature value=68 ${at(0)}
W,domain=sensor,entity_id=power value=40 ${at(0)}
`;

test('joins the values of a time, wherever they are in the file, and converts their units', async () => {
  expect(await read(EXPORT)).toEqual({
    readings: [
      [8, { co2: 612, voc: null, temperature: 20, created_at: time(0), sensor: 'living_room' }],
      [10, { co2: 620, voc: null, temperature: 21.111111, created_at: time(60), sensor: 'living_room' }],
    ],
    said: [
      'line protocol: "living_room_co2" as co2, "living_room_temperature" as temperature.',
      'Not imported: "power".',
    ],
  });
});

test('finds the unit that Home Assistant writes as text in other lines', async () => {
  const series = (name: string) => `sensor__temperature,domain=sensor,entity_id=${name}_temperature`;
  const text = `${series('attic')} value=68 ${at(0)}
${series('attic')} unit_of_measurement_str="°F" ${at(0)}
${series('hall')} unit_of_measurement_str="°C" ${at(0)}
${series('hall')} value=45 ${at(0)}
${series('cellar')} unit_of_measurement_str="°C" ${at(0)}
${series('cellar')} unit_of_measurement_str="°F" ${at(60)}
${series('cellar')} value=50 ${at(60)}
`;
  expect((await read(text)).readings).toEqual([
    [7, '"cellar_temperature" is in °C or °F, which can\'t be converted to °C'],
    [1, { co2: null, voc: null, temperature: 20, created_at: time(0), sensor: 'attic' }],
    [4, { co2: null, voc: null, temperature: 45, created_at: time(0), sensor: 'hall' }],
  ]);
});

test('reads text with line breaks, and numbers lines after it', async () => {
  const text = `air,host=a note="one\ntwo",co2=1 ${at(0)}\nair,host=a co2=2 ${at(1)}\n`;
  expect((await read(text)).readings).toMatchObject([
    [1, { co2: 1 }],
    [3, { co2: 2 }],
  ]);
});

test('names the second field of a metric', async () => {
  const text = `air,host=a scd41_temperature=25,bme280_temperature=20 ${at(0)}\n`;
  expect(await read(text)).toMatchObject({
    readings: [[1, { temperature: 25 }]],
    said: [
      'line protocol: "scd41_temperature" as temperature.',
      'Not imported: "bme280_temperature (another temperature)".',
    ],
  });
});

test("of two fields of a metric in an export, the one with the metric's own name comes first", async () => {
  const text = `air,host=a bme280_temperature=22 ${at(0)}\nair,host=a temperature=21 ${at(0)}\nair,host=a bme280_temperature=23 ${at(60)}\n`;
  expect((await read(text)).readings).toMatchObject(
    [21, 22, 23].map((temperature) => [expect.anything(), { temperature }]),
  );
});

test('recognizes files of line protocol, and no tables or JSON', () => {
  expect(isLines(fileWith(EXPORT))).toBe(true);
  expect(isLines(fileWith(`air,host=a co2=612i\n`))).toBe(true);
  for (const text of ['time,co2\n2026-01-31T10:00:00Z,612\n', '{"co2": 612}\n', 'a b=c\n', '# only\n']) {
    expect([text, isLines(fileWith(text))]).toEqual([text, false]);
  }
});

test('takes the unit of times from their digits, and names lines that are no readings', async () => {
  const text = `air,host=a co2=1 ${NOON}\nair,host=a co2=2 ${NOON + 1}000\nair,host=a co2=3\nno line\nair,host=a co2=4 5\n`;
  expect((await read(text)).readings).toEqual([
    [3, 'has no time'],
    [4, 'is not line protocol, such as air,sensor=kitchen co2=612 1772359500000000000'],
    [5, expect.stringContaining('"5" is before 2000 as Unix time')],
    [1, { co2: 1, voc: null, created_at: time(0), sensor: 'a' }],
    [2, { co2: 2, voc: null, created_at: time(1), sensor: 'a' }],
  ]);
});

test('two values of a metric at a time are two readings, and equal ones are one', async () => {
  const text = [1, 2, 2].map((co2) => `air,host=a co2=${co2},pm25=7 ${at(0)}`).join('\n');
  expect((await read(text)).readings).toEqual([
    [1, { co2: 1, voc: null, pm25: 7, created_at: time(0), sensor: 'a' }],
    [1, { co2: 2, voc: null, pm25: 7, created_at: time(0), sensor: 'a' }],
  ]);
});

test('--columns, --units, --where and --sensor say what lines mean', async () => {
  const text = `air,room=Attic,floor=2 gas=612,temperature=70 ${at(0)}\nair,room=Hall,floor=1 gas=700 ${at(0)}\n`;
  const columns = { co2: 'gas', sensor: 'room' };
  const units = { temperature: '°F' };
  const where = [{ column: 'floor', value: '2' }];
  expect((await read(text, { columns, units, where })).readings).toEqual([
    [1, { co2: 612, voc: null, temperature: 21.111111, created_at: time(0), sensor: 'Attic' }],
  ]);
  const given = (await read(text, { columns, units, sensor: 'All' })).readings;
  expect(given).toMatchObject([
    [1, { sensor: 'All' }],
    [1, { sensor: 'All', co2: 700 }],
  ]);
  await expect(read(text, { where: [{ column: 'room2', value: 'x' }] })).rejects.toThrow(
    'no line has a tag "room2" for --where',
  );
});

test('refuses a file with a value without a unit, and one without a metric', async () => {
  await expect(read(`air,host=a temperature=71 ${at(0)}`)).rejects.toThrow(
    'line 1: "temperature" is 71 without a unit, which may be °F. Add --units temperature=°F, or --units temperature=°C',
  );
  await expect(read(`air,host=a gas=71,wifi=-4 ${at(0)}`)).rejects.toThrow(
    'no line has a metric. Name one, such as --columns co2=NAME. The fields are "gas", "wifi"',
  );
});
