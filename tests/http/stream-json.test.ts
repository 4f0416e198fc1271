import { expect, test } from 'vitest';
import { streamJsonArray } from '../../app/http/stream-json.server';

/** Pages that count how many of them were asked for. */
function countedPages(pages: number[][]) {
  const asked = { pages: 0 };
  async function* read() {
    for (const page of pages) {
      asked.pages += 1;
      yield page;
    }
  }
  return { asked, read: read() };
}

test.each([
  [[], '[]'],
  [[[]], '[]'],
  [[[1]], '[1]'],
  [[[1, 2], [3]], '[1,2,3]'],
  [[[], [1], [], [2], []], '[1,2]'],
])('the pages %j are the array %s', async (pages, text) => {
  const body = await streamJsonArray(countedPages(pages as number[][]).read);
  expect(await new Response(body).text()).toBe(text);
});

test('no page is read before the client has taken the one before', async () => {
  const { asked, read } = countedPages(Array.from({ length: 1000 }, (_, i) => [i]));
  const reader = new Response(await streamJsonArray(read)).body?.getReader();
  await reader?.read();
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(asked.pages).toBeLessThanOrEqual(3);
});

test('a client that has left ends the reading', async () => {
  const { asked, read } = countedPages([[1], [2], [3]]);
  const reader = new Response(await streamJsonArray(read)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(asked.pages).toBeLessThanOrEqual(2);
});

test('pages that fail at once are an error before a word is answered', async () => {
  // biome-ignore lint/correctness/useYield: it fails before it could.
  async function* failing(): AsyncGenerator<number[]> {
    throw new Error('locked');
  }
  await expect(streamJsonArray(failing())).rejects.toThrow('locked');
});

test('pages that fail later break the body off: nobody takes it for the whole array', async () => {
  async function* failing() {
    yield [1];
    throw new Error('locked');
  }
  const body = new Response(await streamJsonArray(failing()));
  await expect(body.text()).rejects.toThrow('locked');
});
