import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Note } from '../../app/readings/note';
import { expectProblem } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

const KEY = 'correct-horse-battery';
const WITH_KEY = { Authorization: `Bearer ${KEY}` };

let server: RunningServer;
let guarded: RunningServer;
beforeAll(async () => {
  [server, guarded] = await Promise.all([startServer(), startServer({ env: { WRITE_KEY: KEY } })]);
});
afterAll(() => Promise.all([server.stop(), guarded.stop()]));

const send = (body: unknown, { url } = server, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/notes`, { method: 'POST', body: JSON.stringify(body), headers });

const remove = (id: number | string, { url } = server, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/notes?id=${id}`, { method: 'DELETE', headers });

const list = async (query = '', { url } = server): Promise<Note[]> =>
  (await fetch(`${url}/api/notes${query}`)).json();

const DAY = { from: '2026-01-31T10:00:00.000Z', to: '2026-01-31T10:12:00.000Z' };

test('a note can be stored, listed by sensor and span, and removed', async () => {
  const answer = await send({
    sensor: ' Den ',
    text: ' candles ',
    from: '2026-01-31 11:00+01:00',
    to: DAY.to,
  });
  expect(answer.status).toBe(201);
  const note = await answer.json();
  expect(note).toEqual({ id: expect.any(Number), sensor: 'Den', ...DAY, text: 'candles' });
  await send({ sensor: 'Den', text: 'window', from: '2026-01-31T09:00:00Z' });
  await send({ text: 'elsewhere', from: DAY.from });
  expect((await list('?sensor=Den')).map(({ text }) => text)).toEqual(['window', 'candles']);
  expect((await list('?sensor=')).map(({ text }) => text)).toEqual(['elsewhere']);
  // A note that ends in the selected span is listed; one that begins at its end isn't.
  expect(await list('?sensor=Den&from=2026-01-31T10:05:00Z&to=2026-01-31T10:06:00Z')).toEqual([note]);
  expect(await list('?sensor=Den&from=2026-01-31T09:30:00Z&to=2026-01-31T10:00:00Z')).toEqual([]);
  const removed = await remove(note.id);
  expect([removed.status, await removed.text()]).toEqual([204, '']);
  expect((await list('?sensor=Den')).map(({ text }) => text)).toEqual(['window']);
  expect((await expectProblem(await remove(note.id), 404)).detail).toBe(`There is no note ${note.id}.`);
});

test('a note without a time gets the current one, and a repeated note is stored once', async () => {
  const before = Date.now();
  const { from, to } = await (await send({ sensor: 'Now', text: 'guests' })).json();
  expect(Math.abs(Date.parse(from) - before)).toBeLessThan(5000);
  expect(to).toBeNull();
  const again = await send({ sensor: 'Now', text: 'guests', from });
  expect(again.status).toBe(200);
  expect(await list('?sensor=Now')).toEqual([await again.json()]);
  expect((await send({ sensor: 'Now', text: 'other guests', from })).status).toBe(201);
});

test.each([
  [{}, 'text', 'is missing'],
  [{ text: 7 }, 'text', 'must be text'],
  [{ text: '  ' }, 'text', 'is empty'],
  [{ text: '\u200b\u2060' }, 'text', 'is empty'],
  [{ text: 'a\nb' }, 'text', 'has a control character or a line break'],
  [{ text: 'a\u2028b' }, 'text', 'has a control character or a line break'],
  [{ text: '\ud83c' }, 'text', 'has half of a character'],
  [{ text: '🪟'.repeat(201) }, 'text', 'has 201 characters: send at most 200'],
  [{ text: 'x', sensor: 'a\u0000' }, 'sensor', 'has a control character'],
  [{ text: 'x', from: 'yesterday' }, 'from', 'must be a time like'],
  [{ text: 'x', from: '2999-01-01T00:00:00Z' }, 'from', 'it may be at most 60 s ahead'],
  [{ text: 'x', from: '2026-01-31T10:00:00' }, 'from', 'has no offset from UTC'],
  [{ text: 'x', from: DAY.to, to: DAY.from }, 'to', `is ${DAY.from}, and from is ${DAY.to}`],
  [{ text: 'x', from: DAY.from, to: DAY.from }, 'to', 'send a later time'],
])('rejects %j with 400, naming the field', async (body, field, detail) => {
  const problem = await expectProblem(await send(body), 400);
  expect(problem).toMatchObject({ detail: 'The note is invalid.', errors: [{ field }] });
  expect(problem.errors?.[0]?.detail).toContain(detail);
});

