import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchSender } from '../../../scripts/import/send.js';
import { answer, type BatchServer, type Fault, startBatchServer, store } from '../../support/ingest/batches';

let server: BatchServer;
/** The sender's reasons for waiting. */
let waits: string[];

beforeEach(async () => {
  server = await startBatchServer();
  waits = [];
});

afterEach(() => server.stop());

/** Sends a batch with this many readings. */
function send(count: number, url = server.url) {
  const { signal } = new AbortController();
  const sendBatch = batchSender({ url, key: 'secret', signal, onWait: (reason) => waits.push(reason) });
  const lines = Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    reading: {
      created_at: new Date(Date.UTC(2026, 0, 31) + i * 15_000).toISOString(),
      co2: 400 + i,
      voc: 100,
    },
  }));
  return sendBatch(lines);
}

test.each([
  [429, { stored: 1000, known: 0, refused: 0 }],
  [503, { stored: 997, known: 3, refused: 0 }],
])('waits as long as a %i response says, and repeats the batch', async (status, counts) => {
  server.faults.push((response, readings) => {
    const body = { detail: 'Not now.' };
    if (status === 503) {
      // Three readings are stored already. A store that fails halfway reports how many it has stored.
      store(server.stored, readings.slice(0, 3));
      Object.assign(body, store(server.stored, readings.slice(0, 10)));
    }
    answer(response, status, body, { 'Retry-After': '1' });
    return true;
  });
  expect(await send(1000)).toMatchObject(counts);
  expect(waits).toEqual(['Not now. Retrying in 1 s']);
  expect(server.batches).toEqual([1000, 1000]);
  expect(server.stored.size).toBe(1000);
});

test('counts every reading of a batch that failed halfway twice and was then split', async () => {
  const fail =
    (count: number): Fault =>
    (response, readings) => {
      answer(response, 503, store(server.stored, readings.slice(0, count)), { 'Retry-After': '1' });
      return true;
    };
  server.faults.push(fail(300), fail(700), (response) => {
    answer(response, 413, {});
    return true;
  });
  expect(await send(1000)).toMatchObject({ stored: 1000, known: 0, refused: 0 });
});

test('sends smaller batches to a server without room for a large one', async () => {
  const refuse: Fault = (response) => {
    answer(response, 413, { detail: 'At most 300 a minute.' });
    return true;
  };
  server.faults.push(refuse, refuse);
  expect(await send(1000)).toMatchObject({ stored: 1000 });
  expect(server.batches).toEqual([1000, 500, 250, 250, 500]);
});

test('repeats the first batch if its answer is lost', async () => {
  server.faults.push((response) => {
    response.destroy();
    return true;
  });
  expect(await send(10)).toMatchObject({ stored: 10 });
  expect(server.batches).toEqual([10, 10]);
});

test('gives up at once if no server answers', async () => {
  await expect(send(10, 'http://127.0.0.1:9')).rejects.toThrow(
    /^no server answers at http:[/][/]127\.0\.0\.1:9 \(.*\)\. Start it/,
  );
});
