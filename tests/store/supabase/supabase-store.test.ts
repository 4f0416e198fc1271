import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPage } from '../../../app/live/browser/page-state';
import { initialReadings } from '../../../app/live/server/initial-page.server';
import type { Reading } from '../../../app/readings/reading';
import type { ReadingStore } from '../../../app/store/reading-store';
import { ReadingRejectedError, StoreUnavailableError } from '../../../app/store/reading-store';
import { ANSWER_MIB } from '../../../app/store/supabase/supabase-queries.server';
import { openSupabaseStore } from '../../../app/store/supabase/supabase-store.server';
import type { RestFault } from '../../support/supabase/rest-layer';
import { type SupabaseDouble, startSupabaseDouble } from '../../support/supabase/supabase-double';

let double: SupabaseDouble;
let store: ReadingStore;

beforeEach(async () => {
  double = await startSupabaseDouble();
  store = openStore(double.publicKey);
});

afterEach(() => double.stop());

/** Short, for tests that wait for it. */
const TIMEOUT_MS = 200;

const openStore = (
  serverKey: string,
  { url = double.url, timeoutMs }: { url?: string; timeoutMs?: number } = {},
) => openSupabaseStore({ url, publicKey: double.publicKey, serverKey }, timeoutMs);

/** Opens a store with a short timeout while the project has this fault. */
function openStoreDuring(fault: RestFault): ReadingStore {
  double.rest.fault = () => fault;
  return openStore(double.publicKey, fault.kind === 'hang' ? { timeoutMs: TIMEOUT_MS } : {});
}

