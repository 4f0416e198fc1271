import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseColumns, parseUnits } from '../../../scripts/import/arguments.js';
import { inspectFile } from '../../../scripts/import/csv.js';
import { faultCounter } from '../../../scripts/import/faults.js';
import { isJson, jsonReadings } from '../../../scripts/import/json.js';
import { assertOneSeries, joinMetrics, readReadings } from '../../../scripts/import/readings.js';
import { withSurvey } from '../../../scripts/import/survey.js';
import { temporaryFolder } from '../../support/server/server';

interface Options {
  columns?: Record<string, string>;
  units?: ReturnType<typeof parseUnits>;
  sensor?: string;
  timeZone?: string;
  dateOrder?: 'mdy' | 'dmy' | 'ymd';
  decimal?: '.' | ',';
  where?: { column: string; value: string }[];
}

/** Reads a file as the import does: the readings to send, and the problems of other lines. */
async function read(
  file: string,
  { columns = {}, units = {}, sensor, timeZone, dateOrder, decimal, where = [] }: Options = {},
) {
  const { delimiter, newline, preamble, layout } = inspectFile(file, columns, units);
  const options = await withSurvey({
    file,
    delimiter,
    newline,
    preamble,
    layout,
    columns,
    units,
    sensor,
    times: { timeZone: layout.times.timeZone ? undefined : timeZone, dateOrder },
    decimal,
    where,
  });
  const { items } = readReadings(options);
  const read: unknown[] = [];
  for await (const { line, reading, problem, skipped } of items) {
    read.push([line, reading ?? problem ?? (skipped && 'skipped')]);
  }
  return read;
}

const fixture = (name: string) => `tests/scripts/import-files/${name}.csv`;

