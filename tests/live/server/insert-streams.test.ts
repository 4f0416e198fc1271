import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeInsertStreams, openInsertStream } from '../../../app/live/server/insert-streams.server';
import type { Reading } from '../../../app/readings/reading';
import { reading } from '../../support/readings';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  closeInsertStreams();
  vi.useRealTimers();
});

/** A store in memory, which reads one reading at a time and can be held before each. */
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

function client(pendingBytes = () => 0) {
  const decoder = new TextDecoder();
  const taken = { text: '' };
  const write = (bytes: Uint8Array) => {
    taken.text += decoder.decode(bytes, { stream: true });
  };
  return { taken, write, pendingBytes, disconnect: vi.fn(), drained: async () => true };
}

/** Opens a stream; `state` is what its client has got so far. */
function open(
  source: ReturnType<typeof memorySource>,
  { after = null, to = client() }: { after?: number | null; to?: ReturnType<typeof client> } = {},
) {
  const gone = new AbortController();
  const { body } = openInsertStream(source, { after, signal: gone.signal, client: to });
  const state = Object.assign(to.taken, { ended: false });
  // Read as the server does, to its end: what the client gets is written to it directly.
  text(body).then(() => {
    state.ended = true;
  });
  return { gone, state, ids: () => [...state.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)) };
}

const text = (body: ReadableStream) => new Response(body).text();

const settle = () => vi.advanceTimersByTimeAsync(0);

test('a comment keeps the line alive every 15 s, and not before', async () => {
  const { state } = open(memorySource());
  const comments = () => state.text.match(/^:/gm)?.length;
  await settle();
  expect(comments()).toBe(1);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(comments()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(comments()).toBe(2);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(comments()).toBe(5);
  expect(state.text.endsWith('\n\n')).toBe(true);
});

test('an insert while a client resumes is neither lost nor sent twice', async () => {
  const source = memorySource();
  for (const id of [1, 2, 3]) source.insert(reading(id));
  let inserted = 3;
  // Before each of its reads another reading is stored, until there are ten.
  source.holdReads(async () => {
    if (inserted < 10) source.insert(reading(++inserted));
  });
  const stream = open(source, { after: 1 });
  await settle();
  source.insert(reading(11));
  await settle();
  expect(stream.ids()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('an insert between the last read and going live is read, too', async () => {
  const source = memorySource();
  source.insert(reading(1));
  const reads = source.read;
  let isFirst = true;
  source.read = async function* (query) {
    yield* reads(query);
    // The store said that it has no more, and the stream has not heard of it yet.
    if (isFirst) source.insert(reading(2));
    isFirst = false;
  };
  const stream = open(source, { after: 0 });
  await settle();
  expect(stream.ids()).toEqual([1, 2]);
});

test('a client that takes nothing is cut off at a bound, once, and the others go on', async () => {
  const source = memorySource();
  let pending = 0;
  const slow = client(() => pending);
  const [stalled, healthy] = [open(source, { to: slow }), open(source)];
  await settle();
  source.insert(reading(1));
  await settle();
  pending = 256 * 1024;
  source.insert(reading(2));
  await settle();
  expect(slow.disconnect).not.toHaveBeenCalled();
  pending += 1;
  source.insert(reading(3));
  await settle();
  source.insert(reading(4));
  await settle();
  expect(slow.disconnect).toHaveBeenCalledTimes(1);
  expect([stalled.ids(), stalled.state.ended]).toEqual([[1, 2], true]);
  expect([healthy.ids(), healthy.state.ended]).toEqual([[1, 2, 3, 4], false]);
});

test('a client that leaves leaves nothing behind', async () => {
  const source = memorySource();
  const streams = Array.from({ length: 50 }, () => open(source));
  await settle();
  for (const { gone } of streams) gone.abort();
  await settle();
  source.insert(reading(1));
  expect(streams.every(({ state, ids }) => state.ended && ids().length === 0)).toBe(true);
  // One listener and one timer for all streams there ever were.
  expect(source.listeners.size).toBe(1);
  expect(vi.getTimerCount()).toBe(1);
});

test('a client that has left before its stream is open gets none', async () => {
  const gone = AbortSignal.abort();
  const absent = client();
  const { body } = openInsertStream(memorySource(), { after: 0, signal: gone, client: absent });
  expect(await text(body)).toBe('');
  expect(absent.taken.text).toBe('');
});

test('a store that fails while a client resumes ends the stream, so that it comes back', async () => {
  const source = memorySource();
  source.holdReads(() => Promise.reject(new Error('locked')));
  const { state } = open(source, { after: 0 });
  await settle();
  expect(state.ended).toBe(true);
});
