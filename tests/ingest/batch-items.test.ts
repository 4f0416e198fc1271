import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { arrayItems, type ItemGroups, ndjsonItems, splitArray } from '../../app/ingest/batch-items.server';
import { csvItems } from '../../app/ingest/csv-items.server';
import { METRICS } from '../../app/readings/metric';
import type { ReadingInput } from '../../app/readings/reading';
import { CSV, JSON_TYPE, NDJSON, send, store } from '../support/ingest/batch-posts';

const SEED = 12;

beforeEach(() => store.reset());

test.each([
  ['an array', JSON_TYPE, '[{"co2": 1, "voc": 2}, {"co2": "3", "voc": null, "sensor": "a,]\\"}"}]'],
  ['an array after spaces', '', ' \r\n\t[{"co2":1,"voc":2},\n{"voc":null,"co2":3,"sensor":"a,]\\"}"} ] \n'],
  [
    'an array after a byte order mark',
    'x',
    '\ufeff[{"co2":1,"voc":2},{"co2":3,"voc":null,"sensor":"a,]\\"}"}]',
  ],
  ['NDJSON', NDJSON, '{"co2":1,"voc":2}\n{"co2":3,"voc":null,"sensor":"a,]\\"}"}'],
  [
    'NDJSON with blank lines',
    'application/jsonl',
    '\n{"co2":1,"voc":2}\r\n \r\n{"co2":3,"voc":null,"sensor":"a,]\\"}"}\r\n\r\n',
  ],
  ['CSV', CSV, 'co2,voc,sensor\r\n1,2,\r\n3,,"a,]""}"\r\n'],
  ['CSV without a last line break', 'Text/CSV; charset=utf-8', 'sensor,co2,voc\n,1,2\n"a,]""}",3,'],
  ['CSV with semicolons', CSV, 'id;VOC; Co2 ;sensor\n7;2;1;\n\n8;;3;"a,]""}"\n;;;\n'],
  ['CSV with tabs and a byte order mark', CSV, '\ufeffco2\tvoc\tsensor\n1\t2\t\n3\t\t"a,]""}"\n'],
  ['CSV with CR only', CSV, 'co2,voc,sensor\r1,2,\r3,,"a,]""}"\r'],
  ['CSV with CR and a line feed at the end', CSV, 'co2,voc,sensor\r1,2,\r3,,"a,]""}"\n'],
  ['CSV with CR and a line feed in between', CSV, 'co2,voc,sensor\r1,2,\n3,,"a,]""}"\r\n'],
  ['CSV with two carriage returns per line', CSV, 'co2,voc,sensor\r\r\n1,2,\r\r\n3,,"a,]""}"\r\r\n'],
])('stores the readings of %s, sent in parts of any size', async (_, type, body) => {
  for (const partBytes of [1, 2, 7, 1000]) {
    store.inserted = [];
    const answer = await send(type, body, partBytes);
    expect(answer).toEqual({
      ok: true,
      status: 201,
      value: { stored: 2, duplicates: 0, refused: 0, errors: [] },
    });
    expect(store.inserted.flat()).toEqual([
      { co2: 1, voc: 2 },
      { co2: 3, voc: null, sensor: 'a,]"}' },
    ]);
  }
});

test('reads times and guarded names from CSV', async () => {
  const lines = ['created_at,sensor,co2,voc,id', "2026-01-31T12:00:00Z,'=A1,400,,1", "1769860801,''+b,,5,2"];
  expect(await send(CSV, lines.join('\r\n'))).toMatchObject({ status: 201 });
  expect(store.inserted.flat()).toEqual([
    { co2: 400, voc: null, created_at: '2026-01-31T12:00:00.000Z', sensor: '=A1' },
    { co2: null, voc: 5, created_at: '2026-01-31T12:00:01.000Z', sensor: "'+b" },
  ]);
});

test('counts the lines of a file with mixed line ends', async () => {
  const refused = { errors: [{ line: 4, errors: [expect.objectContaining({ field: 'co2' })] }] };
  expect(await send(CSV, 'co2,voc\r1,2\r\n3,4\noops,5\r')).toMatchObject({ status: 200, value: refused });
});

test('needs no column for a metric that the sensor does not measure', async () => {
  expect(await send(CSV, 'co2\n1\n2\n')).toMatchObject({ status: 201 });
  expect(store.inserted.flat()).toEqual([
    { co2: 1, voc: null },
    { co2: 2, voc: null },
  ]);
});

/** A number for each metric besides CO2 and VOC. */
const MEASURED = Object.fromEntries(METRICS.slice(2).map(({ field }, i) => [field, i - 3.5]));

