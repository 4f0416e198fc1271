import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, errorOf, migrate, openPostgres } from '../support/supabase/pglite';

/** Selects the time with microseconds, which JavaScript's `Date` lacks. */
const EXACT_TIME = `to_char(created_at at time zone 'UTC', 'HH24:MI:SS.US') as time`;

async function valuesOf(database: Database, sql: string): Promise<unknown[]> {
  const { rows } = await database.query<Record<string, unknown>>(sql);
  return rows.flatMap((row) => Object.values(row));
}

describe('the role of the public key', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
  });

  beforeEach(() => database.exec('reset role; truncate data restart identity; set role anon'));

  afterAll(() => database.close());

  const insertAll = async (readings: unknown[]) => {
    const [results] = await valuesOf(database, `select insert_readings('${JSON.stringify(readings)}')`);
    return results as { outcome: string; reason?: string; reading?: Record<string, unknown> }[];
  };

  test('gives a reading its time and its sensor', async () => {
    const { rows } = await database.query(
      `insert into data (co2, sensor, created_at) values (1, 'Bedroom', '2026-01-02T10:00:00.123456+01:00')
       returning sensor, ${EXACT_TIME}`,
    );
    expect(rows).toEqual([{ sensor: 'Bedroom', time: '09:00:00.123456' }]);
  });

  test.each([
    ['before 2000', `'1999-12-31T23:59:59.999999Z'`, /created_at 1999-12-31 .* is before 2000/],
    ['at the start of 2000', `'2000-01-01T00:00:00Z'`, /no error/],
    ['59 s ahead', `clock_timestamp() + interval '59 s'`, /no error/],
    ['61 s ahead', `clock_timestamp() + interval '61 s'`, /is more than 60 s ahead of the database's clock/],
    ['at no point', `'infinity'`, /is more than 60 s ahead of the database's clock/],
  ])('inserts a time %s within the bounds only', async (_, time, outcome) => {
    expect(await errorOf(database, `insert into data (co2, created_at) values (1, ${time})`)).toMatch(
      outcome,
    );
    await database.exec('reset role; set role service_role');
    const other = `insert into data (co2, created_at, sensor) values (1, ${time}, 'other')`;
    expect(await errorOf(database, other)).toMatch(outcome);
  });

  test.each([
    ['64 characters', `repeat('😀', 64)`, /no error/],
    ['65 characters', `repeat('x', 65)`, /data_sensor/],
    ['a space inside', `'Bed room'`, /no error/],
    ['a space before', `' Bedroom'`, /data_sensor/],
    ['a wide space after', `E'Bedroom\\u3000'`, /data_sensor/],
    ['a line break', `E'Bed\\nroom'`, /data_sensor/],
    ['a control character of Latin-1', `E'Bed\\u0085room'`, /data_sensor/],
    ['no value', 'null', /null value in column "sensor"/],
  ])('inserts a sensor with %s within the bounds only', async (_, sensor, outcome) => {
    expect(await errorOf(database, `insert into data (co2, sensor) values (1, ${sensor})`)).toMatch(outcome);
  });

  test('gets a separate time for each reading without one', async () => {
    await database.exec('insert into data (co2) select n from generate_series(1, 500) n');
    expect((await insertAll(Array(500).fill({ co2: 1 }))).every(({ outcome }) => outcome === 'stored')).toBe(
      true,
    );
    expect(await valuesOf(database, 'select count(distinct created_at) from data')).toEqual([1000]);
    expect(
      await valuesOf(
        database,
        `select count(*) from data where created_at > clock_timestamp() + interval '1 s'`,
      ),
    ).toEqual([0]);
  });

  test('gets the outcome of each reading from insert_readings, in order', async () => {
    const known = { co2: 1, voc: null, created_at: '2026-01-02T10:00:00.000001Z', sensor: 'a' };
    const row = {
      id: expect.any(Number),
      co2: 1,
      voc: null,
      created_at: '2026-01-02T10:00:00.000001+00:00',
      sensor: 'a',
    };
    const results = await insertAll([
      known,
      { ...known, id: 77, note: 'x' },
      { ...known, voc: 0 },
      { ...known, created_at: undefined, co2: 'NaN' },
      { ...known, created_at: '1999-12-31T23:59:59Z' },
      { ...known, sensor: 'x'.repeat(65) },
      { ...known, sensor: 'b', co2: null },
      { co2: 415.25, voc: '7' },
    ]);
    expect(results.slice(0, 3)).toEqual([
      { outcome: 'stored', reading: row },
      { outcome: 'duplicate', reading: row },
      { outcome: 'conflict', reading: row },
    ]);
    expect(results.slice(3, 7)).toEqual(
      [/data_co2_finite/, /is before 2000/, /data_sensor/, /data_metric/].map((reason) => ({
        outcome: 'rejected',
        reason: expect.stringMatching(reason),
      })),
    );
    expect(results[7]).toMatchObject({ outcome: 'stored', reading: { co2: 415.25, voc: 7, sensor: '' } });
    expect(await valuesOf(database, 'select count(*) from data')).toEqual([2]);
  });

  test('uses up no ids for duplicates', async () => {
    const readings = Array.from({ length: 10 }, (_, i) => ({
      co2: i,
      created_at: `2026-01-02T10:00:0${i}Z`,
    }));
    await insertAll(readings);
    await insertAll(readings);
    const [{ reading } = {}] = await insertAll([{ co2: 1 }]);
    expect(reading?.id).toBe(11);
  });

  test('stores nothing through insert_readings without its policy', async () => {
    await database.exec('reset role; begin; drop policy "Everyone adds readings" on data; set role anon');
    await expect(insertAll([{ co2: 1 }])).rejects.toThrow(/row-level security/);
    await database.exec('rollback');
  });

  test('a signed-in user may call no function', async () => {
    await database.exec('reset role; set role authenticated');
    await expect(insertAll([{ co2: 1 }])).rejects.toThrow(/permission denied for function insert_readings/);
    expect(await errorOf(database, 'select sensors()')).toMatch(/permission denied for function sensors/);
  });

  test('gets the newest reading and the first time of each sensor', async () => {
    await insertAll([
      { co2: 1, sensor: 'b', created_at: '2026-01-02T10:00:01Z' },
      { co2: 2, sensor: 'b', created_at: '2026-01-02T10:00:03Z' },
      { co2: 3, sensor: 'b', created_at: '2026-01-02T10:00:02Z' },
      { voc: 4, created_at: '2026-01-02T10:00:00Z' },
    ]);
    const { rows } = await database.query(
      `select sensor, id, co2, voc, ${EXACT_TIME}, to_char(first_heard at time zone 'UTC', 'SS') as first from sensors()`,
    );
    expect(rows).toEqual([
      { sensor: '', id: 4, co2: null, voc: '4', time: '10:00:00.000000', first: '00' },
      { sensor: 'b', id: 2, co2: '2', voc: null, time: '10:00:03.000000', first: '01' },
    ]);
    const whole = await valuesOf(database, 'select to_jsonb(sensors) from sensors()');
    const page = (parameters: string) =>
      valuesOf(database, `select to_jsonb(page) from sensors_page(${parameters}) as page`);
    expect(await page('')).toEqual(whole);
    expect(await page('at_most => 1')).toEqual(whole.slice(0, 1));
    expect(await page("after_sensor => '', at_most => 1")).toEqual(whole.slice(1));
    expect(await page("after_sensor => 'b'")).toEqual([]);
    await database.exec('reset role; truncate data; set role anon');
    expect(await valuesOf(database, 'select * from sensors()')).toEqual([]);
    expect(await page('')).toEqual([]);
  });
});

