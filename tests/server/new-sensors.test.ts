import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_FORMATS, postBody } from '../support/ingest/batches';
import { expectProblem, post, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

let double: Awaited<ReturnType<typeof startSupabaseDouble>>;
beforeAll(async () => {
  double = await startSupabaseDouble();
});
afterAll(() => double.stop());

/** A reading of a sensor at a second of its own. */
let second = 0;
function reading(sensor: string) {
  second += 1;
  return { co2: 1, voc: 2, sensor, created_at: new Date(Date.UTC(2026, 0) + second * 1000).toISOString() };
}

const namesOf = async ({ url }: RunningServer): Promise<string[]> =>
  (await (await fetch(`${url}/api/sensors`)).json()).map(({ name }: { name: string }) => name).sort();

describe.each([
  ['SQLite', () => ({})],
  ['Supabase', () => ({ ...double.env, SUPABASE_SECRET_KEY: double.secretKey })],
])('new sensors on %s', (_, env) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: { ...env(), MAX_SENSORS: '4' } });
  });
  afterAll(() => server.stop());

  test('a name that can not be seen or told apart is refused wherever it enters, and nothing is stored', async () => {
    expect((await post(server.url, reading('Kitchen'))).status).toBe(201);
    const before = await readAll(server.url);
    for (const name of ['Kitchen\ufe0f', '\u3164', '\u115f', '\u2800', 'a\u034fb', 'a\u2028b', 'Ｋitchen']) {
      const { errors } = await expectProblem(await post(server.url, reading(name)), 400);
      expect(errors).toEqual([
        { field: 'sensor', detail: expect.stringMatching(/^(contains U|looks the same)/) },
      ]);
      for (const { type, write } of Object.values(BATCH_FORMATS)) {
        const answer = await postBody(server.url, type, write([reading(name)]));
        const { errors: items } = await expectProblem(answer, 400);
        expect(items).toMatchObject([{ errors }]);
      }
      const device = `${server.url}/api/airrohr?sensor=${encodeURIComponent(name)}`;
      const body = JSON.stringify({ sensordatavalues: [{ value_type: 'SDS_P1', value: '1' }] });
      await expectProblem(await fetch(device, { method: 'POST', body }), 400);
      const note = JSON.stringify({ sensor: name, text: 'window' });
      await expectProblem(await fetch(`${server.url}/api/notes`, { method: 'POST', body: note }), 400);
    }
    expect(await readAll(server.url)).toEqual(before);
  });

  test('a letter and its mark sent as two characters are the same sensor as the composed letter', async () => {
    const answer = await post(server.url, reading('Cafe\u0301'));
    expect([answer.status, (await answer.json()).sensor]).toEqual([201, 'Café']);
    expect((await post(server.url, reading('Café'))).status).toBe(201);
    expect(await readAll(server.url, '?sensor=Caf%C3%A9')).toHaveLength(2);
  });

  test('beyond MAX_SENSORS, a new sensor gets 409, and readings of known ones are stored', async () => {
    for (const name of ['Third', 'Fourth']) expect((await post(server.url, reading(name))).status).toBe(201);
    const known = ['Café', 'Fourth', 'Kitchen', 'Third'];
    expect(await namesOf(server)).toEqual(known);

    const { detail } = await expectProblem(await post(server.url, reading('Fifth')), 409);
    expect(detail).toMatch(
      /already has 4 sensors \(MAX_SENSORS\). Readings of known sensors are still stored/,
    );
    const unnamed = { co2: 1, voc: 2 };
    const batch = [reading('Kitchen'), reading('Fifth'), reading('Third'), unnamed, reading('Sixth')];
    const answer = await post(server.url, batch);
    expect(answer.status).toBe(200);
    const report = await answer.json();
    expect(report).toMatchObject({ stored: 3, refused: 2 });
    expect(report.errors.map(({ item }: { item: number }) => item)).toEqual([1, 4]);
    expect(report.errors[0].errors).toMatchObject([{ field: 'sensor', detail: /MAX_SENSORS/ }]);
    expect(await namesOf(server)).toEqual(['', ...known]);
  });

  test('deleted readings are kept for a week, and come back with their sensor', async () => {
    const send = (method: string, path: string) => fetch(`${server.url}/api/${path}`, { method });
    const before = await readAll(server.url, '?sensor=Third');
    await expectProblem(await send('DELETE', 'data'), 400);
    await expectProblem(await send('DELETE', 'data?sensor=Third&form=2026-01-01T00:00:00Z'), 400);
    await expectProblem(await send('DELETE', 'data?sensor=Third&id=1&to=2026-01-01T00:00:00Z'), 400);
    await expectProblem(await send('DELETE', 'data?sensor=Third&id=999'), 404);
    await expectProblem(await send('DELETE', 'data?sensor=Nobody'), 404);
    const nothing = await send('DELETE', 'data?sensor=Third&to=2000-01-01T00:00:00Z');
    expect([nothing.status, await nothing.json()]).toEqual([200, { deleted: 0, restore: null, until: null }]);
    const mark = async () =>
      (await fetch(`${server.url}/api/data?limit=1`)).headers.get('Airboard-Deletions');
    const marked = await mark();

    const answer = await send('DELETE', 'data?sensor=Third');
    const { deleted, restore, until } = await answer.json();
    expect([answer.status, deleted, restore]).toEqual([
      200,
      before.length,
      expect.stringMatching(/^\d{12}$/),
    ]);
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(6.99 * 86_400_000);
    expect(await mark()).not.toBe(marked);
    expect(await namesOf(server)).not.toContain('Third');
    expect(server.output()).toContain(
      `${before.length} readings of the sensor "Third" were deleted. Until ${until}, /api/restore?id=${restore} brings them back`,
    );
    const kept = await (await send('GET', 'restore?sensor=Third')).json();
    expect(kept).toMatchObject([{ restore, deleted, from: before[0]?.created_at, until }]);

    const back = await send('POST', `restore?id=${restore}`);
    expect([back.status, await back.json()]).toEqual([200, { restored: before.length }]);
    expect(await readAll(server.url, '?sensor=Third')).toEqual(before);
    await expectProblem(await send('POST', `restore?id=${restore}`), 404);
    await expectProblem(await send('POST', 'restore'), 400);
  });
});

