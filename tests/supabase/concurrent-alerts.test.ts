import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe.runIf(programs)('several servers of one project', () => {
  let server: PostgresServer;
  let owner: Session;
  const sessions: Session[] = [];

  async function open(): Promise<Session> {
    const session = server.session();
    sessions.push(session);
    await session.run('set role service_role');
    return session;
  }

  beforeAll(async () => {
    server = startPostgres(programs as string);
    owner = server.session();
    sessions.push(owner);
    await owner.run('create role anon; create role authenticated; create role service_role bypassrls');
    for (const sql of migrations()) await owner.run(sql);
  });

  beforeEach(() => owner.run('truncate alert_lease, alert_progress, alert_sensors'));

  afterAll(() => {
    for (const session of sessions) session.close();
    server?.stop();
  });

  const hold = (session: Session, server: number, seconds = 30) =>
    session.run(`select alert_hold('00000000-0000-0000-0000-00000000000${server}', ${seconds})`);
  const commit = (session: Session, token: string, cursor: number) =>
    session.run(
      `select alert_commit(${token}, '{"cursor": ${cursor}, "sensors": [], "transitions": [], "messages": []}')`,
    );
  const cursor = () => owner.run('select cursor from alert_progress');
  const untilWaiting = () =>
    until(async () => (await owner.run('select count(*) from pg_locks where not granted')) !== '0');

  test('a lease expires by the clock of the database, and not before', async () => {
    const [first, second] = [await open(), await open()];
    expect(await hold(first, 1, 30)).toBe('1');
    expect(await hold(second, 2)).toBe('');
    expect(await hold(first, 1, 1)).toBe('1');
    const token = await until(async () => (await hold(second, 2)) || null);
    expect(token).toBe('2');
    expect(await commit(first, '1', 5)).toBe('');
    expect(await commit(second, '2', 6)).toBe('t');
    expect(await cursor()).toBe('6');
  });

  test('a server that tries to take over waits for a running change, whose server then keeps the lease', async () => {
    const [first, second] = [await open(), await open()];
    expect(await hold(first, 1, 30)).toBe('1');
    await owner.run(`update alert_lease set until = '-infinity'`);
    await first.run('begin');
    expect(await commit(first, '1', 5)).toBe('t');
    const waiting = hold(second, 2);
    await untilWaiting();
    await first.run('commit');
    expect(await waiting).toBe('');
    expect(await cursor()).toBe('5');
  });

  test('a change waits for a server that is taking over, and then stores nothing', async () => {
    const [first, second] = [await open(), await open()];
    expect(await hold(first, 1, 0)).toBe('1');
    await second.run('begin');
    expect(await hold(second, 2)).toBe('2');
    const waiting = commit(first, '1', 5);
    await untilWaiting();
    await second.run('commit');
    expect(await waiting).toBe('');
    expect(await cursor()).toBe('');
  });

  test('only one of eight simultaneous requests gets a free or expired lease', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, open));
    for (const expected of ['1', '2']) {
      const given = await Promise.all(many.map((session, i) => hold(session, i + 1)));
      expect(given.filter((token) => token !== '')).toEqual([expected]);
      await owner.run(`update alert_lease set until = '-infinity', holder = gen_random_uuid()`);
    }
  });

  test('a change of 1,000 sensors, each with a transition and a message, takes less than a second', async () => {
    const session = await open();
    await hold(session, 1);
    const of = (from: string, members: string) =>
      `(select jsonb_agg(jsonb_build_object(${members})) from generate_series(1, 1000) as n ${from})`;
    const transition = `'sensor', n::text, 'at', '2026-01-02T00:00:00Z', 'to', 'poor'`;
    const startedAt = performance.now();
    await session.run(`select alert_commit(1, jsonb_build_object('cursor', 1,
      'sensors', ${of('', `'sensor', n::text, 'air', '{}'::jsonb, 'told', 'good', 'toldAt', null`)},
      'transitions', ${of('', `${transition}, 'from', 'good', 'since', '2026-01-02T00:00:00Z'`)},
      'messages', ${of('', `'id', n::text, 'createdAt', '2026-01-02T00:00:00Z', 'event', '{}', 'addresses', '["a", "b"]'::jsonb, 'transition', jsonb_build_object(${transition})`)}
    ))`);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(await owner.run('select count(*) from alert_deliveries')).toBe('2000');
    const askedAt = performance.now();
    const waiting = await session.run(`select alert_waiting(1, 'a', 8) ->> 'sensors'`);
    expect(performance.now() - askedAt).toBeLessThan(1000);
    expect(waiting).toBe('1000');
  });

  test('queries use indexes, even with query plans made for small tables', async () => {
    const session = server.session();
    sessions.push(session);
    await hold(session, 1);
    const message = `{"id": "a", "createdAt": "2026-01-02T00:00:00Z", "event": "{}", "addresses": ["b"], "transition": null}`;
    const scans = async () => {
      await session.run('begin');
      await session.run(
        `select alert_commit(1, '{"cursor": 1, "sensors": [], "transitions": [], "messages": [${message}]}')`,
      );
      for (const call of [
        `waiting(1, 'b', 8)`,
        `summarize(1, 'b', '[]', 1, '{"id": "s", "createdAt": "2026-01-02T00:00:00Z", "event": "{}"}')`,
        `record(1, '{"messageId": "a", "address": "b", "at": "2026-01-02T00:00:00Z", "outcome": "retry", "answer": ""}')`,
        `last_transition('')`,
        'recent(10, 10)',
        'recent_messages(10, 10)',
        `prune(1, '2026-01-01T00:00:00Z', 10)`,
      ]) {
        await session.run(`select alert_${call}`);
      }
      const tables = `relname in ('alert_transitions', 'alert_messages', 'alert_deliveries', 'alert_attempts')`;
      const found = await session.run(`select sum(seq_scan) from pg_stat_xact_user_tables where ${tables}`);
      await session.run('rollback');
      return found;
    };
    expect(await scans()).toBe('0');
  });
});
