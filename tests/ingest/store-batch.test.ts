import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreUnavailableError } from '../../app/store/reading-store';
import { CSV, JSON_TYPE, NDJSON, send, store } from '../support/ingest/batch-posts';

const { storeReading } = await import('../../app/ingest/take-post.server');

const noObject = {
  field: 'co2',
  detail: 'is missing, because the reading is not a JSON object: send one like {"co2": 415}',
};

beforeEach(() => store.reset());
afterEach(() => void vi.useRealTimers());

// This test comes first, because steps are smaller after a single post.
test('stores readings of at most 64 days at once', async () => {
  const readings = Array.from({ length: 300 }, (_, i) => ({
    co2: i,
    voc: 1,
    // Two readings a day.
    created_at: new Date(Date.UTC(2020, 0, 1 + i / 2)).toISOString(),
  }));
  await send(JSON_TYPE, JSON.stringify(readings));
  const days = store.inserted.map(
    (stored) => new Set(stored.map((row) => row.created_at?.slice(0, 10))).size,
  );
  expect(Math.max(...days)).toBe(64);
  expect(store.inserted.flat()).toHaveLength(300);
});

test('validates each item separately', async () => {
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
      { [unit]: first + 4, errors: [noObject] },
    ],
  });
  const detail = expect.stringMatching(/^3 refused, 2 stored\. created_at is the time of a reading/);
  const ok = { ok: true, status: 200, detail };
  expect(await send(JSON_TYPE, JSON.stringify(items))).toEqual({ ...ok, value: report('item', 0) });
  store.inserted = [];
  const lines = items.map((item) => JSON.stringify(item));
  expect(await send(NDJSON, lines.join('\n'))).toEqual({ ...ok, value: report('line', 1) });
});

test('asks to send a batch again while the time of a reading is a little ahead, and stores the others', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const reading = (minutes: number) => ({ co2: 1, voc: 2, created_at: inMinutes(minutes) });
  const items = [reading(-5), reading(3), reading(10), reading(20), { co2: 'x' }];
  const answer = await send(JSON_TYPE, JSON.stringify(items));
  expect(answer).toMatchObject({
    ok: false,
    status: 503,
    detail: expect.stringMatching(
      /^2 readings of this post have times in the future\. Send it again in 120 s, and set the device's clock\. 1 reading of this post is stored\. Send all of it again: no reading is stored twice\.$/,
    ),
    headers: { 'Retry-After': '120' },
    members: { stored: 1, duplicates: 0, refused: 4 },
  });
  const csv = await send(CSV, `created_at,co2\n${inMinutes(5)},400\n`);
  expect(csv).toMatchObject({ status: 503, headers: { 'Retry-After': '240' } });
  expect(await send(JSON_TYPE, JSON.stringify([reading(16)]))).toMatchObject({ status: 400 });
});

test('a reading whose time is a little ahead waits, or gets the server’s time if its sender cannot wait', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  const created_at = new Date(Date.now() + 600_000).toISOString();
  const post = (minutes: number, ifAhead?: 'now' | 'refused') => {
    const created_at = new Date(Date.now() + minutes * 60_000).toISOString();
    return storeReading(
      store,
      { header: () => null, address: () => 'clock', ifAhead },
      { co2: 1, created_at },
    );
  };
  expect(await post(10)).toMatchObject({
    ok: false,
    status: 503,
    detail: "The reading has a time in the future. Send it again in 540 s, and set the device's clock.",
    errors: [{ field: 'created_at', detail: expect.stringContaining(`is ${created_at}, and`) }],
    headers: { 'Retry-After': '540' },
  });
  expect(await post(16)).toMatchObject({ status: 400 });
  expect(await post(10, 'refused')).toMatchObject({ status: 400 });
  expect(await post(16, 'now')).toMatchObject({ status: 400 });
  expect(store.inserted).toEqual([]);
  expect(await post(10, 'now')).toMatchObject({
    status: 201,
    detail: expect.stringContaining("so the reading got the server's time"),
  });
  expect(store.inserted).toEqual([[{ co2: 1, voc: null }]]);
});

