import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postAll, readAll } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';

const QUERY = '?limit=5760';

let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(6000);
});

afterAll(() => server.stop());

const send = (encoding: string) =>
  fetch(`${server.url}/api/data${QUERY}`, { headers: { 'Accept-Encoding': encoding } });

test('a cached response is the same, compressed or not', async () => {
  const first = await (await send('identity')).text();
  for (const encoding of ['gzip', 'identity', 'br, gzip;q=0.5', 'gzip;q=0', '']) {
    const answer = await send(encoding);
    const isGzip = /gzip(?!;q=0$)/.test(encoding);
    expect([encoding, answer.headers.get('Content-Encoding')]).toEqual([encoding, isGzip ? 'gzip' : null]);
    expect(answer.headers.get('Vary')).toContain('Accept-Encoding');
    expect(await answer.text()).toBe(first);
  }
});

test('a post invalidates cached responses, and each maximum has its own', async () => {
  const before = await readAll(server.url, QUERY);
  const [stored] = await postAll(server.url, [{ co2: 415, voc: 120 }]);
  expect(await readAll(server.url, QUERY)).toEqual([...before.slice(1), stored]);
  expect(await readAll(server.url, '?limit=2')).toEqual([before.at(-1), stored]);
});

test('a change of the file by another program invalidates cached responses', async () => {
  const before = await readAll(server.url, QUERY);
  const database = new Database(server.databasePath);
  database.prepare('delete from data where id = ?').run(before.at(-1)?.id);
  database.close();
  expect((await readAll(server.url, QUERY)).slice(1)).toEqual(before.slice(0, -1));
});
