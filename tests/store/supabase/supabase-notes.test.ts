import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSupabaseStore } from '../../../app/store/supabase/supabase-store.server';
import { type SupabaseDouble, startSupabaseDouble } from '../../support/supabase/supabase-double';

let double: SupabaseDouble;

beforeEach(async () => {
  double = await startSupabaseDouble();
});

afterEach(() => double.stop());

const open = (serverKey = double.secretKey) => openSupabaseStore({ ...double, serverKey });
const note = { sensor: 'Office', from: '2026-01-02T10:00:00.000Z', to: null, text: 'candles' };
const MISSING = 'The Supabase project lacks the migration 20261128093000_rooms_and_notes.sql.';

test('with the public key, adds and lists notes, and says that deleting a note needs the secret key', async () => {
  const { notes, room } = open(double.publicKey);
  expect(room.isLasting).toBe(false);
  const { id } = await notes.add(note);
  double.rest.requests.length = 0;
  await expect(notes.remove(id)).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    message:
      "Deleting a Supabase project's notes needs its secret key: set SUPABASE_SECRET_KEY on the server.",
  });
  expect(double.rest.requests).toEqual([]);
  expect(await notes.list({})).toEqual([{ ...note, id }]);
});

test('without the migration, notes fail with its name, and findings stay in memory, which is logged once', async () => {
  await double.run('drop table notes; drop function list_notes, room_load, room_keep');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { notes, room } = open();
  for (const call of [() => notes.list({}), () => notes.add(note), () => notes.remove(1)]) {
    await expect(call()).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      message: expect.stringContaining(MISSING),
    });
  }
  const day = { sensor: 'Office', day: 0, key: '', findings: '' };
  await room.keep([day]);
  expect(await room.days({ sensor: 'Office', from: 0, to: 1 })).toEqual([day]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(MISSING));
  warn.mockRestore();
});

test('says that a note was not stored, or that this is not known', async () => {
  const { notes } = open();
  await expect(notes.add({ ...note, to: note.from })).rejects.toMatchObject({
    name: 'ReadingRejectedError',
    message:
      'The database rejected the note: new row for relation "notes" violates check constraint "notes_order".',
  });
  double.rest.fault = () => ({ kind: 'cut', stored: true });
  await expect(notes.add(note)).rejects.toMatchObject({
    message: 'The connection to Supabase broke off. It is not known whether the note was stored.',
    mayBeStored: true,
  });
  await expect(open().notes.list({})).rejects.toThrow('The connection to Supabase broke off.');
  double.rest.fault = () => ({ kind: 'answer', status: 540, body: '' });
  await expect(notes.add(note)).rejects.toThrow(
    'The Supabase project is paused. Open it at supabase.com/dashboard and restore it. The note was not stored.',
  );
});
