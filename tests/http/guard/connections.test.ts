import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveInTurn } from '../../../app/http/guard/connections.server';
import { type Connection, openConnection } from '../../support/server/raw-client';
import { until } from '../../support/until';

const REQUEST = 'GET / HTTP/1.1\r\nHost: board\r\n\r\n';

let server: Server;
let opened: number;
let responses: ServerResponse[];

/** Opens a server with a maximum of three connections, which answers when the test says so. */
beforeEach(async () => {
  opened = 0;
  responses = [];
  server = createServer();
  serveInTurn(server, 3, (_request, response) => void responses.push(response));
  server.on('connection', () => {
    opened += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Connects, and waits until the server has the connection and the request, if any. */
async function connect(text = ''): Promise<Connection> {
  const [count, asked] = [opened, responses.length];
  const connection = openConnection((server.address() as AddressInfo).port, text);
  await until(() => opened > count && (connection.isClosed() || text === '' || responses.length > asked));
  return connection;
}

const closed = (connections: Connection[]) => connections.map(({ isClosed }) => isClosed());

test('closes the connection that has been idle for longest to make room for a new one', async () => {
  const [busy, silent, answered] = [await connect(REQUEST), await connect(), await connect(REQUEST)];
  responses[1]?.end('done');
  await until(() => answered.received().endsWith('done'));
  const next = await connect();
  await until(silent.isClosed);
  await connect();
  await until(answered.isClosed);
  await connect();
  await until(next.isClosed);
  expect(busy.isClosed()).toBe(false);
});

test('closes a new connection while all others have a request', async () => {
  const all = [await connect(REQUEST), await connect(REQUEST), await connect(REQUEST)];
  const refused = await connect();
  await until(refused.isClosed);
  expect(closed(all)).toEqual([false, false, false]);
  responses[1]?.end('done');
  await until(() => all[1]?.received().endsWith('done'));
  const next = await connect(REQUEST);
  await until(() => all[1]?.isClosed());
  expect(closed([...all, next])).toEqual([false, true, false, false]);
});

test('handles a pipelined request after the previous response, and keeps its connection', async () => {
  const piped = await connect(REQUEST + REQUEST);
  expect(responses).toHaveLength(1);
  responses[0]?.end('first');
  await until(() => responses.length === 2);
  await until(() => piped.received().endsWith('first'));
  const others = [await connect(), await connect(), await connect()];
  await until(() => others[0]?.isClosed());
  expect(closed([piped, ...others])).toEqual([false, true, false, false]);
  responses[1]?.end('second');
  await until(() => piped.received().endsWith('second'));
});

test('a closed connection is no longer counted', async () => {
  const [left] = [await connect(REQUEST), await connect()];
  left?.socket.destroy();
  await until(() => responses[0]?.closed);
  const others = [await connect(REQUEST), await connect(REQUEST)];
  expect(closed(others)).toEqual([false, false]);
  const refused = [await connect(REQUEST), await connect()];
  await until(() => refused[1]?.isClosed());
  expect(closed([...others, refused[0] as Connection])).toEqual([false, false, false]);
});
