import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { migrations } from '../support/supabase/pglite';
import {
  findPostgres,
  type PostgresServer,
  type Session,
  startPostgres,
} from '../support/supabase/postgres-server';
import { until } from '../support/until';

const programs = findPostgres();
const SENSORS = ['a', 'b', 'c', 'd'];
const ROUNDS = 40;

describe.runIf(programs)('slots, with several sessions', () => {
  let server: PostgresServer;
  let owner: Session;
  const sessions: Session[] = [];

  function open(): Session {
    const session = server.session();
    sessions.push(session);
    return session;
  }

  beforeAll(async () => {
    server = startPostgres(programs as string);
    owner = open();
    await owner.run('create role anon; create role authenticated; create role service_role bypassrls');
    for (const sql of migrations()) await owner.run(sql);
  });

  afterAll(() => {
    for (const session of sessions) session.close();
    server?.stop();
  });

  /** Returns the number of slots that differ from those computed from the readings. */
  const wrongSlots = () =>
    owner.run(`begin; create temporary table kept on commit drop as table slots; set client_min_messages = warning;
      select rebuild_slots(); select count(*) from slots full join kept using (sensor, start)
      where slots is distinct from kept; rollback`);

  /** Returns random readings within a few minutes, so that several sessions change the same slots. */
  function randomReadings(
    random: () => number,
    count: number,
  ): [co2: number, sensor: string, time: string][] {
    const below = (limit: number) => Math.floor(random() * limit);
    return Array.from({ length: count }, () => [
      below(2000),
      SENSORS[below(SENSORS.length)] as string,
      new Date(Date.UTC(2026, 0, 2) + below(3_000_000)).toISOString(),
    ]);
  }

  const direct = (readings: ReturnType<typeof randomReadings>) =>
    `insert into data (co2, sensor, created_at) values ${readings.map(([co2, sensor, time]) => `(${co2}, '${sensor}', '${time}')`).join(',')}
     on conflict do nothing`;
  const batch = (readings: ReturnType<typeof randomReadings>) =>
    `select count(*) from (select insert_readings('${JSON.stringify(readings.map(([co2, sensor, created_at]) => ({ co2, sensor, created_at })))}')) as inserted`;

  test('single readings, batches and direct inserts of several sensors in any order never deadlock', async () => {
    const random = seededRandom(1);
    const writers = Array.from({ length: 6 }, open);
    for (let round = 0; round < ROUNDS; round++) {
      const statements = writers.map((_, i) => {
        const readings = randomReadings(random, i === 0 ? 1 : 40);
        return i % 2 === 0 ? batch(readings) : direct(readings);
      });
      await Promise.all(writers.map((writer, i) => writer.run(`set role anon; ${statements[i]}`)));
    }
    expect(await wrongSlots()).toBe('0');
    expect(Number(await owner.run('select sum(readings) - 5000 from slots'))).toBeGreaterThan(0);
  });

  test('a writer that is killed at any moment leaves its readings and their sums, or neither', async () => {
    const random = seededRandom(2);
    const killer = open();
    for (let round = 0; round < ROUNDS; round++) {
      const writer = server.session();
      const pid = await writer.run('select pg_backend_pid()');
      const work = Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? batch : direct)(randomReadings(random, 30)),
      );
      const ended = writer.run(work.join(';')).then(
        () => 'done',
        () => 'killed',
      );
      // Kills the writer at a random moment, after a few statements.
      await killer.run(`select pg_sleep(${random() * 0.05}); select pg_terminate_backend(${pid})`);
      writer.close();
      await ended;
    }
    expect(await wrongSlots()).toBe('0');
  });

  test('deletions, updates and truncation wait for inserts, and leave exact sums', async () => {
    const random = seededRandom(3);
    const writers = Array.from({ length: 3 }, open);
    const changer = open();
    for (let round = 0; round < ROUNDS; round++) {
      const change = [
        `delete from data where id % 7 = ${round % 7}`,
        `update data set co2 = co2 + 1 where id % 5 = ${round % 5}`,
        'truncate data',
        `insert into data (co2, sensor) values (1, 'a')`,
      ][Math.floor(random() * 4)] as string;
      const inserts = writers.map((writer, i) =>
        writer.run((i % 2 === 0 ? batch : direct)(randomReadings(random, 30))),
      );
      await Promise.all([...inserts, changer.run(change)]);
    }
    expect(await wrongSlots()).toBe('0');
  });

  test('removing raw readings beside inserts leaves exact sums, and no reading counts twice', async () => {
    const random = seededRandom(4);
    const writers = Array.from({ length: 3 }, open);
    const remover = open();
    await owner.run('truncate data');
    const day = Date.UTC(2026, 0, 3) / 1000;
    const before = JSON.stringify(Object.fromEntries(SENSORS.map((sensor) => [sensor, day])));
    const sent = new Set<string>();
    let stored = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const inserts = writers.map(async (writer) => {
        const readings = randomReadings(random, 20).map(([co2, sensor, time]) => {
          // Few times, so that most are sent again.
          const created_at = new Date(Math.floor(Date.parse(time) / 20_000) * 20_000).toISOString();
          sent.add(`${sensor} ${created_at}`);
          return { co2, sensor, created_at };
        });
        const count = await writer.run(`set role service_role;
          select count(*) from jsonb_array_elements(insert_readings('${JSON.stringify(readings)}')) as item
          where item ->> 'outcome' = 'stored'`);
        stored += Number(count);
      });
      const newest = 'coalesce(max(id), 0) - 20';
      const remove = `set role service_role; select remove_raw('${before}', ${newest}, 100) from data`;
      await Promise.all([...inserts, remover.run(round % 3 === 2 ? remove : 'select 1')]);
    }
    const counted = Number(await owner.run('select sum(readings) from slots'));
    expect(counted).toBe(stored);
    expect(counted).toBeLessThanOrEqual(sent.size);
    expect(Number(await owner.run('select count(*) from data'))).toBeLessThan(counted);
    expect(await wrongSlots()).toBe('0');
  });

  test('an insert waits for an uncommitted insert of another client, even for another sensor', async () => {
    const [first, second] = [open(), open()];
    await first.run(`begin; insert into data (co2, sensor) values (1, 'a')`);
    const waiting = second.run(`insert into data (co2, sensor) values (2, 'b') returning id`);
    await until(async () => (await owner.run('select count(*) from pg_locks where not granted')) !== '0');
    const id = await first.run(`insert into data (co2, sensor) values (3, 'a') returning id; commit`);
    // Because it waits, ids are committed in order.
    expect(Number(await waiting)).toBeGreaterThan(Number(id));
  });

  test.each([4, 1.1])('a change reads only the slots around it (random_page_cost %d)', async (cost) => {
    const session = open();
    await session.run(
      `truncate data; alter table data disable trigger user;
       insert into data (co2, created_at)
       select n, '2026-01-01T00:00:01Z'::timestamptz + n * interval '5 min' from generate_series(1, 10000) n;
       alter table data enable trigger user; set client_min_messages = warning; select rebuild_slots();
       vacuum analyze data, slots; set random_page_cost = ${cost}`,
    );
    const fetched = async () =>
      Number(await session.run(`select idx_tup_fetch from pg_stat_xact_user_tables where relname = 'slots'`));
    const fetchedBy = async (change: string) => {
      await session.run('begin');
      const before = await fetched();
      await session.run(change);
      const count = (await fetched()) - before;
      await session.run('commit');
      return count;
    };
    const hours = Array.from({ length: 100 }, (_, n): [number, string, string] => [
      n,
      '',
      new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString(),
    ]);
    expect(await fetchedBy(batch(hours))).toBeLessThan(2000);
    expect(await fetchedBy('delete from data where id % 20 = 0')).toBeLessThan(60_000);
    expect(await fetchedBy(`update data set sensor = 'moved' where id % 20 = 1`)).toBeLessThan(120_000);
    expect(await wrongSlots()).toBe('0');
  });
});
