import { expect, test } from 'vitest';
import { post } from '../support/server/api';
import { startServer } from '../support/server/server';

const OFFERS = ['POST RANDOM DATA', 'Reading +1', 'Random reading every 15 s'];
const WARNING = 'A device has posted here during the last day.';

/** Posts readings as one array, as a device does. */
const postBatch = (url: string, readings: object[]) =>
  fetch(`${url}/api/data`, { method: 'POST', body: JSON.stringify(readings) });

/** Returns the HTML of the two pages that can post readings. */
async function pages(url: string, query = ''): Promise<string> {
  const texts = ['/', '/postdata'].map(async (path) => (await fetch(url + path + query)).text());
  return (await Promise.all(texts)).join('\n');
}

test('pages offer random posts, and warn about them once a device has posted', async () => {
  const server = await startServer();
  for (const offer of OFFERS) expect(await pages(server.url)).toContain(offer);
  await post(server.url, { co2: 415, voc: 120 }, { Origin: server.url });
  expect(await pages(server.url)).not.toContain(WARNING);
  await post(server.url, { co2: 'much' });
  expect(await pages(server.url)).not.toContain(WARNING);
  await post(server.url, { co2: 415, voc: 120 });
  expect(await pages(server.url)).toContain(WARNING);
  await server.stop();
});

test('a page of a named sensor offers no random posts, and its device causes no warning', async () => {
  const server = await startServer();
  await post(server.url, { co2: 415, voc: 120, sensor: 'Bedroom' });
  const batch = [{ co2: 416, voc: 121, sensor: 'Bedroom' }];
  expect((await postBatch(server.url, batch)).status).toBe(201);
  const bedroom = await pages(server.url);
  for (const offer of OFFERS) expect(bedroom).not.toContain(offer);
  expect(bedroom.match(/Random data is for the/g)).toHaveLength(2);
  const unnamed = await pages(server.url, '?sensor=');
  for (const offer of OFFERS) expect(unnamed).toContain(offer);
  expect(unnamed).not.toContain(WARNING);
  await postBatch(server.url, [...batch, { co2: 417, voc: 122 }]);
  expect(await pages(server.url, '?sensor=')).toContain(WARNING);
  await server.stop();
});

test('RANDOM_POSTS=false removes them from every page, and keeps the form', async () => {
  const server = await startServer({ env: { RANDOM_POSTS: 'false' } });
  await post(server.url, { co2: 415, voc: 120 });
  const text = await pages(server.url);
  for (const offer of [...OFFERS, WARNING]) expect(text).not.toContain(offer);
  expect(text).toContain('id="value-co2"');
  await server.stop();
});