test.each([
  [
    'CSV',
    CSV,
    `created_at,co2,voc,${Object.keys(MEASURED)}\n2026-01-31T12:00:00Z,,,${Object.values(MEASURED)}\n${','.repeat(METRICS.length)}9\n`,
  ],
  [
    'NDJSON',
    NDJSON,
    `${JSON.stringify({ created_at: '2026-01-31T12:00:00Z', co2: null, voc: null, ...MEASURED })}\n{"light":9}`,
  ],
])('reads every metric from %s', async (_, type, body) => {
  expect(await send(type, body)).toMatchObject({ status: 201 });
  expect(store.inserted.flat()).toEqual([
    { co2: null, voc: null, ...MEASURED, created_at: '2026-01-31T12:00:00.000Z' },
    { co2: null, voc: null, light: 9 },
  ]);
});

/** Random readings, with sensor names that may need quotes or escapes. */
const readings = fc.array(
  fc.record({
    co2: fc.double({ noNaN: true, noDefaultInfinity: true }),
    voc: fc.option(fc.integer(), { nil: null }),
    sensor: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((name) => name.replace(/[\p{Cc}\p{Cs}]/gu, '').trim())
      .filter((name) => name !== ''),
  }),
  { minLength: 1, maxLength: 30 },
);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const guarded = (name: string) => (/^'*[=+\-@＝＋－＠]/.test(name) ? `'${name}` : name);

test.each<[string, string, (rows: ReadingInput[]) => string]>([
  ['a JSON array', JSON_TYPE, (rows) => JSON.stringify(rows, null, 1)],
  ['NDJSON', NDJSON, (rows) => rows.map((row) => JSON.stringify(row)).join('\n')],
  [
    'CSV',
    CSV,
    (rows) =>
      `voc,sensor,co2\n${rows.map(({ co2, voc, sensor = '' }) => `${voc ?? ''},${quoted(guarded(sensor))},${co2}`).join('\n')}`,
  ],
])('reads any readings from %s, split anywhere', async (_, type, write) => {
  await fc.assert(
    fc.asyncProperty(readings, fc.integer({ min: 1, max: 50 }), async (rows, partBytes) => {
      store.inserted = [];
      const answer = await send(type, write(rows), partBytes);
      expect(answer).toMatchObject({ status: 201 });
      expect(store.inserted.flat().map((row) => ({ ...row, co2: Number(row.co2) + 0 }))).toEqual(
        rows.map((row) => ({ ...row, co2: row.co2 + 0 })),
      );
    }),
    { seed: SEED, numRuns: 100 },
  );
});

test.each([JSON_TYPE, NDJSON, CSV])('answers any bytes as %s, and counts each reading once', async (type) => {
  const piece = fc.constantFrom(
    ...[
      '{"co2":1,"voc":2}',
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      ',',
      '\n',
      '\r\n',
      ' ',
      'co2,voc\n',
      '1,2\n',
      '""',
      ';',
    ],
  );
  const start = type === JSON_TYPE ? '[' : type === CSV ? 'co2,voc\n' : '';
  const bytes = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string({ unit: 'binary' })), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 50 }), async (pieces, partBytes) => {
      store.inserted = [];
      const body = start + pieces.join('');
      const answer = await send(type, body, partBytes);
      expect([200, 201, 400]).toContain(answer.status);
      const { stored = 0 } = (answer.ok ? answer.value : (answer.members ?? {})) as { stored?: number };
      expect(store.inserted.flat()).toHaveLength(stored);
      if (type === NDJSON) {
        const valid = body.split('\n').filter((line) => isReading(line));
        expect(stored).toBe(valid.length);
      }
    }),
    { seed: SEED, numRuns: 150 },
  );
});

function isReading(line: string): boolean {
  try {
    const { co2, voc } = JSON.parse(line);
    return typeof co2 === 'number' && typeof voc === 'number';
  } catch {
    return false;
  }
}

const misquoted = (lost: string) =>
  `has a quote that is not closed, or text after one${lost}: write a quote inside of quotes twice`;

test.each<[string, string, string, number, object[]]>([
  [
    'an item that is not JSON',
    JSON_TYPE,
    '[{"co2":1,"voc":2},{co2:1},{"co2":1,"voc":2}]',
    2,
    [{ item: 1, errors: [{ field: 'item', detail: 'is not JSON' }] }],
  ],
  [
    'a surplus comma',
    JSON_TYPE,
    '[{"co2":1,"voc":2},]',
    1,
    [{ item: 1, errors: [{ field: 'item', detail: 'is not JSON' }] }],
  ],
  [
    'a bracket of the wrong kind',
    JSON_TYPE,
    '[{"co2":1,"voc":2},{"co2":1]]',
    1,
    [{ item: 1, errors: [{ field: 'item', detail: 'is not JSON' }] }],
  ],
  [
    'a truncated array',
    JSON_TYPE,
    '[{"co2":1,"voc":2},{"co2":1,"vo',
    1,
    [
      {
        item: 1,
        errors: [{ field: 'item', detail: 'is where the array breaks off: its closing bracket is missing' }],
      },
    ],
  ],
  [
    'text after the array',
    JSON_TYPE,
    '[{"co2":1,"voc":2}]]',
    1,
    [{ item: 1, errors: [{ field: 'item', detail: 'follows the end of the array' }] }],
  ],
  [
    'an item over 16 KiB',
    JSON_TYPE,
    `[{"co2":1,"voc":2},"${'x'.repeat(16_384)}",{"co2":1,"voc":2}]`,
    2,
    [{ item: 1, errors: [{ field: 'item', detail: 'is over 16 KiB' }] }],
  ],
  [
    'an item with more escapes than an item may have, and all after it,',
    JSON_TYPE,
    `[{"co2":1,"voc":2},"${'\\"'.repeat(9000)}",{"co2":1,"voc":2}]`,
    1,
    [
      {
        item: 1,
        errors: [{ field: 'item', detail: 'is over 16 KiB, so nothing from this item on was read' }],
      },
    ],
  ],
  [
    'a line that is not JSON',
    NDJSON,
    '{"co2":1,"voc":2}\n\n{"co2":1,"voc":2},\n{"co2":1,"voc":2}',
    2,
    [{ line: 3, errors: [{ field: 'line', detail: 'is not JSON' }] }],
  ],
  [
    'lines that are JSON only together',
    NDJSON,
    '[1\n2]\n{"co2":1,"voc":2}',
    1,
    [1, 2].map((line) => ({ line, errors: [{ field: 'line', detail: 'is not JSON' }] })),
  ],
  [
    'a line over 16 KiB',
    NDJSON,
    `"${'x'.repeat(16_384)}"\n{"co2":1,"voc":2}`,
    1,
    [{ line: 1, errors: [{ field: 'line', detail: 'is over 16 KiB' }] }],
  ],
  [
    'lines after a quoted line break',
    CSV,
    ',co2\n"a\nb""\n",1\nx,y\n',
    1,
    [{ line: 5, errors: [{ field: 'co2', detail: 'must be a number, like 415 or "415.5"' }] }],
  ],
  [
    'a decimal comma',
    CSV,
    'co2;voc\n"1,5";2\n1;2',
    1,
    [
      {
        line: 2,
        errors: [{ field: 'co2', detail: 'must be a number with a point, not a comma, before its decimals' }],
      },
    ],
  ],
  [
    'a surplus cell',
    CSV,
    'co2,voc\n1,5,2\n1,2',
    1,
    [
      {
        line: 2,
        errors: [
          { field: 'line', detail: 'has 3 cells, and the header has 2: put text with separators in quotes' },
        ],
      },
    ],
  ],
  [
    'text after a quote',
    CSV,
    'sensor,co2\n"a"b",1\n"c",1',
    1,
    [{ line: 2, errors: [{ field: 'line', detail: misquoted('') }] }],
  ],
  [
    'lines inside an unclosed quote',
    CSV,
    'sensor,co2\n"a"b,1\nb,1\n"c",1\n"d",1',
    1,
    [{ line: 2, errors: [{ field: 'line', detail: misquoted(', so lines 2 to 4 were not read') }] }],
  ],
  ...['', '\n', '\r\n'].map((end): [string, string, string, number, object[]] => [
    `a quote that is not closed before ${JSON.stringify(end)}`,
    CSV,
    `sensor,co2\n"c",1\n"a,1\nb,1${end}`,
    1,
    [{ line: 3, errors: [{ field: 'line', detail: misquoted(', so lines 3 to 4 were not read') }] }],
  ]),
  [
    'a quote that is not closed in 16 KiB',
    CSV,
    `sensor,co2\n"c",1\n"a,1\n${'b,1\n'.repeat(20_000)}`,
    1,
    [
      {
        line: 3,
        errors: [
          {
            field: 'line',
            detail:
              'is over 16 KiB, or has a quote that is not closed, so nothing from this line on was read',
          },
        ],
      },
    ],
  ],
])('rejects %s and stores the rest', async (_, type, body, stored, errors) => {
  const report = { stored, duplicates: 0, refused: errors.length, errors };
  const detail = expect.stringMatching(
    `^${errors.length} refused, ${stored} stored\\. (item|line|co2|voc|created_at) `,
  );
  expect(await send(type, body)).toEqual({ ok: true, status: 200, value: report, detail });
});

