import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkProblem, expectProblem, postAll, readAll } from '../support/server/api';
import { type Connection, openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const KIB = 1024;
/** The maximum size of a single reading, in bytes. */
const LIMIT = 16 * KIB;
/** Far more than the buffers of two sockets hold, so the server must have read it. */
const ENDLESS = 64 * KIB * KIB;

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Expects the server to store a reading after each test. */
afterEach(() => postAll(server.url, [{ co2: 415, voc: 120 }]));

/** Returns a valid reading of this length. */
function readingOf(bytes: number): string {
  const frame = '{"co2": 415, "voc": 120, "padding": ""}';
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const head = (framing: string) => `POST /api/data HTTP/1.1\r\nHost: board\r\n${framing}\r\n\r\n`;
const withLength = (bytes: number) => head(`Content-Length: ${bytes}`);
const chunked = head('Transfer-Encoding: chunked');

/** Writes `piece` repeatedly until `bytes` are sent or the connection closes. */
async function pour({ socket, isClosed }: Connection, piece: string, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes && !isClosed(); sent += piece.length) {
    if (!socket.write(piece)) await until(() => isClosed() || !socket.writableNeedDrain);
  }
}

function expectTooLarge({ received }: Connection): void {
  const answer = parseAnswer(received());
  expect(answer?.status).toBe(413);
  expect(answer?.headers).toMatch(/^connection: close$/im);
  checkProblem(JSON.parse(answer?.body ?? '{}'), 413);
}

test('stores a body of exactly 16 KiB and rejects one byte more with 413', async () => {
  const [stored] = await postAll(server.url, [{ co2: 1, voc: 1 }]);
  const send = (body: string) => fetch(`${server.url}/api/data`, { method: 'POST', body });
  expect((await send(readingOf(LIMIT))).status).toBe(201);
  const problem = await expectProblem(await send(readingOf(LIMIT + 1)), 413);
  expect(problem.detail).toContain('16 KiB');
  expect(await readAll(server.url, `?after=${stored?.id}`)).toHaveLength(1);
});

test('applies the same maximum to a chunked body', async () => {
  const send = async (bytes: number) => {
    const connection = openConnection(server.port, chunked + chunk(readingOf(bytes)) + chunk(''));
    const answer = await until(() => parseAnswer(connection.received()));
    connection.socket.destroy();
    return answer;
  };
  expect((await send(LIMIT)).status).toBe(201);
  const { status, body } = await send(LIMIT + 1);
  expect(status).toBe(413);
  checkProblem(JSON.parse(body), 413);
});

test.each([
  ['with a length', withLength(ENDLESS), 'x'.repeat(64 * KIB)],
  ['in chunks', chunked, chunk('x'.repeat(64 * KIB))],
])('stops reading an endless body sent %s, and answers it with 413', async (_, start, piece) => {
  const connection = openConnection(server.port, start);
  await pour(connection, piece, ENDLESS);
  await until(connection.isClosed);
  expectTooLarge(connection);
  expect(connection.socket.bytesWritten).toBeLessThan(ENDLESS / 4);
});

test('stops reading from a client that keeps sending after the server closed its side', async () => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).resume();
  socket.write(withLength(ENDLESS));
  await once(socket, 'end');
  for (let sent = 0; sent < ENDLESS && !socket.destroyed; sent += 64 * KIB) {
    if (socket.write('x'.repeat(64 * KIB))) continue;
    await Promise.race([once(socket, 'drain').catch(() => {}), isClosed]);
  }
  await isClosed;
  expect(socket.bytesWritten).toBeLessThan(ENDLESS / 4);
});

test.each([
  ['with a length', withLength(LIMIT + 1 + 280 * KIB) + 'x'.repeat(LIMIT + 1), ''],
  ['in chunks', chunked + chunk('x'.repeat(LIMIT + 1)), chunk('')],
])('delivers the 413 to a client that reads only after sending its whole body %s', async (_, start, end) => {
  const refusals = () => server.output().split('POST /api/data 413').length;
  const before = refusals();
  const connection = openConnection(server.port, start);
  connection.socket.pause();
  // Like a board's HTTP library, this client sends the rest after the server has already answered.
  await until(() => refusals() > before);
  await pour(connection, end ? chunk('x'.repeat(4 * KIB)) : 'x'.repeat(4 * KIB), 280 * KIB);
  if (end) connection.socket.write(end);
  await until(() => connection.socket.writableLength === 0);
  connection.socket.resume();
  await until(connection.isClosed);
  expectTooLarge(connection);
});

test('answers Expect: 100-continue with 413 if the body would be too large', async () => {
  const pending = request(`${server.url}/api/data`, {
    method: 'POST',
    headers: { 'Content-Length': ENDLESS, Expect: '100-continue' },
  });
  pending.on('error', () => {});
  pending.flushHeaders();
  const status = await new Promise((resolve) =>
    pending.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }),
  );
  expect(status).toBe(413);
  pending.destroy();
});
