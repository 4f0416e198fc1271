import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReadingStore } from '../../app/store/reading-store';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { noteContract } from '../contracts/note-contract';
import { roomContract } from '../contracts/room-contract';
import { temporaryFolder } from '../support/server/server';
import { type LiteServer, startLite } from '../support/supabase/lite-server';
import { type Database, errorOf, migrate, openPostgres } from '../support/supabase/pglite';

/** A long timeout, because a Postgres in WebAssembly is slow on a busy machine. */
const PATIENT_MS = 30_000;
const MIGRATION = '20261128093000_rooms_and_notes.sql';

const openStore = (lite: LiteServer, key: 'publicKey' | 'secretKey' = 'secretKey'): ReadingStore =>
  openSupabaseStore({ ...lite, serverKey: lite[key] }, PATIENT_MS);

const note = { sensor: 'Office', from: '2026-01-02T10:00:00.000Z', to: null, text: 'candles' };
const day = { sensor: 'Office', day: 1_767_312_000, key: 'one', findings: '{}' };

describe('the notes of a real PostgREST-compatible server, with the secret key', () => {
  noteContract(async () => {
    const lite = await startLite();
    return { store: openStore(lite).notes, reopen: async () => openStore(lite).notes, close: lite.stop };
  });
});

describe('the findings of a real PostgREST-compatible server, with the secret key', () => {
  roomContract(async () => {
    const lite = await startLite();
    const insert = (sensor: string) => openStore(lite).insert({ co2: 1, voc: 1, sensor });
    const open = () => openStore(lite).room;
    return { store: open(), insert, reopen: async () => open(), close: lite.stop };
  });
});

