import { afterAll, beforeAll, expect, test } from 'vitest';
import { postAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
  await postAll(server.url, [{ co2: 415, voc: 120 }]);
});

afterAll(() => server.stop());

/** A page is encoded in parts of 2,048 bytes. Each number of characters moves their borders. */
const COUNTS = Array.from({ length: 40 }, (_, i) => i + 1);

test.each([
  ['é', 2],
  ['厨', 3],
  ['🍳', 4],
])('a page with many %s has each of its %i bytes, and no NUL', async (character) => {
  const render = async (name: string) => {
    const answer = await fetch(`${server.url}/?sensor=${encodeURIComponent(name)}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const countOf = (html: string, text: string) => html.split(text).length - 1;
  const inserted = countOf((await render('Keller')).toString(), 'Keller');
  for (const count of COUNTS) {
    const name = character.repeat(count);
    const bytes = await render(name);
    const html = bytes.toString();
    expect([count, bytes.includes(0), html.includes('\ufffd')]).toEqual([count, false, false]);
    expect([count, countOf(html, name) + countOf(html, encodeURIComponent(name))]).toEqual([count, inserted]);
    expect(Buffer.from(html).equals(bytes)).toBe(true);
  }
});

test.each([
  '/_root.data',
  '/history.data',
  '/chart.data?range=24HR',
  '/postdata.data',
  '/notifications.data',
])('a cache must ask before it answers with %s again', async (path) => {
  const { status, headers } = await fetch(server.url + path);
  expect([status, headers.get('Cache-Control')]).toEqual([200, 'private, no-cache']);
});

test('a page that does not exist is not cached either', async () => {
  const { status, headers } = await fetch(`${server.url}/missing.png`);
  expect([status, headers.get('Cache-Control')]).toEqual([404, 'private, no-cache']);
});

test('a document has the colours and the unit that the browser remembers, so that nothing flashes', async () => {
  await postAll(server.url, [{ co2: 420, voc: 120, temperature: 20 }]);
  const read = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/history`, { headers })).text();
  const usual = await read({ 'Accept-Language': 'de' });
  expect(usual).not.toContain('data-scheme');
  expect(usual).toContain('media="(prefers-color-scheme: dark)"');
  expect(usual).toContain('20 °C');
  const chosen = await read({ 'Accept-Language': 'de', Cookie: 'colors=dark; temperature=f' });
  expect(chosen).toMatch(/<html [^>]*data-scheme="dark"/);
  expect(chosen).toContain('media="all" content="#0d1117"');
  expect(chosen).toContain('68 °F');
});

test('the settings list every sensor by name, also those that are not among the last 100', async () => {
  const names = Array.from({ length: 120 }, (_, i) => `Room ${i}`);
  const posted = [...names].reverse().map((sensor) => ({ sensor, co2: 500, voc: 10 }));
  await postAll(server.url, posted);
  const html = await (await fetch(`${server.url}/sensors`)).text();
  const listed = [...html.matchAll(/<bdi>(Room \d+)<\/bdi>/g)].map(([, name]) => name);
  expect(listed).toEqual(names);
  expect(html).toContain('href="/rooms"');
});