test('keeps the values beside one that is not a number, and logs each metric once for a sensor', async () => {
  const lines =
    '{"co2":nan,"temperature":21,"sensor":"Loft \\"NaN"}\n{"co2":-Infinity,"voc":"NaN","sensor":"x"}\n';
  expect(await send(NDJSON, lines)).toMatchObject({
    status: 200,
    value: { stored: 1, refused: 1, ignored: 1 },
    detail: expect.stringContaining(
      'Stored without "co2" of "Loft \\"NaN", whose value isn\'t a number. Logged once for a sensor.',
    ),
  });
  expect(store.inserted.flat()).toEqual([{ co2: null, voc: null, temperature: 21, sensor: 'Loft "NaN' }]);
  expect(await send(CSV, 'sensor,co2,voc\nLoft "NaN,nan,7\n')).not.toHaveProperty(
    'detail',
    expect.any(String),
  );
});

test('counts ignored members, and logs them once for a sensor', async () => {
  const items = [
    { co2: 1, so2: 2, pm50: 3, sensor: 'Boiler' },
    { co2: 2, sensor: 'Boiler', id: 5 },
    { voc: 'x', uv: 4 },
    { temperature: 20, uv: 4, sensor: 'Shed' },
  ];
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await send(JSON_TYPE, JSON.stringify(items)));
  const report = { stored: 3, refused: 1, ignored: 3 };
  expect(answers).toMatchObject(Array(3).fill({ status: 200, value: report }));
  const logged = answers.map((answer) => /Stored without .*/.exec(answer.detail ?? '')?.[0]);
  expect(logged).toEqual([
    'Stored without 2 unknown members of "Boiler": "so2", "pm50". Logged once for a sensor.',
    'Stored without 1 unknown member of "Shed": "uv". Logged once for a sensor.',
    undefined,
  ]);
});

test('accepts 10,000 items of an array and rejects one more', async () => {
  const items = (count: number) => `[${Array(count).fill('{"co2":1,"voc":2}').join()}]`;
  expect(await send(JSON_TYPE, items(10_000))).toMatchObject({ status: 201, value: { stored: 10_000 } });
  expect(await send(JSON_TYPE, items(10_001))).toMatchObject({ status: 413 });
  expect(store.inserted.flat()).toHaveLength(10_000);
});

test('reports the first 100 errors', async () => {
  const answer = await send(JSON_TYPE, `[{"co2":1,"voc":2}${',0'.repeat(150)}]`);
  expect(answer).toMatchObject({ status: 200, value: { stored: 1, refused: 150 } });
  const { errors } = (answer as unknown as { value: { errors: { item: number }[] } }).value;
  expect(errors.map(({ item }) => item)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
});

test('reports how much was stored before the store failed', async () => {
  store.failFrom = 1;
  const answer = await send(JSON_TYPE, `[0,${Array(1000).fill('{"co2":1,"voc":2}').join()}]`);
  const stored = store.inserted[0]?.length ?? 0;
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
  store.failFrom = 1;
  store.failure = error;
  const answer = await send(NDJSON, [...Array(500).fill(first), ...Array(500).fill(failed)].join('\n'));
  expect(store.inserted.flat()).toHaveLength(500);
  const advice = isRepeatable
    ? 'Send all of it again: no reading is stored twice.'
    : 'Repeating it is safe for readings with created_at; the others would be stored twice.';
  expect(answer).toMatchObject({
    status: 503,
    detail: expect.stringContaining(advice),
    mayBeStored: isRepeatable ? undefined : true,
  });
});

test('stores 500 readings at a time', async () => {
  await send(
    JSON_TYPE,
    `[${Array(1000).fill('{"co2":1000,"voc":2,"created_at":null,"sensor":"Attic"}').join()}]`,
  );
  expect(store.inserted.map(({ length }) => length)).toEqual([500, 500]);
});