test('with the public key, notes can be added and listed, but not removed, and findings stay in memory', async () => {
  const lite = await startLite();
  const store = openStore(lite, 'publicKey');
  expect(store.room.isLasting).toBe(false);
  const { id } = await store.notes.add(note);
  expect(await store.notes.list({ sensor: 'Office' })).toEqual([{ ...note, id }]);
  await expect(store.notes.remove(id)).rejects.toThrow(
    "Deleting a Supabase project's notes needs its secret key: set SUPABASE_SECRET_KEY on the server.",
  );
  await expect(store.notes.add({ ...note, text: 'can\0dles' })).rejects.toMatchObject({
    name: 'ReadingRejectedError',
    message: expect.stringMatching(/^The database rejected the note: invalid byte sequence/),
  });
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${lite.url}/rest/v1/${path}`, {
      method,
      headers: { apikey: lite.publicKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send('DELETE', `notes?id=eq.${id}`);
  await send('PATCH', `notes?id=eq.${id}`, { text: 'forged' });
  await openStore(lite).insert({ co2: 1, voc: 1, sensor: 'Office' });
  await openStore(lite).room.keep([day]);
  expect(await (await send('GET', 'room_days')).text()).not.toContain('Office');
  expect((await send('POST', 'rpc/room_keep', { days: [day] })).ok).toBe(false);
  expect(await store.notes.list({})).toEqual([{ ...note, id }]);
  expect(await openStore(lite).notes.remove(id)).toBe(true);
  await lite.stop();
});

test('without the migration, notes fail with its name, and findings stay in memory, which is logged once', async () => {
  const folder = temporaryFolder();
  for (const name of readdirSync('supabase/migrations').filter((name) => name < MIGRATION))
    cpSync(join('supabase/migrations', name), join(folder, name));
  const lite = await startLite(folder);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { room, notes } = openStore(lite);
  const span = { sensor: 'Office', from: day.day, to: day.day + 86_400 };
  await room.keep([day]);
  expect(await room.days(span)).toEqual([day]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(
      `^\\[airboard\\] findings about rooms are kept in memory: .*lacks the migration ${MIGRATION}`,
    ),
  );
  warn.mockRestore();
  for (const call of [() => notes.list({}), () => notes.add(note), () => notes.remove(1)]) {
    await expect(call()).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      message: expect.stringContaining(`The Supabase project lacks the migration ${MIGRATION}.`),
    });
  }
  await lite.stop();
});

describe('on a real Postgres', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgres();
    await migrate(database);
    await database.exec(
      `insert into data (co2, sensor, created_at)
       select n, 'Office', '2026-01-02T10:00:00Z'::timestamptz + n * interval '1 hour' from generate_series(0, 99) n`,
    );
  });

  beforeEach(() => database.exec('reset role; truncate notes, room_days'));

  afterAll(() => database.close());

  const insert = (values: string) =>
    errorOf(database, `insert into notes (sensor, begins_at, ends_at, text) values (${values})`);

  test.each([
    ['an empty text', "'', '2026-01-02Z', null, ''", 'notes_text'],
    ['a text of 201 characters', "'', '2026-01-02Z', null, repeat('é', 201)", 'notes_text'],
    ['a text of two lines', "'', '2026-01-02Z', null, E'one\\ntwo'", 'notes_text'],
    ['a text with spaces around it', "'', '2026-01-02Z', null, 'one '", 'notes_text'],
    ['an end at the beginning', "'', '2026-01-02Z', '2026-01-02Z', 'x'", 'notes_order'],
    ['a beginning before 2000', "'', '1999-12-31T23:59:59Z', null, 'x'", 'notes_times'],
    ['an infinite beginning', "'', 'infinity', null, 'x'", 'notes_times'],
    ['an infinite end', "'', '2026-01-02Z', 'infinity', 'x'", 'notes_times'],
    ['a sensor of 65 characters', "repeat('x', 65), '2026-01-02Z', null, 'x'", 'notes_sensor'],
    ['a sensor with spaces around it', "' x', '2026-01-02Z', null, 'x'", 'notes_sensor'],
  ])('the public key adds no note with %s', async (_, values, constraint) => {
    await database.exec('set role anon');
    expect(await insert(values)).toContain(`violates check constraint "${constraint}"`);
  });

  test('the public key adds notes of 200 characters, and may not set ids, update, delete or truncate', async () => {
    await database.exec('set role anon');
    expect(await insert("'', '2026-01-02Z', '2026-01-03Z', repeat('🪟', 200)")).toBe('no error');
    for (const sql of [
      "insert into notes (id, begins_at, text) overriding system value values (7, '2026-01-02Z', 'x')",
      "update notes set text = 'x'",
      'delete from notes',
      'truncate notes',
      'select * from room_days',
      "insert into room_days values ('', 0, '', '')",
    ])
      expect(await errorOf(database, sql), sql).toMatch(/permission denied for table (notes|room_days)/);
    for (const call of ["room_load('', 0, 1, 1)", "room_keep('[]')"])
      expect(await errorOf(database, `select ${call}`)).toMatch(/permission denied for function room_/);
    await database.exec('reset role; set role authenticated');
    expect(await errorOf(database, 'select * from notes')).toMatch(/permission denied for table notes/);
  });

  test('without its policy, the public key adds no notes, and the secret key does', async () => {
    await database.exec('begin; drop policy "Everyone adds notes" on notes; set role anon; savepoint one');
    expect(await insert("'', '2026-01-02Z', null, 'x'")).toMatch(/row-level security/);
    await database.exec('rollback to one; set role service_role');
    expect(await insert("'', '2026-01-02Z', null, 'x'")).toBe('no error');
    await database.exec('rollback');
  });

  test('prune_readings also removes notes that ended before its time, and findings about whole days before it', async () => {
    await database.exec(
      `insert into notes (begins_at, ends_at, text) values ('2026-01-02Z', null, 'old'),
         ('2026-01-03Z', '2026-01-03T12:00:00Z', 'ends then'), ('2026-01-04Z', null, 'new');
       insert into room_days select 'Office', extract(epoch from '2026-01-01Z'::timestamptz) + n * 86400, 'k', '{}'
       from generate_series(0, 3) n;
       set role service_role`,
    );
    const prune = (atMost: number) =>
      database.query(`select prune_readings('2026-01-03T12:00:00Z', ${atMost}) as deleted`);
    const left = async () =>
      (
        await database.query<object>(
          "select (select string_agg(text, ' ' order by id) from notes) as notes, (select count(*)::int from room_days) as days",
        )
      ).rows;
    expect((await prune(20)).rows).toEqual([{ deleted: 20 }]);
    await database.exec('reset role');
    expect(await left()).toEqual([{ notes: 'old ends then new', days: 4 }]);
    await database.exec('set role service_role');
    expect((await prune(20)).rows).toEqual([{ deleted: 6 }]);
    await database.exec('reset role');
    expect(await left()).toEqual([{ notes: 'ends then new', days: 2 }]);
  });
});
