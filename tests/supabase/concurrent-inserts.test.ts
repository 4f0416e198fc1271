import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../support/supabase/pglite';
import {
  findPostgres,
  type PostgresServer,
  type Session,
  startPostgres,
} from '../support/supabase/postgres-server';
import { until } from '../support/until';

const programs = findPostgres();
if (!programs) console.log('No Postgres is installed: the tests with several sessions are skipped.');

describe.runIf(programs)('several sessions of the public key', () => {
  let server: PostgresServer;
  const sessions: Session[] = [];

  function open(): Session {
    const session = server.session();
    sessions.push(session);
    return session;
  }

  beforeAll(async () => {
    server = startPostgres(programs as string);
    const owner = open();
    await owner.run('create role anon; create role authenticated; create role service_role bypassrls');
    for (const sql of migrations()) await owner.run(sql);
  });

  afterAll(() => {
    for (const session of sessions) session.close();
    server?.stop();
  });

  const batch = (count: number, sensor: string) =>
    Array.from({ length: count }, (_, i) => ({
      co2: i,
      voc: null,
      sensor: `${sensor}${i % 3}`,
      created_at: new Date(Date.UTC(2026, 0, 2) + i).toISOString(),
    }));

  /** Inserts readings, and returns the number of each outcome, such as `stored|500`. */
  const insert = (session: Session, readings: unknown[]) =>
    session.run(
      `set role anon;
       select item ->> 'outcome', count(*) from jsonb_array_elements(insert_readings('${JSON.stringify(readings)}')) item
       group by 1 order by 1`,
    );

  test('insert the same batch: the second session waits for the first, then reports only duplicates', async () => {
    const [first, second, observer] = [open(), open(), open()];
    await first.run('begin');
    expect(await insert(first, batch(500, 'a'))).toBe('stored|500');
    const waiting = insert(second, batch(500, 'a'));
    await until(async () => (await observer.run(`select count(*) from pg_locks where not granted`)) !== '0');
    await first.run('commit');
    expect(await waiting).toBe('duplicate|500');
  });

  test('insert a batch that another session rolls back: the second session stores it', async () => {
    const [first, second, observer] = [open(), open(), open()];
    await first.run('begin');
    await insert(first, batch(10, 'b'));
    const waiting = insert(second, batch(10, 'b'));
    await until(async () => (await observer.run(`select count(*) from pg_locks where not granted`)) !== '0');
    await first.run('rollback');
    expect(await waiting).toBe('stored|10');
  });

  test('insert the same batches in opposite orders, 20 times: each reading is stored once, without errors', async () => {
    const writers = Array.from({ length: 6 }, open);
    for (let round = 0; round < 20; round++) {
      const readings = batch(200, `round ${round} `);
      const results = await Promise.all(
        writers.map((writer, i) => insert(writer, i % 2 === 0 ? readings : readings.toReversed())),
      );
      expect(results.toSorted()).toEqual([...Array(5).fill('duplicate|200'), 'stored|200']);
    }
  });

  test('insert a reading that another client has inserted directly, but not committed: it is a duplicate', async () => {
    const [client, caller, observer] = [open(), open(), open()];
    const [reading] = batch(1, 'c');
    await client.run(
      `begin; set role anon; insert into data (co2, sensor, created_at) values (0, 'c0', '2026-01-02Z')`,
    );
    const waiting = insert(caller, [reading]);
    await until(async () => (await observer.run(`select count(*) from pg_locks where not granted`)) !== '0');
    await client.run('commit');
    expect(await waiting).toBe('duplicate|1');
  });

  test('insert readings without a time at once: each gets its own time', async () => {
    const writers = Array.from({ length: 4 }, open);
    const readings = Array.from({ length: 200 }, () => ({ co2: 1, voc: 1, sensor: 'timed' }));
    const results = await Promise.all(writers.map((writer) => insert(writer, readings)));
    expect(results).toEqual(Array(4).fill('stored|200'));
    expect(await open().run(`select count(distinct created_at) from data where sensor = 'timed'`)).toBe(
      '800',
    );
  });

  test('look up readings in an index, even with query plans made for a small table', async () => {
    const session = open();
    await session.run(`begin; truncate data; insert into data (co2) values (1), (2), (3); analyze data`);
    const scans = `select seq_scan from pg_stat_xact_user_tables where relname = 'data'`;
    const before = await session.run(scans);
    await insert(session, [...batch(10, 'small'), { co2: 1 }]);
    expect(await session.run(scans)).toBe(before);
    await session.run('rollback');
  });

  test('post while the owner empties the table and then inserts, without a deadlock', async () => {
    const [owner, caller, observer] = [open(), open(), open()];
    await owner.run('begin; truncate data');
    const waiting = insert(caller, batch(1, 'd'));
    await until(async () => (await observer.run(`select count(*) from pg_locks where not granted`)) !== '0');
    await owner.run('insert into data (co2) values (1); commit');
    expect(await waiting).toBe('stored|1');
  });

  test('send more than 1,000 readings: refused at once, even while another session writes', async () => {
    const [writer, caller] = [open(), open()];
    await writer.run('begin; insert into data (co2) values (1)');
    await expect(insert(caller, batch(1001, 'e'))).rejects.toThrow(/1001 readings are too many/);
    await writer.run('rollback');
  });

  test('send an invalid reading among 500: few statements find it', async () => {
    const session = open();
    const readings = batch(500, 'f').map((reading, i) => (i === 0 ? { ...reading, co2: 'NaN' } : reading));
    await session.run('set track_functions = pl');
    const calls = `select calls from pg_stat_xact_user_functions where funcname = 'insert_readings'`;
    await session.run('begin');
    expect(await insert(session, readings)).toBe('rejected|1\nstored|499');
    expect(Number(await session.run(`reset role; ${calls}`))).toBeLessThan(30);
    await session.run('rollback');
  });
});
