import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, migrate, migrationsBefore, openPostgres } from '../support/supabase/lite-server';

const LIMITS = JSON.stringify({ co2: { good: 1000, moderate: 2000 }, voc: { good: 400, moderate: 800 } });
/** The SQL of the calls that an earlier version of the server makes. */
const EARLIER = `select jsonb_build_array(
  history('', 1767312000, 1767398400, 3600, 0, '${LIMITS}'),
  history('', 1767312000, 1767398400, 60, 0, '${LIMITS}'),
  summary('', 1767312007, 1767398000, '${LIMITS}')) as answers`;

async function only<T>(database: Database, sql: string): Promise<T> {
  const { rows } = await database.query<Record<string, T>>(sql);
  return Object.values(rows[0] ?? {})[0] as T;
}

const errorOf = (database: Database, sql: string) =>
  database.exec(sql).then(
    () => 'no error',
    (error) => error.message,
  );

describe('a project with readings from before other metrics', () => {
  let database: Database;
  const content = () =>
    only<unknown>(
      database,
      `select jsonb_build_array(
         (select jsonb_agg(jsonb_build_array(id, created_at, co2, voc, sensor) order by id) from data),
         (select jsonb_agg(slots order by sensor, start) from slots), pg_relation_filenode('data'))`,
    );
  let before: unknown;
  let answers: unknown;

  beforeAll(async () => {
    database = await openPostgres();
    const [earlier, others] = migrationsBefore('20261124120000_metrics.sql');
    for (const sql of earlier) await database.exec(sql);
    await database.exec(
      `insert into data (co2, voc, sensor, created_at)
       select n, nullif(n % 7, 0), case n % 10 when 0 then 'rare' else '' end, '2026-01-02Z'::timestamptz + n * interval '100 s'
       from generate_series(0, 1999) n`,
    );
    before = await content();
    answers = await only(database, EARLIER);
    for (const sql of others) await database.exec(sql);
  });

  afterAll(() => database.close());

  test('keeps every reading and sum, without rewriting the table', async () => {
    expect(await content()).toEqual(before);
    expect(await only(database, 'select count(*)::int from metric_slots')).toBe(0);
  });

  test('answers an earlier version of the server as before, and accepts its readings', async () => {
    await database.exec('begin; set role anon');
    expect(await only(database, EARLIER)).toEqual(answers);
    const sent = JSON.stringify([{ co2: 1, voc: null, created_at: '2026-01-02T00:00:01Z' }]);
    expect(await only(database, `select insert_readings('${sent}')`)).toEqual([
      {
        outcome: 'stored',
        reading: {
          id: expect.any(Number),
          co2: 1,
          voc: null,
          created_at: '2026-01-02T00:00:01+00:00',
          sensor: '',
        },
      },
    ]);
    await database.exec('insert into data (co2, voc) values (1, 2); rollback');
  });

  test('publishes the columns of every metric', async () => {
    const columns = await only<string>(
      database,
      "select attnames::text from pg_publication_tables where tablename = 'data'",
    );
    expect(columns).toBe(
      '{id,created_at,co2,voc,sensor,voc_index,nox_index,pm25,pm10,temperature,humidity,pressure}',
    );
  });
});

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
    ['add metrics', "select add_metrics('radon')", /function add_metrics/],
    ['add slots', "insert into metric_slots values ('', 'pm25', 0, 1, 1, 1, 1)", /table metric_slots/],
    ['change slots', 'update metric_slots set sum = 0', /table metric_slots/],
    ['time slots again', "select time_metric_slots('{}', '{}', '{}')", /function time_metric_slots/],
  ])('may not %s', async (_, sql, permission) => {
    expect(await errorOf(database, sql)).toMatch(permission);
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
  const radon = (value: number, minute: number) => ({
    co2: null,
    voc: null,
    radon: value,
    created_at: `2026-01-02T10:0${minute}:00+00:00`,
    sensor: 'cellar',
  });
  const insert = (...readings: object[]) =>
    only<{ outcome: string; reading: object }[]>(
      database,
      `select insert_readings('${JSON.stringify(readings)}', '{radon}')`,
    );

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await database.exec("insert into data (co2, voc, pm25) values (1, 2, 3); select add_metrics('radon')");
    await database.exec('set role anon');
  });

  afterAll(() => database.close());

  test('is stored, recognized and bounded', async () => {
    const results = await insert(radon(50, 0), radon(350, 1), radon(50, 0), radon(51, 0), { radon: 'NaN' });
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'stored',
      'stored',
      'duplicate',
      'conflict',
      'rejected',
    ]);
    expect(results[1]?.reading).toMatchObject({ ...radon(350, 1), pm25: null });
  });

  test('is in the history, the summary and the newest reading of its sensor', async () => {
    const limits = JSON.stringify({ co2: {}, radon: { good: 100, moderate: 300 } });
    const totals = { values: 2, sum: 400, lowest: 50, highest: 350 };
    const seconds = { good: 0, moderate: 300, poor: 0 };
    const start = Date.UTC(2026, 0, 2, 10) / 1000;
    expect(
      await only(database, `select history('cellar', ${start}, ${start + 300}, 300, 0, '${limits}')`),
    ).toEqual([{ start, readings: 2, co2: null, voc: null, radon: { ...totals, seconds } }]);
    const minutes = await only<{ radon: object }[]>(
      database,
      `select history('cellar', ${start}, ${start + 300}, 60, 0, '${limits}')`,
    );
    expect(minutes.map((minute) => minute.radon)).toMatchObject([
      { sum: 50, seconds },
      { sum: 350, seconds: { moderate: 0 } },
    ]);
    expect(
      await only(database, `select summary('cellar', ${start}, ${start + 300}, '${limits}')`),
    ).toMatchObject({
      readings: 2,
      co2: null,
      radon: { ...totals, lowest_at: start, highest_at: start + 60, seconds, longest_poor: null },
    });
    const { rows } = await database.query("select co2, metrics from sensors() where sensor = 'cellar'");
    expect(rows).toEqual([{ co2: null, metrics: { radon: 350 } }]);
  });

  test('stays unchanged when the statement or rebuild_slots runs again', async () => {
    await database.exec('reset role; create table kept as table metric_slots');
    await database.exec("select add_metrics('radon', 'pm25'); select rebuild_slots()");
    const sql =
      'select count(*)::int from metric_slots full join kept using (sensor, metric, start) where metric_slots is distinct from kept';
    expect(await only(database, sql)).toBe(0);
    expect(await only(database, 'select other_metrics()')).toEqual(expect.arrayContaining(['pm25', 'radon']));
  });
});
