import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeInsertStreams, streamInserts } from '../../../app/live/server/insert-streams.server';
import { type Reading, sensorOf } from '../../../app/readings/reading';
import type { ReadingQuery } from '../../../app/store/reading-store';
import { reading } from '../../support/readings/readings';

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
  const reads: ReadingQuery[] = [];
  let beforeRead = async () => {};
  return {
    /** The queries so far. */
    reads,
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
    async *read(query: ReadingQuery) {
      reads.push(query);
      for (let { after = 0 } = query; ; ) {
        await beforeRead();
        const next = stored.find(
          (reading) =>
            reading.id > after && (query.sensor === undefined || sensorOf(reading) === query.sensor),
        );
        if (!next) return;
        yield [next];
        after = next.id;
      }
    },
    newest: async (limit: number, { after = 0 }: ReadingQuery = {}) =>
      stored.filter(({ id }) => id > after).slice(-limit),
    holdReads(hold: () => Promise<void>) {
      beforeRead = hold;
    },
    listeners,
  };
}

/** Opens a stream on a connection in memory. */
function open(
  source: ReturnType<typeof memorySource>,
  after?: number,
  { isGone = false, sensor }: { isGone?: boolean; sensor?: string } = {},
) {
  const decoder = new TextDecoder();
  let text = '';
  let pendingBytes = 0;
  let takenBytes = 0;
  let leave = () => {};
  const connection = {
    write(bytes: Uint8Array) {
      text += decoder.decode(bytes, { stream: true });
    },
    pendingBytes: () => pendingBytes,
    takenBytes: () => takenBytes,
    drained: async () => true,
    end: vi.fn(),
    disconnect: vi.fn(),
    onClose(listener: () => void) {
      leave = listener;
      if (isGone) listener();
    },
  };
  streamInserts(source, { after, sensor }).body.stream(connection);
  return {
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => Number(id)),
    /** The id from which an `EventSource` would resume. */
    lastId: () => Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]),
    hasEnded: () => connection.end.mock.calls.length > 0,
    disconnect: connection.disconnect,
    leave: () => leave(),
    stall(bytes: number) {
      pendingBytes = bytes;
    },
    read(bytes: number) {
      takenBytes += bytes;
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
  // Each read first stores another reading, up to ten.
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
    // The store has returned its last page, and the stream hasn't processed it yet.
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
  streamInserts(source).body.stream({
    write: ({ byteLength }) => written.push(byteLength),
    pendingBytes: () => 0,
    takenBytes: () => 0,
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

test('disconnects only the client with more than 256 KiB of unread bytes, once', async () => {
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

test('disconnects a client that has left its data unread for two minutes', async () => {
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

test('keeps a resuming client that reads slowly, and disconnects it once it has read nothing for two minutes', async () => {
  const source = memorySource();
  source.holdReads(() => new Promise(() => {}));
  const stream = open(source, 0);
  stream.stall(1);
  for (let minute = 0; minute < 10; minute++) {
    stream.read(1);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(stream.disconnect).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(75_000);
  expect(stream.disconnect).toHaveBeenCalledTimes(1);
});

test('keeps nothing of disconnected clients', async () => {
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

test('sends nothing to a client that disconnected before its stream opened', async () => {
  const source = memorySource();
  source.insert(reading(1));
  const stream = open(source, 0, { isGone: true });
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

/** A reading of the kitchen for each odd id, and of the unnamed sensor for each even one. */
const ofTwoSensors = (id: number) => reading(id, id % 2 === 1 ? { sensor: 'Kitchen' } : {});

test('a stream of one sensor gets its inserts, even that of the unnamed sensor', async () => {
  const source = memorySource();
  const [kitchen, unnamed, all] = [
    open(source, undefined, { sensor: 'Kitchen' }),
    open(source, undefined, { sensor: '' }),
    open(source),
  ];
  for (let id = 1; id <= 5; id++) source.insert(ofTwoSensors(id));
  await settle();
  expect([kitchen.ids(), unnamed.ids(), all.ids()]).toEqual([
    [1, 3, 5],
    [2, 4],
    [1, 2, 3, 4, 5],
  ]);
});

test('sends the same bytes to all streams of a sensor, and writes nothing to those of others', async () => {
  const source = memorySource();
  const written: Record<string, Uint8Array[]> = { Kitchen: [], Attic: [], none: [] };
  for (const [name, parts] of Object.entries(written)) {
    for (let i = 0; i < 2; i++) {
      streamInserts(source, name === 'none' ? {} : { sensor: name }).body.stream({
        write: (bytes) => parts.push(bytes),
        pendingBytes: () => 0,
        takenBytes: () => 0,
        drained: async () => true,
        end: vi.fn(),
        disconnect: vi.fn(),
        onClose: vi.fn(),
      });
    }
    parts.length = 0;
  }
  for (const id of [1, 2]) source.insert(ofTwoSensors(id));
  await settle();
  expect(written.Kitchen).toHaveLength(2);
  expect(written.Kitchen?.[0]).toBe(written.Kitchen?.[1]);
  expect(written.none?.[0]).toBe(written.none?.[1]);
  expect(written.Attic).toEqual([]);
});

test('neither loses nor repeats an insert of its sensor while a client resumes', async () => {
  const source = memorySource();
  for (const id of [1, 2, 3]) source.insert(ofTwoSensors(id));
  let inserted = 3;
  source.holdReads(async () => {
    for (let i = 0; i < 2 && inserted < 10; i++) source.insert(ofTwoSensors(++inserted));
  });
  const stream = open(source, 1, { sensor: 'Kitchen' });
  await settle();
  for (const id of [11, 12, 13]) source.insert(ofTwoSensors(id));
  await settle();
  expect(stream.ids()).toEqual([3, 5, 7, 9, 11, 13]);
});

test('a stream without inserts sends ids to resume from, at its start and every 15 s', async () => {
  const source = memorySource();
  for (const id of [1, 2, 4, 6]) source.insert(ofTwoSensors(id));
  const stream = open(source, 0, { sensor: 'Kitchen' });
  await settle();
  expect([stream.ids(), stream.lastId()]).toEqual([[1], 6]);
  source.insert(ofTwoSensors(8));
  await settle();
  expect(stream.lastId()).toBe(6);
  await vi.advanceTimersByTimeAsync(15_000);
  expect([stream.ids(), stream.lastId()]).toEqual([[1], 8]);
  open(source, stream.lastId(), { sensor: 'Kitchen' });
  await settle();
  expect(source.reads.at(-1)).toEqual({ after: 8, sensor: 'Kitchen' });
});

test('an id without data never skips an unsent insert', async () => {
  const source = memorySource();
  source.insert(ofTwoSensors(2));
  const stream = open(source, 0, { sensor: 'Kitchen' });
  source.insert(ofTwoSensors(3));
  source.insert(ofTwoSensors(4));
  await settle();
  await vi.advanceTimersByTimeAsync(15_000);
  const sent = [...stream.text().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(stream.ids()).toEqual([3]);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
});
