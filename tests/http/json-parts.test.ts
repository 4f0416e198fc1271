import { expect, test } from 'vitest';
import { jsonParts } from '../../app/http/json-parts.server';

const LONG = Array.from({ length: 1700 }, (_, i) => ({ i, text: `"${i}", [` }));

async function partsOf(value: unknown): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of jsonParts(value)) parts.push(part);
  return parts;
}

test.each([
  ['a number', 5],
  ['null', null],
  ['an empty array', []],
  ['a short array', [1, 'a', null]],
  ['a long array', LONG],
  ['an array of exactly two parts', LONG.slice(0, 1000)],
  ['an object', { a: 1, b: undefined, c: [] }],
  ['an object with long arrays', { a: 1, b: undefined, cells: LONG, c: { d: LONG }, '"': LONG }],
])('writes %s as JSON.stringify does', async (_, value) => {
  expect((await partsOf(value)).join('')).toBe(JSON.stringify(value));
});

test('writes a long array in parts, and other work is done between them', async () => {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const parts = await partsOf({ cells: LONG });
  clearImmediate(counting);
  expect(parts.length).toBeGreaterThan(4);
  expect(turns).toBeGreaterThanOrEqual(3);
});
