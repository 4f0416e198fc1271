import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { WriteAnswer } from '../../app/ingest/write-refusal';
import type { ReadingInput } from '../../app/readings/reading';
import type { InsertResult } from '../../app/store/reading-store';
import { StoreUnavailableError } from '../../app/store/reading-store';

// The settings are read at the first post. Empty values keep those of a `.env` file out.
Object.assign(process.env, { POSTS_PER_MINUTE: '0', WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });

const { postBatch } = await import('../../app/ingest/post-batch.server');
const { noteSinglePost } = await import('../../app/ingest/batch-turns.server');
const { receiveBody } = await import('../../app/ingest/receive-body.server');

const SEED = 12;
/** The readings that `insertAll` was called with. */
let inserted: ReadingInput[][];
/** The number of calls of `insertAll` after which it fails, and the failure. */
let failFrom: number;
let failure: StoreUnavailableError;

beforeEach(() => {
  inserted = [];
  failFrom = Number.POSITIVE_INFINITY;
  failure = new StoreUnavailableError('The disk is full.', 60);
});

/** Knows a reading by its sensor and time, as both stores do. */
const store = {
  blocksOnInsert: true,
  async insertAll(readings: readonly ReadingInput[]): Promise<InsertResult[]> {
    if (inserted.length >= failFrom) throw failure;
    const known = inserted.flat();
    inserted.push([...readings]);
    return readings.map((reading, i) => {
      const same = ({ sensor, created_at }: ReadingInput) =>
        created_at !== undefined && sensor === reading.sensor && created_at === reading.created_at;
      const found = [...known, ...readings.slice(0, i)].find(same);
      const row = { id: 1, created_at: '', ...(found ?? reading) };
      if (!found) return { outcome: 'stored', reading: row };
      const isSame = found.co2 === reading.co2 && found.voc === reading.voc;
      return { outcome: isSame ? 'duplicate' : 'conflict', reading: row };
    });
  },
};

const JSON_TYPE = 'application/json';
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

/** Posts a body in parts of this many bytes. */
function send(type: string, body: string | Uint8Array, partBytes = 1000): Promise<WriteAnswer> {
  const bytes = Buffer.from(body);
  const request = {
    header: (name: string) => (name === 'Content-Type' ? type : null),
    address: () => 'sensor',
    async *body() {
      for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
    },
  };
  return receiveBody(request, async (received) => {
    if (!received.ok) return received;
    if (received.body.format === 'reading') throw new Error('the body was taken for a single reading');
    return postBatch(store, request, received.body);
  });
}

const MISSING = 'is missing: send a number, or null if the sensor does not measure it';
const bothMissing = [
  { field: 'co2', detail: MISSING },
  { field: 'voc', detail: MISSING },
];

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
  ['CSV of an old Mac', CSV, 'co2,voc,sensor\r1,2,\r3,,"a,]""}"\r'],
])('stores the readings of %s, in parts of any size', async (_, type, body) => {
  for (const partBytes of [1, 2, 7, 1000]) {
    inserted = [];
    const answer = await send(type, body, partBytes);
    expect(answer).toEqual({
      ok: true,
      status: 201,
      value: { stored: 2, duplicates: 0, refused: 0, errors: [] },
    });
    expect(inserted.flat()).toEqual([
      { co2: 1, voc: 2 },
      { co2: 3, voc: null, sensor: 'a,]"}' },
    ]);
  }
});

test('reads times and guarded names from CSV', async () => {
  const lines = ['created_at,sensor,co2,voc,id', "2026-01-31T12:00:00Z,'=A1,400,,1", "1769860801,''+b,,5,2"];
  expect(await send(CSV, lines.join('\r\n'))).toMatchObject({ status: 201 });
  expect(inserted.flat()).toEqual([
    { co2: 400, voc: null, created_at: '2026-01-31T12:00:00.000Z', sensor: '=A1' },
    { co2: null, voc: 5, created_at: '2026-01-31T12:00:01.000Z', sensor: "'+b" },
  ]);
});

