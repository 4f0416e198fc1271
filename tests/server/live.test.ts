import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { post, postAll, readAll } from '../support/server/api';
import { type EventStream, openEventStream } from '../support/server/event-stream';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

/** More readings than the store reads at once. */
const STORED = 2500;

let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(STORED);
});

afterAll(() => server.stop());

const newest = async () => (await readAll(server.url, '?limit=1'))[0] as Reading;
const ids = (stream: EventStream) => stream.inserts().map(({ id }) => id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('a stream starts at once, sets the retry delay, and forbids caching, buffering and compression', async () => {
  const stream = await openEventStream(server.url);
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
  expect(stream.response.headers.get('Cache-Control')).toBe('no-cache, no-transform');
  expect(stream.response.headers.get('X-Accel-Buffering')).toBe('no');
  expect(stream.response.headers.get('Content-Encoding')).toBeNull();
  const first = await until(() => stream.blocks[0]);
  expect(first).toMatchObject({ retry: '1000', comments: [expect.any(String)] });
  expect(first.data).toBeUndefined();
  stream.close();
});

test('sends each insert to every stream, with its id and the stored reading in "new"', async () => {
  const streams = await Promise.all([1, 2, 3].map(() => openEventStream(server.url)));
  const stored = await postAll(server.url, [
    { co2: 415, voc: '120' },
    { co2: -1.5, voc: 0 },
  ]);
  for (const stream of streams) {
    await stream.untilInserts(2);
    expect(stream.inserts()).toEqual(stored.map((reading) => ({ id: reading.id, reading })));
    const events = stream.blocks.filter(({ data }) => data);
    expect(Object.keys(JSON.parse(events[0]?.data ?? ''))).toEqual(['new']);
    stream.close();
  }
});

test('a stream without an id sends only later inserts', async () => {
  const stream = await openEventStream(server.url);
  const [stored] = await postAll(server.url, [{ co2: 1, voc: 1 }]);
  await stream.untilInserts(1);
  expect(ids(stream)).toEqual([stored?.id]);
  stream.close();
});

test('sends no event for a rejected reading', async () => {
  const stream = await openEventStream(server.url);
  expect((await post(server.url, { co2: 'x', voc: 1 })).status).toBe(400);
  const [stored] = await postAll(server.url, [{ co2: 2, voc: 2 }]);
  await stream.untilInserts(1);
  expect(ids(stream)).toEqual([stored?.id]);
  stream.close();
});

test('resumes after Last-Event-ID or, without it, after the id in the query', async () => {
  const last = await newest();
  const missed = (
    await postAll(
      server.url,
      range(1, 5).map((co2) => ({ co2, voc: 0 })),
    )
  ).map(({ id }) => id);
  const resumes = [
    { lastEventId: last.id },
    { query: `?after=${last.id}` },
    { query: '?after=0', lastEventId: last.id },
  ];
  for (const from of resumes) {
    const stream = await openEventStream(server.url, from);
    await stream.untilInserts(missed.length);
    const [live] = await postAll(server.url, [{ co2: 6, voc: 0 }]);
    await stream.untilInserts(missed.length + 1);
    expect(ids(stream)).toEqual([...missed, live?.id]);
    missed.push(live?.id as number);
    stream.close();
  }
});

test('after=0 sends the whole history first, then the readings stored in the meantime', async () => {
  const { id: before } = await newest();
  const stream = await openEventStream(server.url, { query: '?after=0' });
  const stored = await postAll(
    server.url,
    range(1, 20).map((co2) => ({ co2, voc: 0 })),
  );
  await stream.untilInserts(before + stored.length);
  expect(ids(stream)).toEqual(range(1, before + stored.length));
  expect(stream.inserts().map(({ reading }) => reading)).toEqual(await readAll(server.url));
  stream.close();
});

test('a stream after a future id sends the readings with higher ids', async () => {
  const { id } = await newest();
  const stream = await openEventStream(server.url, { lastEventId: id + 1 });
  await postAll(server.url, [
    { co2: 1, voc: 1 },
    { co2: 2, voc: 2 },
  ]);
  await until(() => ids(stream).includes(id + 2));
  stream.close();
});

test('clients that disconnect and resume during posts get every reading once', async () => {
  const { id: start } = await newest();
  const total = 400;
  const posting = Promise.all(
    range(1, 8).map((worker) =>
      postAll(
        server.url,
        range(1, total / 8).map((n) => ({ co2: n, voc: worker })),
      ),
    ),
  );
  const clients = range(1, 4).map(async (client) => {
    const seen = [start];
    while ((seen.at(-1) as number) < start + total) {
      const stream = await openEventStream(server.url, { lastEventId: seen.at(-1) });
      // Each client disconnects after a different number of events.
      await until(() => ids(stream).length >= 7 * client || ids(stream).at(-1) === start + total);
      stream.close();
      seen.push(...ids(stream));
    }
    return seen;
  });
  await posting;
  for (const seen of await Promise.all(clients)) expect(seen).toEqual(range(start, start + total));
});

test('a stopped server ends its streams and exits with 0, and clients resume on the next server', async () => {
  const stopped = await startServer();
  const streams = await Promise.all(range(1, 10).map(() => openEventStream(stopped.url)));
  const [first] = await postAll(stopped.url, [{ co2: 1, voc: 1 }]);
  for (const stream of streams) await stream.untilInserts(1);
  expect(await stopped.stop('SIGTERM')).toBe(0);
  await until(() => streams.every((stream) => stream.isEnded()));
  const next = await stopped.restart();
  const [second] = await postAll(next.url, [{ co2: 2, voc: 2 }]);
  const resumed = await openEventStream(next.url, { lastEventId: first?.id });
  await resumed.untilInserts(1);
  expect(ids(resumed)).toEqual([second?.id]);
  expect(await next.stop('SIGINT')).toBe(0);
});

test('a stream of one sensor sends only its inserts, and skips those of other sensors when it resumes', async () => {
  const kitchen = await openEventStream(server.url, { query: '?sensor=Kitchen' });
  const unnamed = await openEventStream(server.url, { query: '?sensor=' });
  const stored = await postAll(server.url, [
    { co2: 1, voc: 1, sensor: 'Kitchen' },
    { co2: 2, voc: 2 },
    { co2: 3, voc: 3, sensor: 'Kitchen' },
    { co2: 4, voc: 4 },
  ]);
  const [first, second, third, fourth] = stored.map(({ id }) => id);
  await kitchen.untilInserts(2);
  await unnamed.untilInserts(2);
  expect([ids(kitchen), ids(unnamed)]).toEqual([
    [first, third],
    [second, fourth],
  ]);
  for (const stream of [kitchen, unnamed]) stream.close();

  const resumed = await openEventStream(server.url, { query: '?sensor=Kitchen', lastEventId: first });
  // A reading of another sensor is sent as its id without data, so the client resumes after it.
  await until(() => resumed.blocks.some(({ id, data }) => id === String(fourth) && data === undefined));
  expect(ids(resumed)).toEqual([third]);
  const [later] = await postAll(server.url, [{ co2: 5, voc: 5, sensor: 'Kitchen' }]);
  await resumed.untilInserts(2);
  expect(ids(resumed)).toEqual([third, later?.id]);
  resumed.close();
});
