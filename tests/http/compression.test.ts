import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ApiBody, ApiResponse } from '../../app/http/answer';
import { compressed } from '../../app/http/compression.server';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LONG = 'x'.repeat(1000);

/** Endless parts that compress badly. Counts them, and notices its end. */
function endlessParts() {
  const state = { parts: 0, isEnded: false };
  async function* parts() {
    try {
      for (;;) {
        state.parts += 1;
        yield randomBytes(64 * 1024);
      }
    } finally {
      state.isEnded = true;
    }
  }
  return { state, body: parts() };
}

const streamOf = async (body: ApiBody) =>
  (await compressed({ headers: JSON_TYPE, body }, () => true)).body as AsyncGenerator<Uint8Array>;

test('reads a stream only as its output is taken, and ends it when the client leaves', async () => {
  const { state, body } = endlessParts();
  const output = await streamOf(body);
  for (let taken = 0; taken < 3; taken++) await output.next();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(state.parts).toBeLessThan(8);
  await output.return(undefined);
  for (let turn = 0; turn < 10 && !state.isEnded; turn++) await nextTurn();
  expect(state.isEnded).toBe(true);
});

test('a stream that fails does not end like a complete one', async () => {
  async function* parts() {
    yield Buffer.from('[1');
    throw new Error('The store is gone.');
  }
  const output = await streamOf(parts());
  const readAll = async () => {
    for await (const _part of output);
  };
  await expect(readAll()).rejects.toThrow('The store is gone.');
});

test('compresses text of 1 kB or more, keeps Vary, and leaves everything else as it is', async () => {
  const long = await compressed({ headers: { ...JSON_TYPE, Vary: 'Accept' }, body: LONG }, () => true);
  expect(long.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept, Accept-Encoding' });
  expect(gunzipSync(long.body as Uint8Array).toString()).toBe(LONG);
  const refused = await compressed({ headers: JSON_TYPE, body: LONG }, () => false);
  expect(refused).toEqual({ headers: { ...JSON_TYPE, Vary: 'Accept-Encoding' }, body: LONG });
  const others: ApiResponse[] = [
    { headers: JSON_TYPE, body: LONG.slice(1) },
    { headers: JSON_TYPE, body: null },
    { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: LONG },
    { headers: { 'Content-Type': 'text/event-stream' }, body: { stream() {} } },
    { headers: { 'Content-Type': 'image/png' }, body: LONG },
  ];
  for (const unchanged of others) expect(compressed(unchanged, () => true)).toBe(unchanged);
});