test('needs no column for a metric that the sensor does not measure', async () => {
  expect(await send(CSV, 'co2\n1\n2\n')).toMatchObject({ status: 201 });
  expect(inserted.flat()).toEqual([
    { co2: 1, voc: null },
    { co2: 2, voc: null },
  ]);
});

test('judges each item for itself', async () => {
  const at = '2026-01-31T12:00:00.000Z';
  const items = [
    { co2: 1, voc: 2, created_at: at },
    { co2: 1, voc: 2, created_at: at },
    { co2: 5, voc: 2, created_at: at },
    { co2: '1,5', voc: 2 },
    5,
    { co2: 1, voc: 2, created_at: at, sensor: 'b' },
  ];
  const report = (unit: string, first: number) => ({
    stored: 2,
    duplicates: 1,
    refused: 3,
    errors: [
      {
        [unit]: first + 2,
        errors: [
          {
            field: 'created_at',
            detail: 'is the time of a reading that is stored with co2 1 and voc 2, not co2 5 and voc 2',
          },
        ],
      },
      {
        [unit]: first + 3,
        errors: [{ field: 'co2', detail: 'must be a number with a point, not a comma, before its decimals' }],
      },
      { [unit]: first + 4, errors: bothMissing },
    ],
  });
  const ok = { ok: true, status: 200 };
  expect(await send(JSON_TYPE, JSON.stringify(items))).toEqual({ ...ok, value: report('item', 0) });
  inserted = [];
  const lines = items.map((item) => JSON.stringify(item));
  expect(await send(NDJSON, lines.join('\n'))).toEqual({ ...ok, value: report('line', 1) });
});

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
    [
      {
        line: 2,
        errors: [{ field: 'line', detail: expect.stringContaining('write a quote inside of quotes twice') }],
      },
    ],
  ],
  [
    'a quote that is not closed',
    CSV,
    'sensor,co2\n"c",1\n"a,1\nb,1',
    1,
    [{ line: 3, errors: [{ field: 'line', detail: expect.stringContaining('a quote that is not closed') }] }],
  ],
  [
    'a quote that is not closed in 16 KiB',
    CSV,
    `sensor,co2\n"c",1\n"a,1\n${'b,1\n'.repeat(20_000)}`,
    1,
    [{ line: 3, errors: [{ field: 'line', detail: 'is over 16 KiB, or has a quote that is not closed' }] }],
  ],
])('refuses %s and stores the rest', async (_, type, body, stored, errors) => {
  const report = { stored, duplicates: 0, refused: errors.length, errors };
  expect(await send(type, body)).toEqual({ ok: true, status: 200, value: report });
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
    'The header is over 16 KiB, or has a quote that is not closed.',
  ],
  [
    'bytes that are not UTF-8',
    CSV,
    Buffer.from('co2,voc,sensor\n1,2,Küche\n', 'latin1'),
    'The body is not UTF-8. Save it as UTF-8 and send it again.',
  ],
  [
    'UTF-16',
    CSV,
    Buffer.from('\ufeffco2,voc\n1,2\n', 'utf16le'),
    'The body is UTF-16, not UTF-8. Save it as UTF-8 and send it again.',
  ],
])('answers %s with 400', async (_, type, body, detail) => {
  expect(await send(type, body)).toMatchObject({ ok: false, status: 400, detail });
  expect(inserted.flat()).toEqual([]);
});

test('takes 10,000 items of an array and stops reading at one more', async () => {
  const items = (count: number) => `[${Array(count).fill('{"co2":1,"voc":2}').join()}]`;
  expect(await send(JSON_TYPE, items(10_000))).toMatchObject({ status: 201, value: { stored: 10_000 } });
  expect(await send(JSON_TYPE, items(10_001))).toMatchObject({ status: 413, closesConnection: true });
  expect(inserted.flat()).toHaveLength(10_000);
});