const LONG_TEXT = 'x'.repeat(16_000);
const LONG_READINGS = Array(60).fill(`{"co2":1,"note":"${LONG_TEXT}"}`);

test.each<[string, ItemGroups]>([
  ['a JSON array', arrayItems(await splitArray(`[${LONG_READINGS}]`))],
  ['NDJSON', ndjsonItems(LONG_READINGS.join('\n'))],
  ['CSV', groupsOfCsv(`co2,note\n${`1,${LONG_TEXT}\n`.repeat(60)}`)],
])('parses at most 48,000 characters of %s in one event-loop turn', (_, groups) => {
  const sizes = [...groups].map(({ length }) => length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(60);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
});

function groupsOfCsv(text: string): ItemGroups {
  const csv = csvItems(text);
  if (!csv.ok) throw new Error(csv.detail);
  return csv.groups;
}

test('counts the cells of unknown columns', async () => {
  const answer = await send(CSV, ',id,co2,so2,__proto__\n1,1,400,7,\n2,2,401,,x\n3,3,402,,\n4,4,x,1,1\n');
  expect(answer).toMatchObject({ status: 200, value: { stored: 3, refused: 1, ignored: 2 } });
});

test.each([
  ['an empty array', JSON_TYPE, ' [ ] ', 'The body has no readings.'],
  ['an array that ends at once', JSON_TYPE, '[', 'The reading is invalid.'],
  ['an empty body', NDJSON, '', 'The body has no readings.'],
  ['blank lines', NDJSON, '\n \n', 'The body has no readings.'],
  ['a header alone', CSV, 'co2,voc\r\n', 'The body has no readings.'],
  ['invalid readings', JSON_TYPE, '[1,2]', 'All 2 readings are invalid.'],
  [
    'an empty file',
    CSV,
    '',
    'The CSV has no column of a metric (co2, voc, voc_index, nox_index, hcho, co, no2, o3, radon, pm1, pm25, pm4, pm10, temperature, humidity, pressure, noise, light). Name the columns, like "created_at,co2,voc". The first line is empty.',
  ],
  [
    'other columns',
    CSV,
    'Time,SO2 (ppm)\n1,2',
    'The CSV has no column of a metric (co2, voc, voc_index, nox_index, hcho, co, no2, o3, radon, pm1, pm25, pm4, pm10, temperature, humidity, pressure, noise, light). Name the columns, like "created_at,co2,voc". The first line is "Time", "SO2 (ppm)".',
  ],
  [
    'a misspelt column',
    CSV,
    'co2,Temp\n1,2',
    'The header has an unknown column "Temp". Name it "temperature" in °C.',
  ],
  [
    'a column with its unit',
    CSV,
    'Time,CO2 (ppm)\n1,2',
    'The header has an unknown column "CO2 (ppm)". Name it "co2" in PPM.',
  ],
  [
    'no header',
    CSV,
    '2026-01-31T12:00:00Z,400,10\n',
    'The CSV has no header: its first line has numbers. Put a line with the names of the columns before it, like "created_at,co2,voc". The first line is "2026-01-31T12:00:00Z", "400", "10".',
  ],
  [
    'a repeated column',
    CSV,
    'co2,voc,CO2\n1,2,3',
    'The header has more than one column "co2". Leave one of them.',
  ],
  [
    'a header that never ends',
    CSV,
    `"co2,voc\n${'1,2\n'.repeat(20_000)}`,
    'The header is over 16 KiB, or has a quote that is not closed, so nothing from this line on was read.',
  ],
  [
    'bytes that are not UTF-8',
    CSV,
    Buffer.from('co2,voc,sensor\n1,2,Küche\n', 'latin1'),
    'The body is not UTF-8. Save it as UTF-8 and send it again.',
  ],
  [
    'gzip',
    'application/json',
    gzipSync('[{"co2": 1, "voc": 2}]'),
    'The body is compressed with gzip. Send it as it is, without Content-Encoding.',
  ],
  [
    'UTF-16',
    CSV,
    Buffer.from('\ufeffco2,voc\n1,2\n', 'utf16le'),
    'The body is UTF-16, not UTF-8. Save it as UTF-8 and send it again.',
  ],
])('answers %s with 400', async (_, type, body, detail) => {
  expect(await send(type, body)).toMatchObject({ ok: false, status: 400, detail });
  expect(store.inserted.flat()).toEqual([]);
});