describe('with 100,000 readings of six sensors, the role of the public key', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await fill(1, 1000);
  });

  afterAll(() => database.close());

  /** Inserts readings. One sensor has most of them, and also the last one. */
  async function fill(first: number, last: number): Promise<void> {
    await database.exec(
      `reset role;
       insert into data (co2, voc, sensor, created_at)
       select n, n, case when n % 20 < 5 then 'sensor ' || n % 20 else '' end,
         '2026-01-02T10:00:00Z'::timestamptz + n * interval '1 second'
       from generate_series(${first}, ${last}) n`,
    );
    await database.exec('vacuum analyze data');
    await database.exec('set role anon');
  }

  const planOf = async (sql: string) => (await valuesOf(database, `explain ${sql}`)).join('\n');

  /** Returns the number of blocks read by a call of `sensors`. */
  async function blocksOfSensors(): Promise<number> {
    await database.query('select * from sensors()');
    const plan = (await valuesOf(database, 'explain (analyze, buffers) select * from sensors()')).join('\n');
    return Number(/shared hit=(\d+)/.exec(plan)?.[1]);
  }

  test('lists the sensors without reading their rows', async () => {
    const few = await blocksOfSensors();
    await fill(1001, 100_000);
    expect(await blocksOfSensors()).toBeLessThan(2 * few);
    expect(few).toBeLessThan(200);
  });

  test.each([
    [
      'the newest readings of all sensors',
      `created_at <= now() and (created_at < now() or (created_at = now() and id < 9))
       order by created_at desc, id desc limit 1000`,
      /data_time/,
    ],
    [
      'a day of all sensors',
      `created_at >= '2026-01-03' and created_at < '2026-01-04' order by created_at, id limit 1000`,
      /data_time/,
    ],
    [
      'the newest readings of a sensor',
      `sensor = 'sensor 3' order by created_at desc limit 1000`,
      /data_sensor_time/,
    ],
    [
      'a page of a sensor',
      `sensor = 'sensor 3' and created_at > '2026-01-02T12:00:00Z' order by created_at limit 1000`,
      /data_sensor_time/,
    ],
    // Most readings are of this sensor.
    [
      'the 5,760th newest reading of a sensor',
      `sensor = '' order by created_at desc limit 1 offset 5759`,
      /data_(sensor_)?time/,
    ],
    ['the readings after an id', 'id > 99000 order by id limit 1000', /data_pkey/],
    [
      'the readings of a rare sensor after an id',
      `sensor = 'sensor 3' and id > 9000 order by id desc limit 1000`,
      /data_pkey/,
    ],
  ])('reads %s from an index, without sorting', async (_, query, index) => {
    const plan = await planOf(`select * from data where ${query}`);
    expect(plan).toMatch(index);
    // The few readings of each time are sorted by id.
    expect(plan.replace(/Incremental Sort|Sort Key|Presorted/g, '')).not.toMatch(/Sort|Seq Scan/);
  });

  test('looks up the reading of a sensor and a time in the index', async () => {
    const plan = await planOf(`select * from data where sensor = '' and created_at = '2026-01-02T10:00:07Z'`);
    expect(plan).toMatch(/Index Scan using data_(sensor_)?time/);
  });
});
