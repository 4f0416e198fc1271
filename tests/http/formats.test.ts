import { expect, test } from 'vitest';
import type { ApiRequest } from '../../app/http/answer';
import { csvFormat } from '../../app/http/csv.server';
import { JSON_FORMAT, preferredFormat, streamPages } from '../../app/http/formats.server';

test.each([
  [null, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['text/csv', 'csv'],
  ['TEXT/CSV', 'csv'],
  ['text/*', 'csv'],
  ['text/csv; charset=utf-8', 'csv'],
  ['text/csv; header=present', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['text/csv;q=0.5, application/json', 'json'],
  ['application/json;q=0.5, text/csv', 'csv'],
  ['application/json, text/csv', 'json'],
  ['text/csv, application/json', 'csv'],
  ['text/csv;q=0', 'json'],
  ['application/csvx', 'json'],
])('answers Accept: %s with %s', (accept, format) => {
  expect(preferredFormat({ header: () => accept } as unknown as ApiRequest)).toBe(format);
});

const streamJsonArray = (pages: AsyncIterable<number[]>) => streamPages(pages, JSON_FORMAT);

/** Pages that count how many of them were read. */
function countedPages<Row>(pages: Row[][]) {
  const counted = { read: 0 };
  async function* read() {
    for (const page of pages) {
      counted.read += 1;
      yield page;
    }
  }
  return { counted, pages: read() };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const part of body) text += new TextDecoder().decode(part);
  return text;
}

test.each([
  [[], '[]'],
  [[[]], '[]'],
  [[[1]], '[1]'],
  [[[1, 2], [3]], '[1,2,3]'],
  [[[], [1], [], [2], []], '[1,2]'],
])('turns the pages %j into the array %s', async (pages, text) => {
  expect(await textOf(await streamJsonArray(countedPages(pages as number[][]).pages))).toBe(text);
});

test('turns no rows into a CSV file with a header', async () => {
  const empty: never[][] = [[]];
  for (const pages of [[], empty]) {
    const body = await streamPages(countedPages(pages).pages, csvFormat([]));
    expect(await textOf(body)).toBe('created_at,sensor,co2,voc,id\r\n');
  }
});

test('reads a page only after the previous part was consumed', async () => {
  const { counted, pages } = countedPages(Array.from({ length: 1000 }, (_, i) => [i]));
  const parts = (await streamJsonArray(pages))[Symbol.asyncIterator]();
  for (let taken = 1; taken <= 3; taken++) {
    await parts.next();
    await new Promise(setImmediate);
    expect(counted.read).toBe(taken);
  }
});

test('stops reading when the consumer stops early', async () => {
  const { counted, pages } = countedPages([[1], [2], [3]]);
  for await (const _ of await streamJsonArray(pages)) break;
  await new Promise(setImmediate);
  expect(counted.read).toBe(1);
});

test('rejects before anything is sent if the first page fails', async () => {
  // biome-ignore lint/correctness/useYield: it fails before it could.
  async function* failing(): AsyncGenerator<number[]> {
    throw new Error('locked');
  }
  await expect(streamJsonArray(failing())).rejects.toThrow('locked');
});

test('throws if a later page fails, so the part is not taken for the whole array', async () => {
  async function* failing() {
    yield [1];
    throw new Error('locked');
  }
  await expect(textOf(await streamJsonArray(failing()))).rejects.toThrow('locked');
});
