import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { CSV, JSON_TYPE, NDJSON, send, store } from '../support/ingest/batch-posts';

beforeEach(() => store.reset());

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
    'a comma too many',
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
    'an array that breaks off',
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
    'note,co2\n"a\nb""\n",1\nx,y\n',
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
    'a cell too many',
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
    'lines that a quote swallows',
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
])('refuses %s and stores the rest', async (_, type, body, stored, errors) => {
  const report = { stored, duplicates: 0, refused: errors.length, errors };
  const detail = expect.stringMatching(
    `^${errors.length} refused, ${stored} stored\\. (item|line|co2|voc|created_at) `,
  );
  expect(await send(type, body)).toEqual({ ok: true, status: 200, value: report, detail });
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
    'The CSV has no column "co2" or "voc". Name the columns, like "created_at,co2,voc". The first line is empty.',
  ],
  [
    'other columns',
    CSV,
    'Time,CO2 (ppm)\n1,2',
    'The CSV has no column "co2" or "voc". Name the columns, like "created_at,co2,voc". The first line is "Time", "CO2 (ppm)".',
  ],
  [
    'no header',
    CSV,
    '2026-01-31T12:00:00Z,400,10\n',
    'The CSV has no header: its first line has numbers. Put a line with the names of the columns before it, like "created_at,co2,voc". The first line is "2026-01-31T12:00:00Z", "400", "10".',
  ],
  [
    'a column twice',
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
