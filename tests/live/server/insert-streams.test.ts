import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeInsertStreams, streamInserts } from '../../../app/live/server/insert-streams.server';
import type { Reading } from '../../../app/readings/reading';
import { reading } from '../../support/readings';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  closeInsertStreams();
  vi.useRealTimers();
});

/** A store in memory that reads one reading at a time. `holdReads` delays each of its reads. */
function memorySource() {
  const stored: Reading[] = [];
  const listeners = new Set<(reading: Reading) => void>();
  let beforeRead = async () => {};
  return {
    insert(added: Reading) {
      stored.push(added);
      for (const listener of listeners) listener(added);
    },
    inserts: {
      subscribe(listener: (reading: Reading) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async *read({ after }: { after: number }) {
      for (let last = after; ; last++) {
        await beforeRead();
        const next = stored.find(({ id }) => id === last + 1);
        if (!next) return;
        yield [next];
      }
    },
    holdReads(hold: () => Promise<void>) {
      beforeRead = hold;
    },
    listeners,
  };
}

/** Opens a stream on a connection in memory. */
function open(source: ReturnType<typeof memorySource>, after: number | null = null, isGone = false) {
  const decoder = new TextDecoder();
  let text = '';
  let pendingBytes = 0;
  let leave = () => {};
  const connection = {
    write(bytes: Uint8Array) {
      text += decoder.decode(bytes, { stream: true });
    },
    pendingBytes: () => pendingBytes,
    drained: async () => true,
    end: vi.fn(),
    disconnect: vi.fn(),
    onClose(listener: () => void) {
      leave = listener;
      if (isGone) listener();
    },
  };
  streamInserts(source, after).body.stream(connection);
  return {
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    hasEnded: () => connection.end.mock.calls.length > 0,
    disconnect: connection.disconnect,
    leave: () => leave(),
    stall(bytes: number) {
      pendingBytes = bytes;
    },
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('sends a comment every 15 s', async () => {
  const stream = open(memorySource());
  const comments = () => stream.text().match(/^:/gm)?.length;
  expect(comments()).toBe(1);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(comments()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(comments()).toBe(2);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(comments()).toBe(5);
  expect(stream.text().endsWith('\n\n')).toBe(true);
});

test('neither loses nor repeats an insert while a client resumes', async () => {
  const source = memorySource();
  for (const id of [1, 2, 3]) source.insert(reading(id));
  let inserted = 3;
  // Each read stores another reading first, until there are ten.
  source.holdReads(async () => {
    if (inserted < 10) source.insert(reading(++inserted));
  });
  const stream = open(source, 1);
  await settle();
  source.insert(reading(11));
  await settle();
  expect(stream.ids()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('sends an insert that arrives between the last read and going live', async () => {
  const source = memorySource();
  source.insert(reading(1));
  const reads = source.read;
  let isFirst = true;
  source.read = async function* (query) {
    yield* reads(query);
    // The store has returned its last page, and the stream hasn't processed that yet.
    if (isFirst) source.insert(reading(2));
    isFirst = false;
  };
  const stream = open(source, 0);
  await settle();
  expect(stream.ids()).toEqual([1, 2]);
});

test('sends the inserts of one transaction in one write', async () => {
  const source = memorySource();
  const written: number[] = [];
  streamInserts(source, null).body.stream({
    write: ({ byteLength }) => written.push(byteLength),
    pendingBytes: () => 0,
    drained: async () => true,
    end: vi.fn(),
    disconnect: vi.fn(),
    onClose: vi.fn(),
  });
  expect(written).toHaveLength(1);
  for (const id of [1, 2, 3]) source.insert(reading(id));
  await settle();
  expect(written).toHaveLength(2);
});

test('disconnects a client with more than 256 KiB of unread bytes, once, and no other client', async () => {
  const source = memorySource();
  const [stalled, healthy] = [open(source), open(source)];
  source.insert(reading(1));
  await settle();
  stalled.stall(256 * 1024);
  source.insert(reading(2));
  await settle();
  expect(stalled.disconnect).not.toHaveBeenCalled();
  stalled.stall(256 * 1024 + 1);
  source.insert(reading(3));
  await settle();
  source.insert(reading(4));
  await settle();
  expect(stalled.disconnect).toHaveBeenCalledTimes(1);
  expect(stalled.ids()).toEqual([1, 2]);
  expect([healthy.ids(), healthy.hasEnded()]).toEqual([[1, 2, 3, 4], false]);
});

test('disconnects a client that has not read what it was sent for two minutes', async () => {
  const stream = open(memorySource());
  for (const bytes of [1, 0, 1]) {
    stream.stall(bytes);
    await vi.advanceTimersByTimeAsync(105_000);
  }
  expect(stream.disconnect).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(stream.disconnect).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(stream.disconnect).toHaveBeenCalledTimes(1);
});

test('leaves a client that resumes slowly to the timeout of its connection', async () => {
  const source = memorySource();
  source.holdReads(() => new Promise(() => {}));
  const stream = open(source, 0);
  stream.stall(1);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(stream.disconnect).not.toHaveBeenCalled();
});

test('keeps nothing of clients that have left', async () => {
  const source = memorySource();
  const streams = Array.from({ length: 50 }, () => open(source));
  for (const { leave } of streams) leave();
  source.insert(reading(1));
  await settle();
  expect(streams.every(({ hasEnded, ids }) => hasEnded() && ids().length === 0)).toBe(true);
  // All streams share one listener and one timer.
  expect(source.listeners.size).toBe(1);
  expect(vi.getTimerCount()).toBe(1);
});

test('sends nothing to a client that left before its stream opened', async () => {
  const source = memorySource();
  source.insert(reading(1));
  const stream = open(source, 0, true);
  await settle();
  source.insert(reading(2));
  await settle();
  expect(stream.hasEnded()).toBe(true);
  expect(stream.ids()).toEqual([]);
});

test('ends the stream if the store fails while a client resumes', async () => {
  const source = memorySource();
  source.holdReads(() => Promise.reject(new Error('locked')));
  const stream = open(source, 0);
  await settle();
  expect(stream.hasEnded()).toBe(true);
});
