import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../support/server/problem';
import { temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

// Empty values keep those of a `.env` file out.
Object.assign(process.env, {
  DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
  ...{ WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' },
});
const { getStore, openStore } = await import('../../app/store/open-store.server');
const { closeInsertStreams } = await import('../../app/live/server/insert-streams.server');
const data = await import('../../app/routes/api.data');
const live = await import('../../app/routes/api.live');

beforeAll(async () => {
  await openStore();
});
afterAll(() => getStore().close());

const args = (path: string, init?: RequestInit) => ({
  request: new Request(`http://board${path}`, init),
  params: {},
  context: {},
});

const post = (body: string) => data.action(args('/api/data', { method: 'POST', body }));

test("Remix's action stores a reading, and its loader returns it, cached or streamed", async () => {
  const stored = await post('{"co2": 415, "voc": "120"}');
  expect(stored.status).toBe(201);
  const reading = await stored.json();
  expect(reading).toMatchObject({ co2: 415, voc: 120 });
  for (const query of ['?limit=1', '']) {
    const response = await data.loader(args(`/api/data${query}`));
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect((await response.json()).at(-1)).toEqual(reading);
  }
});

test("Remix's action refuses a body over 16 KiB with 413 and closes the connection", async () => {
  const response = await post('x'.repeat(16 * 1024 + 1));
  expect(response.headers.get('Connection')).toBe('close');
  await expectProblem(response, 413);
});

/** Opens an event stream as Remix does, and collects what it sends. */
async function openStream(query = '') {
  const leaving = new AbortController();
  const response = await live.loader(args(`/api/live${query}`, { signal: leaving.signal }));
  const stream = { response, text: '', hasEnded: false, leave: () => leaving.abort() };
  const collect = async () => {
    const decoded = (response.body as ReadableStream).pipeThrough(new TextDecoderStream());
    for await (const text of decoded as unknown as AsyncIterable<string>) stream.text += text;
  };
  const end = () => {
    stream.hasEnded = true;
  };
  collect().then(end, end);
  return stream;
}

test("Remix's loader streams missed and new inserts, until the server or the client ends it", async () => {
  const [ended, left] = [await openStream('?after=0'), await openStream()];
  expect(ended.response.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
  await until(() => left.text.includes('retry:'));
  const { id } = await (await post('{"co2": 1, "voc": 2}')).json();
  for (const stream of [ended, left]) await until(() => stream.text.includes(`id: ${id}\n`));
  left.leave();
  await until(() => left.hasEnded);
  expect(ended.hasEnded).toBe(false);
  closeInsertStreams();
  await until(() => ended.hasEnded);
  expect(ended.text).toMatch(/\n\n$/);
});