const answer = (status: number, body: unknown): RestFault => ({
  kind: 'answer',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Returns the error of an insert while the project has this fault. */
async function insertDuring(fault: RestFault): Promise<Error> {
  return openStoreDuring(fault)
    .insert({ co2: 1, voc: 1 })
    .catch((error) => error);
}

/** Makes `sensors` independent of `sensors_page`, and removes the latter. */
const WITHOUT_SENSOR_PAGES = `
  alter function sensors_page rename to first_sensors;
  do $do$ begin
    execute replace(pg_get_functiondef('sensors'::regproc), 'sensors_page', 'first_sensors');
  end $do$`;

/** Removes the columns of all metrics besides CO2 and VOC, except the last one. */
const WITHOUT_METRICS = `
  create or replace function other_metrics() returns text[] language sql immutable return '{}'::text[];
  select add_metrics('pressure');
  alter table data drop column voc_index, drop column nox_index, drop column pm25, drop column pm10,
    drop column temperature, drop column humidity`;

const UNKNOWN = 'It is not known whether the reading was stored.';
const NOT_STORED = 'The reading was not stored.';

describe('reading', () => {
  test('reads the 5,760 readings of 24HR in six responses of at most 1,000 rows', async () => {
    await double.seed(6000);
    const readings = await store.newest(5760);
    expect(readings.map(({ id }) => id)).toEqual(Array.from({ length: 5760 }, (_, i) => i + 241));
    expect(double.rest.requests).toHaveLength(6);
  });

  test('notices a row limit that is lowered while the server runs', async () => {
    await double.seed(1200);
    expect(await store.newest(5760)).toHaveLength(1200);
    double.rest.maxRows = 100;
    expect(await store.newest(5760)).toHaveLength(1200);
    const all: Reading[] = [];
    for await (const page of store.read({})) all.push(...page);
    expect(all).toHaveLength(1200);
  });

  test('sends one request for readings that fit into a response', async () => {
    await double.seed(300);
    expect(await store.newest(5760, { after: 10 })).toHaveLength(290);
    expect(double.rest.requests).toHaveLength(1);
  });

  test('requests the pages of 24HR in parallel after the first one', async () => {
    await double.seed(6000);
    double.rest.delayMs = 1500;
    const slow = openStore(double.publicKey, { timeoutMs: 2500 });
    expect(await slow.newest(5760)).toHaveLength(5760);
  });

  test('calls a project slow if it has answered before', async () => {
    await double.seed(10);
    const impatient = openStore(double.publicKey, { timeoutMs: TIMEOUT_MS });
    await impatient.newest(10);
    double.rest.delayMs = 10 * TIMEOUT_MS;
    await expect(impatient.newest(10)).rejects.toThrow(/^Supabase is slow: /);
  });

  test('reads every row of a millisecond that spans two pages', async () => {
    double.rest.maxRows = 7;
    // Later times have lower ids, which concurrent transactions may cause.
    await double.run(
      `insert into data (co2, voc, created_at)
       select i, i, '2026-01-02T10:00:00Z'::timestamptz - i * interval '11 us' from generate_series(0, 39) i`,
    );
    expect(new Set((await store.newest(40)).map(({ id }) => id)).size).toBe(40);
    const all: Reading[] = [];
    for await (const page of store.read({})) all.push(...page);
    expect(new Set(all.map(({ id }) => id)).size).toBe(40);
  });

  test('the project counts all rows only if there are fewer than requested', async () => {
    await double.seed(300);
    expect(await store.count(300)).toBe(300);
    expect(double.rest.requests).toHaveLength(1);
    expect(await store.count(301)).toBe(300);
    expect(double.rest.requests).toHaveLength(3);
  });

  test.each([1000, 100])('reads the readings of one sensor and time in pages of %i rows', async (maxRows) => {
    const start = Date.parse('2026-01-02T10:00:00Z');
    const rows = Array.from({ length: 600 }, (_, i) => {
      const row = { co2: i, voc: i, created_at: new Date(start + i).toISOString() };
      return [row, { ...row, sensor: 'Bedroom, "left"' }];
    });
    await double.insert(...rows.flat());
    double.rest.maxRows = maxRows;
    const sensor = 'Bedroom, "left"';
    const time = (i: number) => new Date(start + i).toISOString();
    const all: Reading[] = [];
    for await (const page of store.read({ sensor, from: time(100), to: time(500) })) all.push(...page);
    expect(all.map(({ co2 }) => co2)).toEqual(Array.from({ length: 400 }, (_, i) => i + 100));
    expect(new Set(all.map((reading) => reading.sensor))).toEqual(new Set([sensor]));
    expect((await store.newest(450, { sensor: '' })).map(({ co2 }) => co2)).toEqual(
      Array.from({ length: 450 }, (_, i) => i + 150),
    );
    expect(await store.count(1000, sensor)).toBe(600);
  });

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'lists more sensors than fit into a response, %s the migration of their pages',
    async (_, hasSensorPages) => {
      double.rest.maxRows = 7;
      if (!hasSensorPages) await double.run(WITHOUT_SENSOR_PAGES);
      await double.run(
        `insert into data (co2, voc, sensor, created_at)
         select i, case when is_second then 1 end, 'sensor ' || i,
           '2026-01-02T10:00:00Z'::timestamptz + case when is_second then i + 1 else 0 end * interval '1 us'
         from generate_series(0, 19) i cross join (values (false), (true)) as readings (is_second)
         order by i, is_second`,
      );
      const sensors = await store.sensors();
      const names = Array.from({ length: 20 }, (_, i) => `sensor ${i}`);
      expect(sensors.map(({ name }) => name)).toEqual([...names].sort());
      expect(await store.names()).toEqual([...names].sort());
      expect((await store.sensors(9, 'sensor 12')).map(({ name }) => name)).toEqual(
        [...names].sort().slice(5, 14),
      );
      expect((await store.lastHeard()).map(({ name }) => name)).toEqual([...names].reverse().slice(0, 7));
      expect(sensors.find(({ name }) => name === 'sensor 19')).toEqual({
        name: 'sensor 19',
        newest: { id: 40, co2: 19, voc: 1, created_at: '2026-01-02T10:00:00.000020Z', sensor: 'sensor 19' },
        first_heard: '2026-01-02T10:00:00.000Z',
        last_heard: '2026-01-02T10:00:00.000020Z',
      });
    },
  );

  test('lists the sensors in one request if they fit into a response', async () => {
    await double.insert({ co2: 1, voc: 1 }, { co2: 1, voc: 1, sensor: 'a' });
    expect(await store.sensors()).toHaveLength(2);
    expect(double.rest.requests).toHaveLength(1);
  });

  test('skips an invalid row and reads the rows around it', async () => {
    await double.seed(5);
    await double.run(
      `alter table data drop constraint data_co2_finite; update data set co2 = 'NaN' where id = 4`,
    );
    expect((await store.newest(5)).map(({ id }) => id)).toEqual([1, 2, 3, 5]);
  });
});

describe('writing', () => {
  test('inserts with the secret key if no policy allows the public one', async () => {
    await double.run('drop policy "Everyone adds readings" on data');
    const error = await store.insert({ co2: 1, voc: 1 }).catch((error) => error);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toBe(
      `Supabase's public key may not add readings: their policy was dropped. Set SUPABASE_SECRET_KEY on the server. ${NOT_STORED}`,
    );
    expect(await openStore(double.secretKey).insert({ co2: 1, voc: 1 })).toMatchObject({
      outcome: 'stored',
      reading: { co2: 1 },
    });
  });

  test('rejects a value that violates a constraint, with the reason', async () => {
    const message = 'new row for relation "data" violates check constraint "co2_positive"';
    const error = await insertDuring(answer(400, { code: '23514', message }));
    expect(error).toBeInstanceOf(ReadingRejectedError);
    expect(error.message).toBe(`The database rejected the reading: ${message}.`);
  });

  test('stores a batch in one request and reports the outcome of each reading', async () => {
    const known = { co2: 1, voc: null, created_at: '2026-01-02T10:00:00.000001Z', sensor: 'a' };
    const results = await store.insertAll([
      known,
      known,
      { ...known, voc: 0 },
      { ...known, sensor: 'a'.repeat(65) },
      { co2: null, voc: 2 },
    ]);
    expect(double.rest.requests).toEqual(['POST /rest/v1/rpc/insert_readings']);
    // The first attempt, which the rejected reading ended, has used up ids.
    const [stored] = await double.rows();
    const reading = { ...known, id: stored?.id };
    expect(results).toEqual([
      { outcome: 'stored', reading },
      { outcome: 'duplicate', reading },
      { outcome: 'conflict', reading },
      expect.any(ReadingRejectedError),
      { outcome: 'stored', reading: expect.objectContaining({ co2: null, voc: 2 }) },
    ]);
    expect((results[3] as Error).message).toBe(
      'The database rejected the reading: new row for relation "data" violates check constraint "data_sensor".',
    );
  });

  test.each([
    ['time of its own', [{ co2: 1, voc: 1, created_at: '2026-01-02T10:00:00.000Z' }], false],
    [
      'time of the server',
      [
        { co2: 1, voc: 1, created_at: '2026-01-02T10:00:00.000Z' },
        { co2: 1, voc: 1 },
      ],
      true,
    ],
  ])(
    'after a lost response, says if a reading with a %s could be stored twice',
    async (_, sent, isStoredTwice) => {
      double.rest.fault = () => ({ kind: 'cut', stored: true });
      const error = await store.insertAll(sent).catch((reason) => reason);
      expect(error).toMatchObject({ mayBeStored: true });
      expect(error.message).toMatch(/It is not known whether the readings? (was|were) stored\./);
      expect(/Posting again is safe/.test(error.message)).toBe(!isStoredTwice);
      double.rest.fault = () => null;
      await store.insertAll(sent);
      expect(await double.rows()).toHaveLength(isStoredTwice ? 3 : 1);
    },
  );

  test('sends one batch at a time, but single readings without waiting', async () => {
    const batch = [1, 2].map((co2) => ({ co2, voc: 1 }));
    const failing = openStoreDuring({ kind: 'hang' });
    const failed = Promise.allSettled([failing.insertAll(batch), failing.insertAll(batch)]);
    const single = failing.insert({ co2: 3, voc: 1 }).catch((reason) => reason);
    const [first, second] = (await failed) as PromiseRejectedResult[];
    expect((await single).message).toContain(UNKNOWN);
    expect(first?.reason).toMatchObject({ mayBeStored: true });
    expect(second?.reason).toMatchObject({ mayBeStored: false });
    expect(second?.reason.message).toContain('batches that are under way. The readings were not stored.');
    expect(double.rest.requests).toHaveLength(2);
  });

  test.each([
    ['no response', { kind: 'hang', stored: true }, UNKNOWN],
    ['a connection cut after the insert', { kind: 'cut', stored: true }, UNKNOWN],
    ['a gateway timeout', answer(504, '<html>Gateway Timeout</html>'), UNKNOWN],
    ['a gateway that lost the connection', answer(502, 'bad gateway'), UNKNOWN],
    ['a response without the row', answer(201, '[]'), UNKNOWN],
    ['a response that is not JSON', answer(200, '<html>Sign in</html>'), UNKNOWN],
    [
      'a database that shuts down',
      answer(500, { code: '57P01', message: 'terminating connection' }),
      UNKNOWN,
    ],
    ['a statement that took too long', answer(500, { code: '57014', message: 'timeout' }), NOT_STORED],
    ['a refused key', answer(401, { message: 'Invalid API key' }), NOT_STORED],
    ['a paused project', answer(540, ''), NOT_STORED],
    ['a missing table', answer(404, { code: 'PGRST205', message: 'no table' }), NOT_STORED],
    ['too many requests', answer(429, 'slow down'), NOT_STORED],
  ] as [string, RestFault, string][])('reports an insert as failed after %s', async (_, fault, outcome) => {
    const error = await insertDuring(fault);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toContain(outcome);
  });

  test('reports an insert as not stored if the project is unreachable', async () => {
    await double.goDown();
    const error = await store.insert({ co2: 1, voc: 1 }).catch((reason) => reason);
    expect(error.message).toMatch(
      /can't be reached at 127\.0\.0\.1:\d+\..*paused.*The reading was not stored\.$/,
    );
  });
});

describe('a response', () => {
  test.each([301, 302, 307, 308])(
    'that redirects with %i is not followed, since the key would be sent along',
    async (status) => {
      let requests = 0;
      const other = createServer(() => requests++).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const redirect = {
        kind: 'answer',
        status,
        body: '',
        headers: { Location: `http://127.0.0.1:${port}/rest/v1/data` },
      };
      const failing = openStoreDuring(redirect as RestFault);
      for (const call of [failing.newest(5), failing.insert({ co2: 1, voc: 1 })]) {
        await expect(call).rejects.toThrow(/redirects requests\. .*Set SUPABASE_URL/);
      }
      expect(requests).toBe(0);
      other.close();
    },
  );

  test(`is not read beyond ${ANSWER_MIB} MiB`, async () => {
    const row = '{"id":1,"co2":1,"voc":1,"created_at":"2026-01-02T10:00:00Z"}';
    const answerOf = (bytes: number) => answer(200, `[${row}${' '.repeat(bytes - row.length - 2)}]`);
    expect(await openStoreDuring(answerOf(ANSWER_MIB * 1024 * 1024)).newest(1)).toHaveLength(1);
    const reading = openStoreDuring(answerOf(ANSWER_MIB * 1024 * 1024 + 1)).newest(1);
    await expect(reading).rejects.toThrow(/over \d+ MiB: readings have too many decimals. Apply supabase/);
    expect((await insertDuring(answerOf(64 * 1024 * 1024))).message).toContain(UNKNOWN);
  });
});

describe('an error message says what went wrong and what to do', () => {
  test.each([
    [answer(401, { message: 'Invalid API key' }), /refuses the key.*API keys/],
    [answer(401, { code: 'PGRST301', message: 'JWT expired' }), /refuses the key/],
    [
      answer(401, { code: '42501', message: 'permission denied for table data' }),
      /grant is missing.*migrations/,
    ],
    [
      answer(401, { code: '42501', message: 'new row violates row-level security policy for table "data"' }),
      /may not add readings: their policy was dropped. Set SUPABASE_SECRET_KEY/,
    ],
    [answer(404, { code: '42P01', message: 'relation does not exist' }), /has no table data.*migrations/],
    [
      answer(400, { code: '42704', message: 'type "public.data[]" does not exist' }),
      /has no table data.*migrations/,
    ],
    [
      answer(300, { code: 'PGRST203', message: 'Could not choose the best candidate function between: …' }),
      /has a function twice: an older migration was run again. Apply/,
    ],
    [answer(400, { code: '42703', message: 'column data.co2 does not exist' }), /lacks a column.*migrations/],
    [
      answer(400, { code: '42703', message: 'column data.pm25 does not exist' }),
      /lacks a column, pm25\..*migrations/,
    ],
    [
      answer(400, { code: '42703', message: 'column data.sensor does not exist' }),
      /lacks the migration 20261128090000_readings\.sql\. Apply supabase\/migrations/,
    ],
    [answer(540, 'project paused'), /is paused.*restore/],
    [answer(404, ''), /not Supabase's REST API.*SUPABASE_URL/],
    [answer(200, '<html>'), /not Supabase's REST API/],
    [answer(522, '<html>cloudflare</html>'), /^Supabase answered 522\. If/],
    [{ kind: 'cut' }, /broke off/],
    [{ kind: 'hang' }, /did not answer in time.*paused/],
  ] as [RestFault, RegExp][])('%o', async (fault, reason) => {
    const error = await openStoreDuring(fault)
      .newest(1)
      .catch((rejected) => rejected);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toMatch(reason);
    expect(error.message).not.toContain(double.publicKey);
  });

  test('without the migration of sensors, the error of every call names the migration', async () => {
    await double.run(
      'drop function insert_readings, sensors, sensors_page; alter table data drop column sensor cascade',
    );
    const insert = () => store.insert({ co2: 1, voc: 1 });
    for (const call of [() => store.newest(1), () => store.count(1), () => store.sensors(), insert]) {
      const error = await call().catch((rejected) => rejected);
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(error.message).toContain(
        `The Supabase project lacks the migration 20261128090000_readings.sql. Apply`,
      );
    }
  });

  test('without the columns of newer metrics, reads the others, and names the column when such a metric is sent', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await double.run(WITHOUT_METRICS);
    const { reading } = await store.insert({ co2: 1, voc: 2 });
    expect(await Promise.all([store.newest(5), store.newest(5)])).toEqual([[reading], [reading]]);
    expect(warn).toHaveBeenCalledWith(
      '[airboard] the Supabase project has no column voc_index: only co2, voc are read. Apply supabase/migrations to the project.',
    );
    const refused = store.insert({ co2: 1, voc: 2, pm25: 3 });
    await expect(refused).rejects.toThrow('lacks a column, pm25. Apply supabase/migrations to the project.');
    await expect(refused).rejects.toThrow(NOT_STORED);
    await double.run(
      "select add_metrics('voc_index', 'nox_index', 'pm25', 'pm10', 'temperature', 'humidity')",
    );
    const { reading: other } = await store.insert({ co2: null, voc: null, pm25: 3 });
    expect(other).toMatchObject({ pm25: 3 });
    expect(await store.newest(5)).toEqual([reading, other]);
    warn.mockRestore();
  });

  test('an error message never contains the key, even if the project repeats it', async () => {
    double.rest.fault = () => answer(400, { message: `no such key: ${double.publicKey}` });
    const error = await store.newest(1).catch((rejected) => rejected);
    expect(error.message).toContain('no such key: …');
  });

  test('a call fails if the server accepts the connection and never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const error = await openStore(double.publicKey, {
      url: `http://127.0.0.1:${port}`,
      timeoutMs: TIMEOUT_MS,
    })
      .count(10)
      .catch((rejected) => rejected);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    silent.close();
  });
});

test("measures how far the database's clock is ahead or behind, and warns once if the difference is large", async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await store.insert({ co2: 1, voc: 1 });
  expect(store.clockLeadMs?.()).toBe(0);
  await double.run(
    `do $do$ begin
       execute replace(pg_get_functiondef('time_reading'::regproc), 'clock_timestamp()', $$clock_timestamp() - interval '10 min'$$);
     end $do$`,
  );
  for (const co2 of [2, 3]) await store.insert({ co2, voc: 1 });
  await store.insert({ co2: 4, voc: 1, created_at: '2026-01-02T10:00:00Z' });
  expect(Math.abs(Number(store.clockLeadMs?.()) + 600_000)).toBeLessThan(5000);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn).toHaveBeenCalledWith(
    expect.stringMatching(/^\[airboard\] the database's clock is \d+ s behind/),
  );
  warn.mockRestore();
  // A page opened later gets the clock's lead with its first data.
  const { initial } = await initialReadings(store, 100);
  expect(startPage(initial, 100, 0).leadsMs).toEqual([store.clockLeadMs?.()]);
});
