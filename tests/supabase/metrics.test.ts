import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, errorOf, migrate, openPostgres } from '../support/supabase/pglite';

async function only<T>(database: Database, sql: string): Promise<T> {
  const { rows } = await database.query<Record<string, T>>(sql);
  return Object.values(rows[0] ?? {})[0] as T;
}

describe('the role of the public key', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
  });

  beforeEach(() => database.exec('reset role; truncate data; set role anon'));

  afterAll(() => database.close());

  test.each(['NaN', 'Infinity', '-Infinity', '1e309', `1.${'1'.repeat(325)}`])(
    'cannot insert %.10s as another metric, and the owner cannot store it',
    async (value) => {
      const violation = /violates check constraint "data_pm25_finite"/;
      expect(await errorOf(database, `insert into data (temperature, pm25) values (1, '${value}')`)).toMatch(
        violation,
      );
      await database.exec('insert into data (pm25) values (1); reset role');
      expect(await errorOf(database, `update data set pm25 = '${value}'`)).toMatch(violation);
      expect(await errorOf(database, 'update data set pm25 = null')).toMatch(/data_metric/);
    },
  );

  test.each([
    ['add metrics', "select add_metrics('so2')", /function add_metrics/],
    ['add slots', "insert into metric_slots values ('', 'pm25', 0, 1, 1, 1, 1)", /table metric_slots/],
    ['change slots', 'update metric_slots set sum = 0', /table metric_slots/],
    ['time slots again', "select time_metric_slots('{}', '{}', '{}')", /function time_metric_slots/],
  ])('may not %s', async (_, sql, permission) => {
    expect(await errorOf(database, sql)).toMatch(permission);
  });

  test('gets the columns of every metric from Realtime', async () => {
    const columns = await only<string>(
      database,
      "select attnames::text from pg_publication_tables where tablename = 'data'",
    );
    expect(columns).toBe(
      '{id,created_at,co2,voc,sensor,voc_index,nox_index,pm25,pm10,temperature,humidity,pressure,raw,' +
        'hcho,co,no2,o3,radon,pm1,pm4,noise,light}',
    );
  });

  test('gets no sums of other metrics without the policy to read readings', async () => {
    await database.exec('insert into data (pm25) values (1)');
    expect(await only(database, 'select count(*)::int from metric_slots')).toBe(1);
    await database.exec('reset role; begin; drop policy "Everyone reads readings" on data; set role anon');
    expect(await only(database, 'select count(*)::int from metric_slots')).toBe(0);
    await database.exec('rollback');
  });

  test('gets an error that names a metric without a column, before anything is stored', async () => {
    const sent = `insert_readings('[{"co2": 1, "argon": 2}]', '{pm25,argon}')`;
    await expect(database.query(`select ${sent}`)).rejects.toThrow('column data.argon does not exist');
    expect(await only(database, 'select count(*)::int from data')).toBe(0);
  });
});

describe('a metric added by one statement', () => {
  let database: Database;
  const so2 = (value: number, minute: number) => ({
    co2: null,
    voc: null,
    so2: value,
    created_at: `2026-01-02T10:0${minute}:00+00:00`,
    sensor: 'cellar',
  });
  const insert = (...readings: object[]) =>
    only<{ outcome: string; reading: object }[]>(
      database,
      `select insert_readings('${JSON.stringify(readings)}', '{so2}')`,
    );

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await database.exec("insert into data (co2, voc, pm25) values (1, 2, 3); select add_metrics('so2')");
    await database.exec('set role anon');
  });

  afterAll(() => database.close());

  test('is stored, recognized and bounded', async () => {
    const results = await insert(so2(50, 0), so2(350, 1), so2(50, 0), so2(51, 0), { so2: 'NaN' });
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'stored',
      'stored',
      'duplicate',
      'conflict',
      'rejected',
    ]);
    expect(results[1]?.reading).toMatchObject({ ...so2(350, 1), pm25: null });
  });

  test('is in the history, the summary and the newest reading of its sensor', async () => {
    const limits = JSON.stringify({ co2: {}, so2: { good: 100, moderate: 300 } });
    const totals = { values: 2, sum: 400, lowest: 50, highest: 350 };
    const seconds = { good: 0, moderate: 300, poor: 0 };
    const start = Date.UTC(2026, 0, 2, 10) / 1000;
    expect(
      await only(database, `select history('cellar', ${start}, ${start + 300}, 300, 0, '${limits}')`),
    ).toEqual([{ start, readings: 2, co2: null, voc: null, so2: { ...totals, seconds } }]);
    const minutes = await only<{ so2: object }[]>(
      database,
      `select history('cellar', ${start}, ${start + 300}, 60, 0, '${limits}')`,
    );
    expect(minutes.map((minute) => minute.so2)).toMatchObject([
      { sum: 50, seconds },
      { sum: 350, seconds: { moderate: 0 } },
    ]);
    expect(
      await only(database, `select summary('cellar', ${start}, ${start + 300}, '${limits}')`),
    ).toMatchObject({
      readings: 2,
      co2: null,
      so2: { ...totals, lowest_at: start, highest_at: start + 60, seconds, longest_poor: null },
    });
    const { rows } = await database.query("select co2, metrics from sensors() where sensor = 'cellar'");
    expect(rows).toEqual([{ co2: null, metrics: { so2: 350 } }]);
  });

  test('stays unchanged when the statement or rebuild_slots runs again', async () => {
    await database.exec('reset role; create table kept as table metric_slots');
    await database.exec("select add_metrics('so2', 'pm25'); select rebuild_slots()");
    const sql =
      'select count(*)::int from metric_slots full join kept using (sensor, metric, start) where metric_slots is distinct from kept';
    expect(await only(database, sql)).toBe(0);
    expect(await only(database, 'select other_metrics()')).toEqual(expect.arrayContaining(['pm25', 'so2']));
  });
});