function fileWith(text: string | Buffer, name = 'file.csv'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

test('joins the entities in a history of Home Assistant', async () => {
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

test('rejects an entity that is not in the file, and lists those that are', async () => {
  await expect(read(fixture('home-assistant'), { columns: { co2: 'sensor.co2' } })).rejects.toThrow(
    'the file has no rows of "sensor.co2". It has: sensor.bedroom_co2, sensor.bedroom_temperature, sensor.bedroom_voc',
  );
});

test('reads an export of AirGradient, with the location as the sensor', async () => {
  const others = { nox_index: 1, pm1: 22.3, pm25: 33.8, pm10: 37.5, temperature: 29.6, humidity: 80 };
  const readings = [
    [
      2,
      {
        created_at: '2026-01-31T10:05:00.000Z',
        co2: 498,
        voc: 104,
        voc_index: 101,
        ...others,
        sensor: 'Küche',
      },
    ],
    [
      3,
      {
        created_at: '2026-01-31T10:00:00.000Z',
        co2: 491,
        voc: null,
        voc_index: 100,
        ...others,
        sensor: 'Küche',
      },
    ],
    [
      4,
      {
        created_at: '2026-01-31T10:00:00.000Z',
        co2: null,
        voc: null,
        ...others,
        sensor: 'Flur',
      },
    ],
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

test('reads a spreadsheet table with named columns, a zone, semicolons and decimal commas', async () => {
  const columns = parseColumns('created_at=Zeit,co2="CO2 (ppm)",voc=VOC,sensor=Raum');
  expect(await read(fixture('spreadsheet'), { columns, timeZone: 'Europe/Berlin' })).toEqual([
    [2, { created_at: '2026-01-31T10:00:00.000Z', co2: 612.5, voc: 88, sensor: 'Küche; klein' }],
    [3, { created_at: '2026-01-31T10:01:00.000Z', co2: 'abc', voc: 91, sensor: 'Bad' }],
    [5, 'the time "31.01.2026 99:01" does not exist'],
    [6, 'skipped'],
  ]);
});

test('reads an export of airboard, with guarded names, and counts lines within quotes', async () => {
  const file = fileWith(
    "created_at,sensor,co2,voc,id\r\n2026-01-31T10:00:00.123456Z,'=1+1,1e+21,,1\r\n" +
      '2026-01-31T10:00:00.000Z,"a\r\nb",1.024,2,2\r\n2026-01-31T10:00:01.000Z,,1,2,3\r\n',
  );
  expect(inspectFile(file, {}).layout).toMatchObject({ unused: [] });
  expect(await read(file)).toEqual([
    [2, { created_at: '2026-01-31T10:00:00.123456Z', co2: 1e21, voc: null, sensor: '=1+1' }],
    [3, { created_at: '2026-01-31T10:00:00.000Z', co2: 1.024, voc: 2, sensor: 'a\r\nb' }],
    [5, { created_at: '2026-01-31T10:00:01.000Z', co2: 1, voc: 2 }],
  ]);
});

test.each([
  [
    'Zeitpunkt,CO2 (ppm),Temp\n',
    /^the file's columns are not known: "Zeitpunkt", "CO2 \(ppm\)", "Temp"\.\n.*--columns 'created_at=Zeitpunkt,co2="CO2 \(ppm\)",temperature=Temp'/s,
  ],
  [
    'Zeit,kitchen co2,bath co2,Feinstaub\n',
    /kitchen co2" and "bath co2" may both be co2.*--columns 'created_at=Zeit,co2="kitchen co2"' /s,
  ],
  [
    'Datum,Raum,Messwert\n',
    /--columns 'created_at=Datum,METRIC=Messwert' .*\n\nMETRIC is one of co2, voc, voc_index, .*, light$/s,
  ],
  ['\n\n', /has no header line/],
  ['\u{feff}#only\n', /columns are not known: "only"/],
])('refuses the header %j', (text, message) => {
  expect(() => inspectFile(fileWith(text), {})).toThrow(message);
});

test('refuses a column that is not in the file', () => {
  expect(() => inspectFile(fixture('influx-1'), { created_at: 'time', co2: 'CO' })).toThrow(
    'the file has no column "CO". It has: "name", "time", "co2", "voc"',
  );
});

test('refuses rows of one metric that go back in time, as two sensors in one file do', async () => {
  const file = fileWith('entity_id,state,last_changed\na,1,2026-01-31T10:00:00Z\na,1,2026-01-31T09:00:00Z\n');
  await expect(read(file, { columns: { co2: 'a' } })).rejects.toThrow(/line 3: a goes back in time/);
});

const INFLUX = `,_time,_value,_field,_measurement,entity_id
,2026-01-31T10:00:00Z,812,value,ppm,bedroom_co2
,2026-01-31T10:01:00Z,21.5,value,°C,bedroom_temperature
`;

test('refuses rows of several InfluxDB series, and names their differences', async () => {
  const options = { ...inspectFile(fileWith(INFLUX), {}), file: fileWith(INFLUX), columns: { co2: 'value' } };
  const given = { ...options, sensor: undefined, times: {} };
  await expect(assertOneSeries({ ...given, where: [] })).rejects.toThrow(
    'the rows of "value" belong to several series: _measurement is ppm, °C; entity_id is bedroom_co2, bedroom_temperature. ' +
      "Choose one, such as with --where '_measurement=ppm'",
  );
  const where = [{ column: 'entity_id', value: 'bedroom_co2' }];
  expect(await assertOneSeries({ ...given, where })).toBe(1);
  expect(await read(given.file, { columns: { co2: 'value' }, where })).toEqual([
    [2, { created_at: '2026-01-31T10:00:00.000Z', co2: 812, voc: null }],
  ]);
});

test('--where selects rows of a table, and an unknown column lists the known ones', async () => {
  const file = fileWith(`time,co2,Room\n${timeAt(0)},400,Attic\n${timeAt(1)},500,Cellar\n`);
  expect(await read(file, { where: [{ column: 'room', value: 'Cellar' }] })).toHaveLength(1);
  await expect(read(file, { where: [{ column: 'place', value: 'Cellar' }] })).rejects.toThrow(
    'the file has no column "place" for --where. It has: "time", "co2", "Room"',
  );
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

test('reads a file in several parts, with line breaks in quotes anywhere', async () => {
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
  await expect(read(file)).rejects.toThrow('line 2: a quote is opened and never closed');
});

const misquoted = (lost: string) =>
  `has a quote that is not closed, or text after one${lost}: write a quote inside of quotes twice`;
const timeAt = (line: number) => new Date(Date.UTC(2026, 0, 31) + line * 1000).toISOString();
/** A file of 1,000 lines with notes that aren't imported. Most are unquoted. */
const notedFile = (notes: Record<number, string>, end = '\n') => {
  const lines = Array.from({ length: 999 }, (_, i) => `${timeAt(i + 2)},400,${notes[i + 2] ?? ''}`);
  return fileWith(['time,co2,note', ...lines].join(end) + end);
};

test.each([
  ['text after a quote', { 11: '"x"y', 600: '"z"' }, 600],
  ['a quote that is not closed', { 11: '"x', 600: '"z"' }, 600],
  ['a quote without a closing one', { 11: '"x' }, 1000],
  ['text after the last quote', { 11: '"x"y' }, 1000],
])('names the lines that are lost to %s in an ignored cell, and reads the others', async (_, notes, last) => {
  for (const end of ['\n', '\r\n']) {
    const items = (await read(notedFile(notes, end))) as [number, unknown][];
    const reading = (line: number) => [line, { created_at: timeAt(line), co2: 400, voc: null }];
    expect(items).toEqual([
      ...Array.from({ length: 9 }, (_, i) => reading(i + 2)),
      [11, misquoted(`, so lines 11 to ${last} were not read`)],
      ...Array.from({ length: 1000 - last }, (_, i) => reading(last + 1 + i)),
    ]);
  }
});

test('accepts quotes followed by spaces, and line breaks of CR only', async () => {
  const reading = [2, { created_at: timeAt(0), co2: 400, voc: null }];
  for (const end of ['\n', ' \r\n', '  \r']) {
    const file = fileWith(`time,co2${end}${timeAt(0)},"400"${end}${timeAt(1)},"401"${end}`);
    expect(await read(file)).toEqual([reading, [3, { created_at: timeAt(1), co2: 401, voc: null }]]);
  }
});

test('reads a file with CR line breaks and a few line feeds', async () => {
  const lines = [0, 1, 2].map((i) => `${timeAt(i)},${400 + i}`);
  const readings = [0, 1, 2].map((i) => [i + 2, { created_at: timeAt(i), co2: 400 + i, voc: null }]);
  expect(await read(fileWith(`time,co2\r${lines.join('\r')}\n`))).toEqual(readings);
  expect(await read(fileWith(`time,co2\r${lines.join('\r\n')}\r`))).toEqual(readings);
});

test('refuses a header that hides lines', async () => {
  const file = fileWith(`time,co2,"note\n${timeAt(0)},400,\n${timeAt(1)},400,"x"\n`);
  await expect(read(file)).rejects.toThrow(
    `line 1: the header ${misquoted(', so lines 1 to 3 were not read')}`,
  );
});

const ragged = (cells: number) =>
  `has ${cells} cells, and the header has 3: put text with separators in quotes`;

test('refuses rows with more or fewer cells than the header, except empty ones at the end', async () => {
  const rows = [',21,5,601', ',21', ',21,601,,', ',21,601, '].map((row, i) => timeAt(i) + row);
  expect(await read(fileWith(`time,floor,co2\n${rows.join('\n')}`))).toEqual([
    [2, ragged(4)],
    [3, ragged(2)],
    [4, { created_at: timeAt(2), co2: 601, voc: null }],
    [5, { created_at: timeAt(3), co2: 601, voc: null }],
  ]);
  expect(await read(fileWith(`time,co2,\n${timeAt(0)},400\n${timeAt(1)},400,x`))).toHaveLength(2);
  expect(await read(fileWith(`time,co2,\n${timeAt(0)}\n`))).toEqual([[2, ragged(1)]]);
});

test('refuses rows with more or fewer cells once each, in a file with one metric per row', async () => {
  const lines = [`"a"b,1,${timeAt(0)}`, `"c",1,${timeAt(0)}`];
  const rows = [
    `a,4,5,${timeAt(0)}`,
    `x,b,1,${timeAt(0)}`,
    `c,4,5,${timeAt(0)}`,
    `a,400,${timeAt(1)}`,
    `b,1,${timeAt(1)}`,
  ];
  const file = fileWith(`entity_id,state,last_changed\n${[...rows, ...lines].join('\n')}`);
  for (const columns of [{ co2: 'a', voc: 'b' }, { voc: 'a' }] as Record<string, string>[]) {
    const items = await read(file, { columns });
    const found = (items as [number, unknown][]).filter(([, item]) => typeof item === 'string');
    expect(found.sort(([a], [b]) => a - b)).toEqual([
      [2, ragged(4)],
      ...('co2' in columns ? [[3, ragged(4)]] : []),
      [7, misquoted(', so lines 7 to 8 were not read')],
    ]);
  }
});

/** Returns the metrics recognized in a file with these columns and values. */
async function takenOf(header: string, row: string, options: Options = {}) {
  const file = fileWith(`time,${header}\n${timeAt(0)},${row}\n`);
  const { layout } = inspectFile(file, options.columns ?? {}, options.units);
  const [[, reading]] = (await read(file, options)) as [[number, object]];
  const { created_at: _, ...values } = reading as { created_at: string };
  if (layout.kind !== 'wide') throw new Error('a row is one metric');
  const taken = layout.taken.slice(1).map((words) => words.replace(/^".*" as \w+(, )?/, ''));
  return { values, taken: taken.filter(Boolean), faults: layout.faults, unused: layout.unused };
}

test.each([
  ['temp (°F)', '68', { temperature: 20 }, 'converted to °C'],
  ['Temperature [F]', '-40', { temperature: -40 }, 'converted to °C'],
  ['attic_temp_f', '70.7', { temperature: 21.5 }, 'converted to °C'],
  ['Temperature ℃', '21.25', { temperature: 21.25 }, undefined],
  ['temperature_k', '300', { temperature: 26.85 }, 'converted to °C'],
  ['CO2 (ppb)', '415500', { co2: 415.5 }, 'converted to PPM'],
  ['CO₂ in der Küche,co2', '1,415', { co2: 415 }, undefined],
  ['TVOC_ppm', '0.12', { voc: 120 }, 'converted to PPB'],
  ['PM2.5 (µg/m³)', '3.5', { pm25: 3.5 }, undefined],
  ['pm2.5 [ug/m3]', '3.5', { pm25: 3.5 }, undefined],
  ['PM10 (mg/m³)', '0.01', { pm10: 10 }, 'converted to µg/m³'],
  ['Pressure (Pa)', '101325', { pressure: 1013.25 }, 'converted to hPa'],
  ['pressure_mbar', '1013', { pressure: 1013 }, undefined],
  ['Barometer (inHg)', '29.92', { pressure: 1013.20746912 }, 'converted to hPa'],
  ['RH (%)', '40', { humidity: 40 }, undefined],
  ['Humidity %', '40', { humidity: 40 }, undefined],
  ['VOC index', '101', { voc_index: 101 }, undefined],
])('recognizes the column %s', async (header, row, values, words) => {
  const found = await takenOf(header, row);
  expect(found).toMatchObject({
    values: { co2: null, voc: null, ...values },
    taken: words ? [words] : [],
    faults: [],
  });
});

test('uses the best of several columns, names the others, and refuses units that it cannot convert', async () => {
  expect(await takenOf('co2,CO2 raw,Comfort,temperature,outdoor temperature', '400,390,1,21,3')).toEqual({
    values: { co2: 400, voc: null, temperature: 21 },
    taken: [],
    faults: [],
    unused: ['"CO2 raw"', '"Comfort"', '"outdoor temperature"'],
  });
  expect(await takenOf('co2,Attic temp,Cellar temp,VOC (mg/m³)', '400,1,2,3')).toMatchObject({
    values: { co2: 400, voc: null },
    faults: [
      `"VOC (mg/m³)" is in mg/m³, which can't be converted to PPB, because the factor depends on the temperature and the gas`,
      '"Attic temp" and "Cellar temp" may both be temperature: say which with --columns',
    ],
  });
  await expect(takenOf('VOC (mg/m³)', '3')).rejects.toThrow(
    `"VOC (mg/m³)" is in mg/m³, which can't be converted`,
  );
});

test('explicit columns and units take precedence over the names', async () => {
  const columns = parseColumns('pm25="Fine dust",temperature=T');
  const units = parseUnits('temperature=°F,pressure=kPa');
  expect(
    await takenOf('Fine dust,T,temperature,pressure', '7,50,99,101.3', { columns, units }),
  ).toMatchObject({
    values: { pm25: 7, temperature: 10, pressure: 1013 },
    taken: ['converted from °F to °C', 'converted from kPa to hPa'],
  });
  expect(() => parseUnits('temperature=ppm')).toThrow(`--units: "ppm" can't be converted to °C.`);
  expect(() => parseUnits('heat=°F')).toThrow(
    /--units must be like temperature=°F.*, not "heat=°F"\. The names are co2, .*temperature/,
  );
  expect(() => parseColumns('pm2.5=Dust')).toThrow(
    /--columns must be like created_at=Time.*, not "pm2\.5=Dust"\. The names are created_at, .*pm25, .*sensor\./,
  );
});

test('joins any metrics of a file with one metric per row, and converts them', async () => {
  const rows = [
    ...['co2,400', 'co2,410'].map((row, i) => `${row},${timeAt(60 * i)}`),
    ...['t,68', 't,50'].map((row, i) => `${row},${timeAt(60 * i + 2)}`),
    ...['pm,3'].map((row) => `${row},${timeAt(4)}`),
  ];
  const file = fileWith(`entity_id,state,last_changed\n${rows.join('\n')}\n`);
  const columns = { co2: 'co2', temperature: 't', pm25: 'pm' };
  expect(await read(file, { columns, units: { temperature: '°F' } })).toEqual([
    [2, { created_at: timeAt(0), co2: 400, voc: null, pm25: 3, temperature: 20 }],
    [3, { created_at: timeAt(60), co2: 410, voc: null, pm25: 3, temperature: 10 }],
  ]);
});

type Row = [seconds: number, value: string | null];

async function* events(rows: Row[], firstLine: number) {
  for (const [i, [seconds, value]] of rows.entries())
    yield { line: firstLine + i, time: seconds * 1e6, value };
}

/** Joins rows of CO2, from line 2 on, with rows of VOC, from line 102 on. */
async function joined(co2: Row[], voc: Row[]) {
  const readings: unknown[] = [];
  const sources = [
    { field: 'co2' as const, events: events(co2, 2) },
    { field: 'voc' as const, events: events(voc, 102) },
  ];
  const all = joinMetrics(sources, (time, values) => [
    time / 1e6,
    values.get('co2') ?? null,
    values.get('voc') ?? null,
  ]);
  for await (const { reading } of all) if (reading) readings.push(reading);
  return readings;
}

test('joins values at most 5 s apart into one reading, at the time of the first', async () => {
  const rows = await joined(
    [
      [0, '400'],
      [60, '401'],
      [125, '402'],
    ],
    [
      [0, '10'],
      [65, '11'],
      [120, '12'],
    ],
  );
  expect(rows).toEqual([
    [0, '400', '10'],
    [60, '401', '11'],
    [120, '402', '12'],
  ]);
});

test('joins a value that changes alone with the last value of the other metric', async () => {
  const rows = await joined(
    [
      [0, '400'],
      [60, '401'],
      [120, '402'],
    ],
    [
      [1, '10'],
      [90, '11'],
    ],
  );
  expect(rows).toEqual([
    [0, '400', '10'],
    [60, '401', '10'],
    [90, '401', '11'],
    [120, '402', '11'],
  ]);
});

test('the last value lasts for an hour, and ends when the metric is unavailable', async () => {
  const rows = await joined(
    [
      [0, '400'],
      [3600, '401'],
      [3700, '402'],
      [3800, '403'],
      [3900, null],
      [4000, '404'],
    ],
    [
      [0, '10'],
      [3750, '11'],
      [3790, null],
      [3950, '12'],
    ],
  );
  expect(rows).toEqual([
    [0, '400', '10'],
    [3600, '401', '10'],
    [3700, '402', null],
    [3750, '402', '11'],
    [3800, '403', null],
    [3950, null, '12'],
    [4000, '404', '12'],
  ]);
});

test('without the other metric, every row is a reading', async () => {
  expect(
    await joined(
      [
        [0, '400'],
        [1, '401'],
      ],
      [],
    ),
  ).toEqual([
    [0, '400', null],
    [1, '401', null],
  ]);
});

const NOON = '2026-11-01T12:00:00.000Z';

/** The first lines of files as programs and people write them, and the reading that they contain. */
test.each<[name: string, text: string, reading: object]>([
  ['a semicolon and two columns', 'time;co2\n2026-11-01 12:00:00;612\n', { co2: 612 }],
  ['tabs and two columns', 'time\tco2\n2026-11-01 12:00:00\t612\n', { co2: 612 }],
  [
    'a blank line and a comment',
    'time;co2\n\n# moved to the bedroom\n2026-11-01 12:00:00;612\n',
    { co2: 612 },
  ],
  ['the delimiter for Excel', 'sep=;\nTime;CO2 [ppm]\n2026-11-01 12:00;612\n', { co2: 612 }],
  [
    'the date and the time of day apart, with decimal commas',
    'Datum;Zeit;CO2 [ppm];Temperatur [°C]\n01.11.2026;12:00;612;21,5\n',
    { co2: 612, temperature: 21.5 },
  ],
  ['the same in English', 'Date,Time,CO2\n2026-11-01,12:00:00,612\n', { co2: 612 }],
  ['a header with a hash', '#time,co2\n2026-11-01 12:00:00,612\n', { co2: 612 }],
  [
    'values with units',
    'time;co2;temperature\n2026-11-01 12:00:00;612 ppm;70,7 °F\n',
    { co2: 612, temperature: expect.closeTo(21.5, 6) },
  ],
  [
    'the titles of a HOBO logger',
    '"Plot Title: Bedroom"\n"#","Date Time, GMT+01:00","Temp, °C","RH, %"\n1,2026-11-01 01:00:00 PM,21.5,44\n',
    { temperature: 21.5, humidity: 44 },
  ],
  [
    'the titles of Netatmo',
    'Name;Long;Lat;ModuleName;ModuleType\nHome;13.4;52.5;Indoor;Indoor\nTimestamp;"Timezone : UTC";Temperature;Humidity;CO2\n1793534400;"2026/11/01 12:00:00";21.5;44;612\n',
    { co2: 612, temperature: 21.5, humidity: 44 },
  ],
  [
    'the app of Aranet',
    'Time(dd/mm/yyyy),Carbon dioxide(ppm),Temperature(°C),Relative humidity(%),Atmospheric pressure(hPa)\n01/11/2026 12:00:00,612,21.5,44,1013.2\n',
    { co2: 612, temperature: 21.5, humidity: 44, pressure: 1013.2 },
  ],
])('reads a file with %s', async (_, text, reading) => {
  const items = await read(fileWith(text), { timeZone: 'UTC' });
  expect(items.at(-1)).toEqual([expect.any(Number), { voc: null, co2: null, created_at: NOON, ...reading }]);
});

test('reads a download of PurpleAir: a sensor per index, no VOC of its own scale, and °F only by the user', async () => {
  const file = fileWith(
    'time_stamp,sensor_index,temperature,voc,pm2.5_alt\n1793534400,131,77,120,3.5\n1793534400,132,78,121,3.6\n',
  );
  await expect(read(file)).rejects.toThrow(
    'line 2: "temperature" is 77 without a unit, which may be °F. Add --units temperature=°F, or --units temperature=°C',
  );
  const values = { voc: null, co2: null, created_at: NOON };
  expect(await read(file, { units: parseUnits('temperature=°F') })).toEqual([
    [2, { ...values, temperature: 25, pm25: 3.5, sensor: '131' }],
    [3, { ...values, temperature: expect.closeTo(25.56, 2), pm25: 3.6, sensor: '132' }],
  ]);
});

test('asks for the unit of a pressure in Pa, and stores the rows of a sensor named #1', async () => {
  const pascal = fileWith('time,pressure\n2026-11-01T12:00:00Z,98765\n');
  await expect(read(pascal)).rejects.toThrow('Add --units pressure=Pa');
  const named = fileWith('sensor,time,co2\n#1,2026-11-01T12:00:00Z,612\n');
  expect(await read(named)).toEqual([[2, { co2: 612, voc: null, created_at: NOON, sensor: '#1' }]]);
});

test('refuses a date without a time of day, and says how to name both columns', async () => {
  const file = fileWith('day,co2\n2026-11-01,612\n');
  expect(await read(file, { columns: { created_at: 'day' }, timeZone: 'UTC' })).toEqual([
    [2, expect.stringContaining("name both: --columns 'created_at=Date+Time'")],
  ]);
  const two = fileWith('day,clock,co2\n2026-11-01,12:00,612\n');
  const named = { columns: { created_at: 'day+clock' }, timeZone: 'UTC' };
  expect(await read(two, named)).toEqual([[2, { voc: null, co2: 612, created_at: NOON }]]);
});

test("reads airboard's exports in JSON and NDJSON", async () => {
  const reading = { id: 7, co2: 612, voc: null, pm25: 3.5, created_at: NOON, sensor: 'Bedroom' };
  const line = JSON.stringify(reading);
  for (const text of [
    `${line}\n${line}\n`,
    `[${line},${line}]`,
    `[\n${line},\n${line}\n]\n`,
    `[${line},\n${line}]\n`,
  ]) {
    const file = fileWith(text);
    expect(isJson(file)).toBe(true);
    const found: unknown[] = [];
    for await (const item of jsonReadings(file, undefined).items) found.push(item.reading);
    const { id: _, ...kept } = reading;
    expect(found, text).toEqual([kept, kept]);
  }
  expect(isJson(fixture('airgradient'))).toBe(false);
  const problems: unknown[] = [];
  const damaged = fileWith(`${line}\n{"co2": 61\n{"co2": 612}\n${line}\n`);
  for await (const item of jsonReadings(damaged, undefined).items) problems.push(item.problem);
  expect(problems).toEqual([undefined, 'is not a reading as JSON', 'created_at is missing', undefined]);
});

test('a message names at most two lines of columns, and its command takes no PM1 for PM10', () => {
  const file = fileWith(`${Array.from({ length: 400 }, (_, i) => `column ${i}`).join()}\n1\n`);
  expect(() => inspectFile(file, {})).toThrow(/^.{1,250}\n/);
  const purple = fileWith('when,pm1.0_cf_1,pm2.5_alt\n1,2,3\n');
  expect(() => inspectFile(purple, {})).toThrow(/^(?!.*pm10=pm1\.0)/s);
});

test('refuses NO2 and radon without a unit, and takes them in the one of --units', async () => {
  const file = fileWith('created_at,no2,radon,co\n2026-11-01T12:00:00Z,0.02,90,1.5\n');
  const units = { no2: 'ppm', radon: 'Bq/m³' };
  await expect(read(file, {})).rejects.toThrow(
    'line 2: "no2" is 0.02 without a unit, which may be ppm. Add --units no2=ppm, or --units no2=PPB',
  );
  expect(await read(file, { units })).toMatchObject([[2, { no2: 20, radon: 90, co: 1.5 }]]);
});

/** The values of CO2 in a file with these numbers, the problem of a line, or the error for the file. */
async function co2Of(numbers: string[], others = '', options: Options = {}) {
  const rows = numbers.map((number, i) => `${timeAt(i)};${number};${others}`);
  try {
    const items = (await read(fileWith(`time;co2;temperature\n${rows.join('\n')}\n`), options)) as [
      number,
      { co2: number } | string,
    ][];
    return items.map(([, item]) => (typeof item === 'string' ? item : item.co2));
  } catch (error) {
    return (error as Error).message;
  }
}

const SIGN = 'Add --decimal=, if the comma comes before the decimals, or --decimal=. if the point does';

test('takes the decimal sign from all numbers of a file, and refuses what they leave open', async () => {
  expect(await co2Of(['612', '1.024', '1.124,5'], '21,5')).toEqual([612, 1024, 1124.5]);
  expect(await co2Of(['1,024', '1,024.5', "1'024.5", '1024.'], '21.5')).toEqual([1024, 1024.5, 1024.5, 1024]);
  expect(await co2Of(['1.2.3', '612.5'])).toEqual([
    expect.stringContaining('"1.2.3" is not a number'),
    612.5,
  ]);
  expect(await co2Of(['1 024,5', '1\u202f024', '612,5 ppm'])).toEqual([1024.5, 1024, 612.5]);
  // No sensor reports 1.024 PPM, and none 612,125 PPM.
  expect(await co2Of(['612', '1.024'])).toEqual([612, 1024]);
  expect(await co2Of(['612.125'])).toEqual([612.125]);
  const thousand =
    '"co2" is "1,024", which may be 1024 rather than 1.024: add --decimal=, for 1.024, or --decimal=. for 1024';
  expect(await co2Of(['1.024', '1,024'], '21,5')).toEqual([1024, thousand]);
  expect(await co2Of(['1,024'], '21,5', { decimal: ',' })).toEqual([1.024]);
  expect(await co2Of(['612.5'], '21,5')).toBe(
    `the numbers "612.5" and "21,5" have different decimal signs. ${SIGN}`,
  );
  const point = '"21,5" is not a number with a decimal point (--decimal=, for the other)';
  expect(await co2Of(['612.5'], '21,5', { decimal: '.' })).toEqual([point]);
  const dust = fileWith('time;pm25\n2026-11-01T12:00:00Z;1.024\n');
  await expect(read(dust)).rejects.toThrow(
    `the number "1.024" can be read in two ways, and no other number of the file decides it. ${SIGN}`,
  );
  expect(await read(dust, { decimal: ',' })).toMatchObject([[2, { pm25: 1024 }]]);
  expect(await read(fileWith('time,co2,temperature\n2026-11-01T12:00:00Z,"1.024","21,5"\n'))).toMatchObject([
    [2, { co2: 1024, temperature: 21.5 }],
  ]);
});

test('takes the order of day and month from all dates of a file, and refuses what they leave open', async () => {
  const dates = async (texts: string[], options: Options = {}, header = 'time') => {
    const file = fileWith(`${header},co2\n${texts.map((text) => `${text},400`).join('\n')}\n`);
    const items = (await read(file, { timeZone: 'UTC', ...options })) as [number, { created_at: string }][];
    return items.map(([, { created_at }]) => created_at?.slice(0, 10));
  };
  expect(await dates(['01/11/2026 10:00', '13/11/2026 10:00'])).toEqual(['2026-11-01', '2026-11-13']);
  expect(await dates(['11/01/26 10:00', '11/13/26 10:00'])).toEqual(['2026-11-01', '2026-11-13']);
  expect(await dates(['01/11/2026 23:55', '02/11/2026 00:00'])).toEqual(['2026-11-01', '2026-11-02']);
  expect(await dates(['05/10/23 23:55', '06/10/23 00:00'])).toEqual(['2023-10-05', '2023-10-06']);
  await expect(dates(['04/04/2026 10:00', '01/11/2026 10:00'])).rejects.toThrow(
    /"01\/11\/2026 10:00" can be read in two ways/,
  );
  expect(await dates(['01/11/2026 10:00'], { dateOrder: 'mdy' })).toEqual(['2026-01-11']);
  await expect(dates(['13/11/2026 10:00', '11/14/2026 10:00'])).rejects.toThrow(
    /have different orders.*--date-order/,
  );
  const header = 'Time(mm/dd/yyyy)';
  expect(await dates(['01/11/2026 10:00'], {}, header)).toEqual(['2026-01-11']);
  expect(await dates(['25/11/2026 10:00'], {}, header)).toEqual(['2026-11-25']);
});

/** Exports whose first lines say their zone and units, and their readings. */
test.each<[name: string, text: string, readings: object[], options?: Options]>([
  [
    'HOBO',
    '"Plot Title: 1"\n"#","Date Time, GMT-07:00","Temp, °F (LGR S/N: 1, SEN S/N: 2, LBL: Attic)","RH, % (LGR S/N: 1, SEN S/N: 3)"\n1,10/24/23 01:15:00 PM,70.7,44.1\n',
    [{ created_at: '2023-10-24T20:15:00.000Z', temperature: 21.5, humidity: 44.1 }],
  ],
  [
    'Awair',
    'timestamp(America/Denver),score,temp(°F),humid,co2,pm25\n2023-10-24 13:15:00,88,70.7,44,612,3\n',
    [{ created_at: '2023-10-24T19:15:00.000Z', co2: 612, pm25: 3, temperature: 21.5, humidity: 44 }],
  ],
  [
    'Awair in UTC',
    'timestamp(UTC),score,temp,co2\n2023-10-24 13:15:00,88,21.5,612\n',
    [{ created_at: '2023-10-24T13:15:00.000Z', co2: 612, temperature: 21.5 }],
  ],
  [
    'AirVisual Pro',
    'Date;Time;Timestamp;PM2_5(ug/m3);AQI(US);PM1(ug/m3);Temperature(C);Temperature(F);Humidity(%RH);CO2(ppm);\n2026/11/01;13:00:00;1793534400;1.0;6;2;23.5;74.3;48;425;\n\0\0\0',
    [{ created_at: NOON, co2: 425, pm1: 2, pm25: 1, temperature: 23.5, humidity: 48 }],
  ],
  [
    'Airthings',
    'recorded;RADON_SHORT_TERM_AVG Bq/m3;TEMP °C;HUMIDITY %;PRESSURE hPa;CO2 ppm;VOC ppb\n2026-11-01T12:00:00;90;25.61;47.50;986.00;547.00;46.00\n',
    [{ created_at: NOON, co2: 547, voc: 46, radon: 90, temperature: 25.61, humidity: 47.5, pressure: 986 }],
    { timeZone: 'UTC' },
  ],
  [
    'Aranet Radon in pCi/L',
    'Time(dd/mm/yyyy),Radon concentration(pCi/L),Temperature(°F),Relative humidity(%),Atmospheric pressure(hPa)\n"01/11/2026 12:00:00 PM","2.5","68.0","48","1001.2"\n',
    [{ created_at: NOON, radon: 92.5, temperature: 20, humidity: 48, pressure: 1001.2 }],
    { timeZone: 'UTC' },
  ],
  [
    "Sensor.Community's archive of an SPS30",
    'sensor_id;sensor_type;location;lat;lon;timestamp;P0;P1;P2;P4;N05\n7;SPS30;5;1.0;2.0;2026-11-01T12:00:00;3.10;6.50;5.90;6.30;21\n',
    [{ created_at: NOON, pm1: 3.1, pm25: 5.9, pm4: 6.3, pm10: 6.5, sensor: '7' }],
  ],
  [
    "Sensor.Community's archive",
    'sensor_id;sensor_type;location;lat;lon;timestamp;P1;durP1;ratioP1;P2;durP2;ratioP2\n7;SDS011;5;1.0;2.0;2026-11-01T12:00:00;11.00;;;8.50;;\n',
    [{ created_at: NOON, pm25: 8.5, pm10: 11, sensor: '7' }],
  ],
  [
    "Sensor.Community's archive of a BME280",
    'sensor_id;sensor_type;location;lat;lon;timestamp;pressure;altitude;pressure_sealevel;temperature;humidity\n9;BME280;5;1.0;2.0;2026-11-01T12:00:00;98765.43;;101325;14.30;52.80\n',
    [{ created_at: NOON, pressure: 987.6543, temperature: 14.3, humidity: 52.8, sensor: '9' }],
  ],
  [
    "Home Assistant's table states",
    'state_id,entity_id,state,last_changed,last_changed_ts,last_updated,last_updated_ts,metadata_id\n1,,612,,,,1793534400.5,12\n2,,on,,,,1793534400.5,13\n3,,613,,1793534460.5,,1793534460.5,12\n',
    [
      { created_at: '2026-11-01T12:00:00.500Z', co2: 612 },
      { created_at: '2026-11-01T12:01:00.500Z', co2: 613 },
    ],
    { columns: { co2: '12' } },
  ],
  [
    "Home Assistant's table statistics, whose means hold for their own hour only",
    'statistic_id|start_ts|mean|min|max|state\nsensor.co2|1793534400.0|612.25|500|700|\nsensor.t|1793534400.0|21.5|21|22|\nsensor.co2|1793538000.0|613.25|500|700|\n',
    [
      { created_at: NOON, co2: 612.25, temperature: 21.5 },
      { created_at: '2026-11-01T13:00:00.000Z', co2: 613.25 },
    ],
    { columns: { co2: 'sensor.co2', temperature: 'sensor.t' } },
  ],
  [
    'ThingSpeak',
    'created_at,entry_id,field1,field2\n2026-11-01 12:00:00 UTC,1,612.0,21.5\n',
    [{ created_at: NOON, co2: 612, temperature: 21.5 }],
    { columns: { co2: 'field1', temperature: 'field2' } },
  ],
])('reads an export of %s', async (_, text, readings, options) => {
  const items = (await read(fileWith(text), options)) as [number, unknown][];
  expect(items.map(([, item]) => item)).toEqual(
    readings.map((reading) => ({ co2: null, voc: null, ...reading })),
  );
});

test('P1 and P2 of a sensor that counts particles are refused', async () => {
  const text =
    'sensor_id;sensor_type;location;lat;lon;timestamp;P1;P2\n7;PPD42NS;5;1;2;2026-11-01T12:00:00;1100;850\n';
  expect(await read(fileWith(text))).toEqual([[2, expect.stringContaining('--columns pm10=P1,pm25=P2')]]);
  const columns = parseColumns('pm10=P1,pm25=P2');
  expect(await read(fileWith(text), { columns })).toMatchObject([[2, { pm10: 1100, pm25: 850 }]]);
});

test("takes the offset from the name of a file of Aranet's app, unless the user says a zone", async () => {
  const text = 'Time(dd/mm/yyyy),Carbon dioxide(ppm)\n05/04/2023 13:38:35,"721"\n';
  const file = fileWith(text, 'Aranet4 0C39F_2023-04-07T17_14_19-0600.csv');
  expect(await read(file)).toMatchObject([[2, { created_at: '2023-04-05T19:38:35.000Z', co2: 721 }]]);
  const { layout } = inspectFile(file, {});
  expect(layout).toMatchObject({
    taken: [expect.stringContaining("at UTC-0600 by the file's name"), expect.anything()],
  });
  const options = { ...inspectFile(file, {}), file, columns: {}, where: [], sensor: undefined };
  const { times } = await withSurvey({ ...options, times: { timeZone: 'Europe/Berlin' } });
  expect(times).toEqual({ timeZone: 'Europe/Berlin', dateOrder: 'dmy' });
});

test('two columns that only their loggers tell apart are refused', () => {
  const file = fileWith(
    'time,"Temp, °C (LGR S/N: 1, SEN S/N: 2)","Temp, °C (LGR S/N: 1, SEN S/N: 3)",co2,co2\n',
  );
  expect(() => inspectFile(file, {})).toThrow(
    /SEN S\/N: 3\)" may both be temperature: say which with --columns/,
  );
  expect(() => inspectFile(file, {})).toThrow(/"co2" and "co2" may both be co2: rename one/);
});

/** Returns the arguments of the command that is proposed for a file, as a shell would split them. */
function proposed(text: string): string[] | string {
  try {
    inspectFile(fileWith(text, "Bob's file.csv"), {});
    return 'known';
  } catch (error) {
    const { message } = error as Error;
    const [, line] = /import (?:-- )?(.*)/.exec(message.split('\n\n')[1] ?? '') ?? [];
    return line
      ? execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
          .trim()
          .split('\n')
      : message;
  }
}

test.each<[string, string, string]>([
  [
    'quotes and an apostrophe',
    `When,"Bob's co2 ""x""",n\n${timeAt(0)},612,1\n`,
    `created_at=When,co2="Bob's co2 ""x"""`,
  ],
  [
    'times in two columns',
    'Tag;Stunde;co2 x\n01.11.2026;10:00;612\n01.11.2026;10:05;613\n',
    'created_at=Tag+Stunde,co2="co2 x"',
  ],
  [
    'rooms',
    `When,Room,co2 x\n${timeAt(0)},A,612\n${timeAt(0)},B,613\n`,
    'created_at=When,co2="co2 x",sensor=Room',
  ],
  [
    'a column called time without times',
    `time taken,When,co2 x\n5,${timeAt(0)},612\n`,
    'created_at=When,co2="co2 x"',
  ],
  [
    'a metric whose values are text',
    `When,co2 level,co2 x\n${timeAt(0)},good,612\n`,
    'created_at=When,co2="co2 x"',
  ],
])('proposes a command for a file with %s that reads each row', async (_, text, columns) => {
  const [file = '', option, list = '', ...others] = proposed(text) as string[];
  expect([option, list]).toEqual(['--columns', columns]);
  expect(file).toMatch(/Bob's file\.csv$/);
  expect(others).toEqual(text.includes('Tag') ? ['--time-zone', 'ZONE'] : []);
  const rows = text.trim().split('\n').length - 1;
  const readings = new Set(
    (await read(file, { columns: parseColumns(list), timeZone: 'UTC' })).map((item) => JSON.stringify(item)),
  );
  expect([...readings].filter((item) => item.includes('created_at'))).toHaveLength(rows);
});

test('proposes no command that would lose rows or mix metrics', () => {
  expect(proposed('Tag,co2 x\n01.11.2026,612\n')).toMatch(/No column has a date and a time of day/);
  expect(proposed(`time,metric,value\n${timeAt(0)},co2,612\n${timeAt(0)},temperature,21\n`)).toMatch(
    /Each row has one metric, named in "metric"/,
  );
});

test('reads UTF-16, and says of other files what they are', async () => {
  const text = '\u{feff}Zeitstempel\tCO2\tTemperatur [°C]\tsensor\r\n01.11.2026 12:00\t612\t21,5\tKüche\r\n';
  const reading = { created_at: NOON, co2: 612, voc: null, temperature: 21.5, sensor: 'Küche' };
  expect(await read(fileWith(Buffer.from(text, 'utf16le')), { timeZone: 'UTC' })).toEqual([[2, reading]]);
  const kinds: [Buffer, RegExp][] = [
    [gzipSync('time,co2\n'), /compressed with gzip\. Unpack it first: gunzip -k \S/],
    [Buffer.from('PK\x03\x04 [Content_Types].xml xl/workbook.xml'), /a spreadsheet\. Open it there/],
    [Buffer.from('PK\x03\x04 readings.csv'), /a ZIP archive\. Unpack it/],
    [Buffer.from('time,Temperatur [\xb0C]\n', 'latin1'), /not UTF-8: the letter after "\[".*"CSV UTF-8"/],
    [Buffer.from('time,co2\n', 'utf16le'), /not text, or neither UTF-8 nor UTF-16/],
    [Buffer.from('<!DOCTYPE html>'), /a web page/],
  ];
  for (const [bytes, message] of kinds) expect(() => inspectFile(fileWith(bytes), {})).toThrow(message);
});

test('warns of values that count as faults of the sensor', () => {
  const faults = faultCounter();
  for (const [line, co2] of [612, 65_519, 0].entries()) {
    faults.note({ line, reading: { created_at: NOON, co2, pm25: null, voc_index: 100 } });
  }
  expect(faults.warnings()).toEqual([
    'Warning: 2 values of co2 are outside 300 to 40000 PPM, the first 65519 in line 1: stored as faults of the sensor. Is the unit right (--units)?',
  ]);
});

test('refuses a file without units before it sends a value that may be in °F', async () => {
  const doubt =
    '"t" is 70.7 without a unit, which may be °F. Add --units temperature=°F, or --units temperature=°C';
  const text = `entity_id,state,last_changed\nt,45,${timeAt(0)}\nt,70.7,${timeAt(60)}\n`;
  const columns = { temperature: 't' };
  await expect(read(fileWith(text), { columns })).rejects.toThrow(`line 3: ${doubt}`);
  const [first] = (await read(fileWith(text), { columns, units: { temperature: '°F' } })) as unknown[];
  expect(first).toMatchObject([2, { temperature: expect.closeTo(7.22, 2) }]);
});

test.each([
  ['Date,Hour,co2\n24.10.2023,13:15,612\n', "--columns 'created_at=Date+Hour,co2=co2' --time-zone ZONE"],
  ['Time(H:mm:ss),co2\n13:15:00,612\n', 'No column has a date and a time of day'],
  ['Epoch,Local time,co2 x\n1793534400,2026-11-01 13:00,612\n', `--columns 'created_at=Epoch,co2="co2 x"'`],
])('a column of times without date and time of day is not known: %j', (text, message) => {
  expect(() => inspectFile(fileWith(text), {})).toThrow(message);
});