test('readings of a sensor from before the rules are stored, also when there are too many sensors', async () => {
  const server = await startServer();
  const names = Array.from({ length: 10 }, (_, i) => `Old ${i}`);
  expect((await post(server.url, names.map(reading))).status).toBe(201);
  await server.stop();
  const { default: Database } = await import('libsql');
  const database = new Database(server.databasePath);
  database.exec("update sensors set name = 'Old' || char(0xfe0f) where name = 'Old 3'");
  database.close();
  const again = await startServer({ databasePath: server.databasePath, env: { MAX_SENSORS: '5' } });
  for (const name of ['Old\ufe0f', 'Old 9']) {
    expect((await post(again.url, reading(name))).status).toBe(201);
    expect(await readAll(again.url, `?sensor=${encodeURIComponent(name)}`)).toHaveLength(2);
  }
  await expectProblem(await post(again.url, reading('New')), 409);

  const change = (sensor: string, body: object, query = '') =>
    fetch(`${again.url}/api/sensors?sensor=${encodeURIComponent(sensor)}${query}`, {
      method: 'PATCH',
      body: JSON.stringify(body),
    });
  // Subscribed before the change, as an open page is.
  const stream = await fetch(`${again.url}/api/live`);
  const text = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const renamed = await change('Old 1', {
    name: 'Attic',
    group: 'House/Top',
  });
  expect([renamed.status, await renamed.json()]).toMatchObject([200, { name: 'Attic', group: 'House/Top' }]);
  let seen = '';
  while (!seen.includes('event: settings')) seen += (await text?.read())?.value ?? '';
  await fetch(`${again.url}/api/data?sensor=Old 9`, { method: 'DELETE' });
  while (!seen.includes('event: readings\ndata: {"sensor":"Old 9"}'))
    seen += (await text?.read())?.value ?? '';
  await text?.cancel();
  expect(again.output()).toContain('the sensor "Old 1" was changed: name "Attic", group "House/Top"');
  const [answer, batch] = [
    await post(again.url, reading('Old 1')),
    await post(again.url, [reading('Old 1')]),
  ];
  expect([answer.status, (await answer.json()).sensor, batch.status]).toEqual([201, 'Attic', 201]);
  expect(await readAll(again.url, '?sensor=Attic')).toHaveLength(3);
  expect(await readAll(again.url, '?sensor=Old 1')).toEqual([]);
  await expectProblem(await change('Old 1', { group: 'x' }), 404);
  await expectProblem(await change('Attic', { name: 'Old 2' }), 409);
  expect((await change('Attic', { name: 'Old 2' }, '&merge=true')).status).toBe(200);
  expect(await readAll(again.url, '?sensor=Old 2')).toHaveLength(4);
  expect((await (await post(again.url, reading('Attic'))).json()).sensor).toBe('Old 2');
  expect(await (await fetch(`${again.url}/sensors?sensor=Attic`)).text()).toContain('Settings of Old 2');
  await again.stop();
});
