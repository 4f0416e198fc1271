import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, errorOf, migrate, openPostgres } from '../support/supabase/pglite';

describe('on a real Postgres, the role of the public key', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await database.exec('insert into data (co2, voc) values (415, 80)');
  });

  beforeEach(() => database.exec('reset role; set role anon'));

  afterAll(() => database.close());

  test('reads readings', async () => {
    const { rows } = await database.query<{ co2: string }>('select co2 from data order by id limit 1');
    expect(rows.map(({ co2 }) => Number(co2))).toEqual([415]);
  });

  test('inserts co2 and voc, and gets them back with an id and a time', async () => {
    const { rows } = await database.query<{ id: number; created_at: Date }>(
      'insert into data (co2, voc) values (1.5, -2) returning *',
    );
    expect(rows[0]).toMatchObject({ id: expect.any(Number), co2: '1.5', voc: '-2' });
    expect(Math.abs(Number(rows[0]?.created_at) - Date.now())).toBeLessThan(60_000);
  });

  test.each([
    ['insert an id', 'insert into data (id, co2, voc) overriding system value values (77, 1, 1)'],
    ['change a reading', 'update data set co2 = 1'],
    ['delete a reading', 'delete from data'],
    ['empty the table', 'truncate data'],
    ['reference the table', 'create table other (id bigint references data)'],
  ])('may not %s', async (_, sql) => {
    expect(await errorOf(database, sql)).toMatch(/permission denied for (table data|schema public)/);
  });

  test.each(['NaN', 'Infinity', '-Infinity', '1e309'])('cannot insert %s', async (value) => {
    expect(await errorOf(database, `insert into data (co2, voc) values ('${value}', 1)`)).toMatch(
      /data_co2_finite/,
    );
    expect(await errorOf(database, `insert into data (co2, voc) values (1, '${value}')`)).toMatch(
      /data_voc_finite/,
    );
  });

  test('inserts every JSON number, but not one with more decimals', async () => {
    for (const value of ['5e-324', '2.2250738585072014e-308', '1.7976931348623157e308']) {
      expect(await errorOf(database, `insert into data (co2, voc) values (${value}, -${value})`)).toBe(
        'no error',
      );
    }
    const long = `1.${'1'.repeat(325)}`;
    expect(await errorOf(database, `insert into data (co2, voc) values (${long}, 1)`)).toMatch(
      /data_co2_decimals/,
    );
    expect(await errorOf(database, `insert into data (co2, voc) values (1, ${long})`)).toMatch(
      /data_voc_decimals/,
    );
  });

  test('cannot insert a reading without metrics', async () => {
    expect(await errorOf(database, 'insert into data default values')).toMatch(/data_metric/);
    expect(await errorOf(database, 'insert into data (co2) values (1)')).toBe('no error');
    expect(await errorOf(database, 'insert into data (voc) values (1)')).toBe('no error');
  });

  test('the role of signed-in users may do nothing', async () => {
    await database.exec('reset role; set role authenticated');
    expect(await errorOf(database, 'select * from data')).toMatch(/permission denied for table data/);
  });

  test('cannot insert without its policy, while the role of the secret key still can', async () => {
    await database.exec('reset role; begin; drop policy "Everyone adds readings" on data; set role anon');
    await database.exec('savepoint one');
    expect(await errorOf(database, 'insert into data (co2, voc) values (1, 1)')).toMatch(
      /row-level security/,
    );
    await database.exec('rollback to one; set role service_role');
    const { rows } = await database.query('insert into data (co2, voc) values (1, 1) returning id');
    expect(rows).toHaveLength(1);
    await database.exec('rollback');
  });
});

describe('a project with readings', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await database.exec(
      `insert into data (co2, sensor, created_at)
       select n, 's' || n % 2, '2026-01-02T10:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(0, 99) n`,
    );
  });

  afterAll(() => database.close());

  test('deletes its oldest readings and their sums, in steps, only with the secret key', async () => {
    const prune = `select prune_readings('2026-01-02T11:00:00Z', 40) as deleted`;
    await database.exec('set role anon');
    await expect(database.query(prune)).rejects.toThrow(/permission denied for function prune_readings/);
    await database.exec('reset role; set role service_role');
    const deleted = [];
    for (let i = 0; i < 3; i++) deleted.push(...(await database.query(prune)).rows);
    expect(deleted).toEqual([{ deleted: 40 }, { deleted: 20 }, { deleted: 0 }]);
    await database.exec('reset role');
    const left = `select min(created_at) = '2026-01-02T11:00:00Z' as is_first, count(*) = 40 as are_others from data`;
    expect((await database.query(left)).rows).toEqual([{ is_first: true, are_others: true }]);
    expect((await database.query('select sum(readings)::integer as readings from slots')).rows).toEqual([
      { readings: 40 },
    ]);
  });
});

test('adds only the table data to the publication of Realtime', async () => {
  const database = await openPostgres();
  await migrate(database);
  const { rows } = await database.query('select schemaname, tablename from pg_publication_tables');
  expect(rows).toEqual([{ schemaname: 'public', tablename: 'data' }]);
  await database.close();
});

test('applies to a Postgres without that publication', async () => {
  const database = await openPostgres({ isSupabase: false });
  await migrate(database);
  await database.exec('set role anon; insert into data (co2, voc) values (1, 1)');
  expect((await database.query('select id from data')).rows).toEqual([{ id: 1 }]);
  await database.close();
});
