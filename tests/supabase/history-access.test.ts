import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, errorOf, migrate, migrations, openPostgres } from '../support/supabase/pglite';

const LIMITS = JSON.stringify({ co2: { good: 1000, moderate: 2000 }, voc: { good: 220, moderate: 660 } });
/** The history of 2026 in one step. */
const HISTORY = `select history('', 1767225600 - 604800, 1798761600, 31536000, 0, '${LIMITS}') as steps`;

async function countedBy(database: Database): Promise<number> {
  const { rows } = await database.query<{ steps: { readings: number }[] }>(HISTORY);
  return rows[0]?.steps.reduce((sum, { readings }) => sum + readings, 0) ?? Number.NaN;
}

describe('on a real Postgres, the role of the public key', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await database.exec(`insert into data (co2, created_at) values (1, '2026-01-02Z'), (2, '2026-01-03Z')`);
  });

  beforeEach(() => database.exec('reset role; set role anon'));

  afterAll(() => database.close());

  test('gets the history', async () => {
    expect(await countedBy(database)).toBe(2);
  });

  test('gets the answer in docs/supabase.md', async () => {
    const docs = readFileSync('docs/supabase.md', 'utf8');
    const [, answer = ''] = /415 PPM at 10:05.*?```json\n(.*?)```/s.exec(docs) ?? [];
    const [, since, until] = /since: (\d+),\s+until: (\d+)/.exec(docs) ?? [];
    await database.exec(
      `reset role; begin; truncate data; insert into data (co2, created_at) values
       (415, '2026-01-02T10:05:00Z'), (1415.5, '2026-01-02T10:30:00Z'); set role anon`,
    );
    const { rows } = await database.query(
      `select history('', ${since}, ${until}, 3600, 0, '${LIMITS}') as steps`,
    );
    await database.exec('rollback');
    expect(rows).toEqual([{ steps: JSON.parse(answer) }]);
  });

  test.each([
    ['add slots', `insert into slots values ('', 0, 1, 1, 1, 1, 1, 0, 0, null, null)`, /table slots/],
    ['change slots', 'update slots set co2_sum = 0', /table slots/],
    ['delete slots', 'delete from slots', /table slots/],
    ['empty slots', 'truncate slots', /table slots/],
    ['compute slots again', 'select rebuild_slots()', /function rebuild_slots/],
    ['count readings again', `select count_slots('', 0, 2000000000)`, /function count_slots/],
    ['time slots again', `select time_slots('{}', '{}', '{}')`, /function time_slots/],
  ])('may not %s', async (_, sql, permission) => {
    const error = await errorOf(database, sql);
    expect(error).toMatch(/permission denied for/);
    expect(error).toMatch(permission);
  });

  test('gets no history without the policy to read readings, while the role of the secret key does', async () => {
    await database.exec('reset role; begin; drop policy "Everyone reads readings" on data; set role anon');
    expect(await countedBy(database)).toBe(0);
    expect((await database.query('select * from slots')).rows).toEqual([]);
    await database.exec('reset role; set role service_role');
    expect(await countedBy(database)).toBe(2);
    await database.exec('rollback');
  });

  test('the role of signed-in users may do nothing', async () => {
    await database.exec('reset role; set role authenticated');
    expect(await errorOf(database, HISTORY)).toMatch(/permission denied for function history/);
    expect(await errorOf(database, 'select * from slots')).toMatch(/permission denied for table slots/);
  });
});

describe('a project with earlier readings', () => {
  const NOTICE = /^Slots of sensor "(.*)" until (.*): (\d+) % computed$/;

  /** Opens a project with readings from before slots, and applies the other migrations, which compute the slots. */
  async function openFilled() {
    const database = await openPostgres();
    const [readings = '', ...others] = migrations();
    await database.exec(readings);
    await database.exec(
      `insert into data (co2, voc, sensor, created_at)
       select n, n, case n % 10 when 0 then 'rare' else '' end, '2026-01-02Z'::timestamptz + n * interval '10 min'
       from generate_series(0, 9999) n;
       alter table data disable trigger user;
       insert into data (co2, created_at) values (1, 'infinity'), (1, '-infinity');
       alter table data enable trigger user`,
    );
    const notices: string[] = [];
    const onNotice = ({ message = '' }: { message?: string }) => notices.push(message);
    for (const sql of others) await database.exec(sql, { onNotice });
    return {
      database,
      progress: notices.map((notice) => NOTICE.exec(notice)).filter((match) => match !== null),
    };
  }

  test('gets its slots, and reports the progress for each sensor and month', async () => {
    const { database, progress } = await openFilled();
    expect(await countedBy(database)).toBe(9000);
    const { rows } = await database.query('select min(start), count(*) from slots');
    expect(rows).toEqual([{ min: Date.UTC(2026, 0, 2) / 1000, count: 10_000 }]);
    for (const sensor of ['', 'rare']) {
      const shares = progress.filter(([, name]) => name === sensor).map(([, , , share]) => Number(share));
      expect(shares.length).toBeGreaterThan(2);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1)).toBe(100);
    }
    await database.close();
  });

  test('gets the same slots from rebuild_slots after rows were changed without the triggers', async () => {
    const { database } = await openFilled();
    await database.exec('create table kept as table slots');
    await database.exec(`
      alter table data disable trigger user; update data set co2 = 407 where co2 = 408;
      alter table data enable trigger user; update slots set readings = 9 where start % 900 = 0; delete from slots where start % 1200 = 0
    `);
    await database.exec('select rebuild_slots()');
    const { rows } = await database.query<{ co2_sum: string }>(
      'select slots.* from slots full join kept using (sensor, start) where slots is distinct from kept',
    );
    expect(rows.map(({ co2_sum }) => Number(co2_sum))).toEqual([407]);
    await database.close();
  });
});
