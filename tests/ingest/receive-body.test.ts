import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BATCH_LIMIT, BodyMemory, receiveReadings } from '../../app/ingest/receive-body.server';

const MIB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

/** Starts a CSV body of 2 MiB, which sends this many bytes in parts of 64 KiB and then nothing until `end`. */
async function start(address: string, bytes: number) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  ends.push(end);
  let isSent = () => {};
  const sent = new Promise<void>((resolve) => {
    isSent = resolve;
  });
  const request = {
    header: (name: string) =>
      ({ 'content-type': 'text/csv', 'content-length': String(BATCH_LIMIT) })[name] ?? null,
    address: () => address,
    async body(take: (part: Uint8Array) => boolean) {
      const part = Buffer.alloc(Math.min(bytes, 64 * 1024), ' ');
      for (let at = 0; at < bytes; at += part.length) {
        if (!take(part)) return true;
      }
      isSent();
      await ended;
      return true;
    },
  };
  const memory = new BodyMemory(request);
  const received = receiveReadings(request, memory)
    .then((received) => (received.ok ? 'taken' : received.status))
    .finally(() => memory.release());
  await Promise.race([sent, received]);
  return { end, received };
}

/** Sends a whole body and returns the result. */
async function send(address: string, bytes: number) {
  const { end, received } = await start(address, bytes);
  end();
  return received;
}

test('bodies that announce 2 MiB and send one byte leave memory to others, even of their own address', async () => {
  for (let i = 0; i < 40; i++) await start(`slow ${i % 4}`, 1);
  expect(await send('other', BATCH_LIMIT)).toBe('taken');
  expect(await send('slow 1', BATCH_LIMIT)).toBe('taken');
});

test('an address that holds 8 MiB gets 503 for more, and others are not affected', async () => {
  for (let i = 0; i < 4; i++) await start('slow', BATCH_LIMIT);
  expect(await send('slow', MIB)).toBe(503);
  expect(await send('slow', 1000)).toBe('taken');
  expect(await send('other', BATCH_LIMIT)).toBe('taken');
});

test('with 32 MiB held, the oldest body gets 503 after 10 s to make room', async () => {
  const slow = [];
  for (let i = 0; i < 16; i++) slow.push(await start(`slow ${i % 4}`, BATCH_LIMIT));
  expect(await send('other', MIB)).toBe(503);
  vi.advanceTimersByTime(10_000);
  expect(await send('other', MIB)).toBe('taken');
  for (const { end } of slow) end();
  const outcomes = await Promise.all(slow.map(({ received }) => received));
  expect(outcomes).toEqual([503, ...Array(15).fill('taken')]);
});