test('reports the first 100 errors', async () => {
  const answer = await send(JSON_TYPE, `[{"co2":1,"voc":2}${',0'.repeat(150)}]`);
  expect(answer).toMatchObject({ status: 200, value: { stored: 1, refused: 150 } });
  const { errors } = (answer as unknown as { value: { errors: { item: number }[] } }).value;
  expect(errors.map(({ item }) => item)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
});

test('says what was stored before the store failed', async () => {
  failFrom = 1;
  const answer = await send(JSON_TYPE, `[0,${Array(1000).fill('{"co2":1,"voc":2}').join()}]`);
  const stored = inserted[0]?.length ?? 0;
  expect(stored).toBeGreaterThan(0);
  expect(answer).toMatchObject({
    ok: false,
    status: 503,
    headers: { 'Retry-After': '60' },
    members: { stored, duplicates: 0, refused: 1 },
  });
});

const UNKNOWN = new StoreUnavailableError('The connection broke off.', 5, true);
const NOT_STORED = new StoreUnavailableError('The disk is full.', 60);
const TIMED = '{"co2":1,"voc":2,"created_at":"2026-01-31T12:00:00Z"}';
const TIMELESS = '{"co2":1,"voc":2}';

test.each<[string, StoreUnavailableError, first: string, failed: string, isRepeatable: boolean]>([
  ['is safe if all have times', NOT_STORED, TIMED, TIMED, true],
  ['is safe if all have times and the rest may be stored', UNKNOWN, TIMED, TIMED, true],
  ['is safe if the readings without times are not stored', NOT_STORED, TIMED, TIMELESS, true],
  ['is not safe if readings without times are stored', NOT_STORED, TIMELESS, TIMED, false],
  ['is not safe if readings without times may be stored', UNKNOWN, TIMED, TIMELESS, false],
])('says that repeating a batch %s', async (_, error, first, failed, isRepeatable) => {
  failFrom = 1;
  failure = error;
  const answer = await send(NDJSON, [...Array(500).fill(first), ...Array(500).fill(failed)].join('\n'));
  expect(inserted.flat()).toHaveLength(500);
  const advice = isRepeatable
    ? 'Send all of it again: no reading is stored twice.'
    : 'Repeating it is safe for readings with created_at; the others would be stored twice.';
  expect(answer).toMatchObject({
    status: 503,
    detail: expect.stringContaining(advice),
    mayBeStored: isRepeatable ? undefined : true,
  });
});

test.each([
  ['100 readings at a time into a store that holds the event loop', true, Array(10).fill(100)],
  ['500 readings at a time into any other store', false, [500, 500]],
])('stores %s, after a reading was posted alone', async (_, blocksOnInsert, sizes) => {
  noteSinglePost();
  store.blocksOnInsert = blocksOnInsert;
  await send(
    JSON_TYPE,
    `[${Array(1000).fill('{"co2":1000,"voc":2,"created_at":null,"sensor":"Attic"}').join()}]`,
  );
  store.blocksOnInsert = true;
  expect(inserted.map(({ length }) => length)).toEqual(sizes);
});

/** Readings whose text needs care in each format. */
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
])('reads any readings from %s, however it is cut', async (_, type, write) => {
  await fc.assert(
    fc.asyncProperty(readings, fc.integer({ min: 1, max: 50 }), async (rows, partBytes) => {
      inserted = [];
      const answer = await send(type, write(rows), partBytes);
      expect(answer).toMatchObject({ status: 201 });
      expect(inserted.flat().map((row) => ({ ...row, co2: Number(row.co2) + 0 }))).toEqual(
        rows.map((row) => ({ ...row, co2: row.co2 + 0 })),
      );
    }),
    { seed: SEED, numRuns: 200 },
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
      inserted = [];
      const body = start + pieces.join('');
      const answer = await send(type, body, partBytes);
      expect([200, 201, 400]).toContain(answer.status);
      const { stored = 0 } = (answer.ok ? answer.value : (answer.members ?? {})) as { stored?: number };
      expect(inserted.flat()).toHaveLength(stored);
      if (type === NDJSON) {
        const valid = body.split('\n').filter((line) => isReading(line));
        expect(stored).toBe(valid.length);
      }
    }),
    { seed: SEED, numRuns: 300 },
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
