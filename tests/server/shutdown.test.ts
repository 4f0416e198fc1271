import Database from 'libsql';
import { expect, test } from 'vitest';
import { checkProblem } from '../support/server/api';
import { type Connection, openConnection, parseAnswer } from '../support/server/raw-client';
import { startServer } from '../support/server/server';
import { until } from '../support/until';

const STREAMS = 50;
const LIVE = 'GET /api/live HTTP/1.1\r\nHost: board\r\n\r\n';
const BODY = '{"co2": 415, "voc": 120}';
/** With `Expect`, the server answers 100 as soon as it handles the post. */
const POST = `POST /api/data HTTP/1.1\r\nHost: board\r\nExpect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/**
 * The server promises 5 s. A busy machine gets more, but less than Node's timeouts, which a faulty server would wait
 * for.
 */
const STOP_MS = 30_000;

/** Returns whether a stream ended with its connection, after a whole event. */
const ended = ({ received, isClosed }: Connection) => isClosed() && received().endsWith('\n\n');

test.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s, ends streams after a whole event, stores posts in flight, rejects new requests, logs the stop, exits with 0',
  async (signal) => {
    const server = await startServer();
    const streams = Array.from({ length: STREAMS }, () => openConnection(server.port, LIVE));
    // The server has received half of each post when the signal arrives.
    const posts = Array.from({ length: 10 }, () => openConnection(server.port, POST + BODY.slice(0, 9)));
    // A whole post waits because another program has locked the database.
    const other = new Database(server.databasePath);
    other.exec('pragma busy_timeout = 5000; begin immediate');
    const waiting = openConnection(server.port, POST + BODY);
    await until(() => streams.every(({ received }) => received().includes('retry:')));
    await until(() => [...posts, waiting].every(({ received }) => received().includes('100 Continue')));

    const startedAt = performance.now();
    const exit = server.stop(signal);
    await until(() => streams.every(ended));
    // Only connections with a request in progress are still open.
    posts[0]?.socket.write(`${BODY.slice(9)}${LIVE}`);
    for (const { socket } of posts.slice(1)) socket.write(BODY.slice(9));
    other.exec('rollback');
    other.close();

    for (const { received } of [...posts, waiting]) await until(() => received().includes('HTTP/1.1 201'));
    const first = posts[0] as Connection;
    await until(() => first.received().includes('HTTP/1.1 503'));
    const answer = parseAnswer(first.received().slice(first.received().indexOf('HTTP/1.1 503')));
    checkProblem(JSON.parse(answer?.body ?? ''), 503);
    expect(answer?.headers).toMatch(/^retry-after: 1$/im);
    await expect(fetch(server.url)).rejects.toThrow();

    expect(await exit).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
    // The last line, after the refused request and an empty line that remix-serve prints.
    expect(server.output()).toMatch(new RegExp(` 503 .*\\n+\\[airboard\\] \\S+Z stopped by ${signal}\\n$`));
    const database = new Database(server.databasePath, { readonly: true });
    expect(database.prepare('select count(*) from data').raw().all()).toEqual([[11]]);
    database.close();
  },
);

test('stops within 5 s despite stalled clients, half a request and a locked database', async () => {
  const server = await startServer();
  for (const text of [LIVE, 'GET /api/data HTTP/1.1\r\nHost: board\r\n\r\n']) {
    openConnection(server.port, text).socket.pause();
  }
  openConnection(server.port, POST + BODY.slice(0, 9));
  const other = new Database(server.databasePath);
  other.exec('pragma busy_timeout = 5000; begin immediate');
  const waiting = openConnection(server.port, POST + BODY);
  await until(() => !waiting.socket.connecting);

  const startedAt = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
  other.close();
});