test('names every invalid field at once, and accepts 200 characters of any kind', async () => {
  const { errors } = await expectProblem(await send({ sensor: '', from: 'x', to: 'y' }), 400);
  expect(errors?.map(({ field }) => field)).toEqual(['sensor', 'from', 'to', 'text']);
  expect((await send({ sensor: 'Long', text: '🪟'.repeat(200) })).status).toBe(201);
});

test.each(['[]', '[{"text": "x"}]', '"x"', 'null', '{"text": "x"', 'text=x'])(
  'rejects %s, which is not one note, with 400',
  async (body) => {
    const answer = await fetch(`${server.url}/api/notes`, { method: 'POST', body });
    expect((await expectProblem(answer, 400)).detail).toContain('is not a JSON object');
  },
);

test('rejects a body over 16 KiB with 413, and a wrong id or parameter with 400', async () => {
  await expectProblem(await send({ text: 'x'.repeat(17_000) }), 413);
  for (const id of ['', 'x', '0', '-1', '1.5', '9'.repeat(30)]) {
    expect((await expectProblem(await remove(id), 400)).errors).toMatchObject([{ field: 'id' }]);
  }
  const withQuery = { method: 'POST', body: '{"text":"x"}' };
  await expectProblem(await fetch(`${server.url}/api/notes?sensor=Den`, withQuery), 400);
});

test('CSV escapes texts and names that a spreadsheet would run as formulas', async () => {
  await send({ sensor: '=Cell', text: '=1+1', from: DAY.from });
  await send({ sensor: '=Cell', text: 'six people, "loud"', ...DAY });
  const answer = await fetch(`${server.url}/api/notes?sensor=%3DCell&format=csv`);
  expect(answer.headers.get('Content-Type')).toContain('text/csv');
  expect(answer.headers.get('Content-Disposition')).toContain('airboard-notes-=Cell-');
  const [header, ...rows] = (await answer.text()).trim().split('\r\n');
  expect(header).toBe('from,to,sensor,text,id');
  expect(rows.map((row) => row.replace(/\d+$/, 'ID'))).toEqual([
    `${DAY.from},,"'=Cell","'=1+1",ID`,
    `${DAY.from},${DAY.to},"'=Cell","six people, ""loud""",ID`,
  ]);
});

test('notes survive a restart', async () => {
  await send({ sensor: 'Hall', text: 'painted', from: DAY.from });
  await server.stop();
  server = await server.restart();
  expect((await list('?sensor=Hall')).map(({ text }) => text)).toEqual(['painted']);
});

test('a server with Supabase stores and lists notes too, and removes them with the secret key', async () => {
  const double = await startSupabaseDouble();
  const hosted = await startServer({ env: { ...double.env, SUPABASE_SECRET_KEY: double.secretKey } });
  const withoutSecret = await startServer({ env: double.env });
  const note = { sensor: 'Den', text: 'window', ...DAY };
  const stored = await send(note, hosted);
  expect([stored.status, (await send(note, hosted)).status]).toEqual([201, 200]);
  const { id } = await stored.json();
  expect(await list('?sensor=Den&from=2026-01-31T10:05:00Z', hosted)).toEqual([{ id, ...note }]);
  expect((await expectProblem(await remove(id, withoutSecret), 503)).detail).toContain('SUPABASE_SECRET_KEY');
  expect((await remove(id, hosted)).status).toBe(204);
  await expectProblem(await remove(id, hosted), 404);
  expect(await list('', hosted)).toEqual([]);
  await Promise.all([hosted.stop(), withoutSecret.stop()]);
  await double.stop();
});

describe('with a write key', () => {
  test('storing and removing need the key, reading needs none', async () => {
    await expectProblem(await send({ text: 'x' }, guarded), 401);
    const stored = await send({ text: 'x' }, guarded, WITH_KEY);
    expect(stored.status).toBe(201);
    const { id } = await stored.json();
    await expectProblem(await remove(id, guarded), 401);
    expect(await list('', guarded)).toHaveLength(1);
    expect((await remove(id, guarded, WITH_KEY)).status).toBe(204);
    expect(await list('', guarded)).toEqual([]);
  });

  test('a page of another site can neither store nor remove notes', async () => {
    const headers = { ...WITH_KEY, Origin: 'https://other.example' };
    await expectProblem(await send({ text: 'x' }, guarded, headers), 403);
    await expectProblem(await remove(1, guarded, headers), 403);
  });
});
