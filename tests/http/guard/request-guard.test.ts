import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiRoutes, ClientConnection } from '../../../app/http/answer';
import { checkProblem, expectProblem } from '../../support/server/api';
import { openConnection, parseAnswer } from '../../support/server/raw-client';
import { until } from '../../support/until';

// Overrides `ALLOWED_ORIGINS` of a `.env` file.
Object.assign(process.env, { ALLOWED_ORIGINS: '' });
const { passToRemix } = await import('../../../app/http/guard/remix-serve.server');
const { serveInTurn } = await import('../../../app/http/guard/connections.server');
const { createRequestGuard } = await import('../../../app/http/guard/request-guard.server');

let server: Server;
let port: number;
let isClosing = false;
let handledPosts = 0;
let connection: ClientConnection;
let isClosed = false;
/** The addresses that a handler got, and those passed on, with the target before them. */
const addresses: string[] = [];

const ROUTES: ApiRoutes = {
  '/api/data': {
    loader: ({ url }) => {
      addresses.push(`${url}`);
      return { headers: {}, body: 'loader' };
    },
    action: () => {
      handledPosts += 1;
      return { headers: {}, body: 'action' };
    },
  },
  '/api/live': {
    loader: () => ({
      headers: { 'Content-Type': 'text/event-stream' },
      body: {
        stream(client) {
          connection = client;
          client.onClose(() => {
            isClosed = true;
          });
          client.write(Buffer.from('data: 1\n\n'));
        },
      },
    }),
  },
};

beforeAll(async () => {
  const guard = createRequestGuard(ROUTES, {
    isClosing: () => isClosing,
    passOn({ request, url }, next) {
      addresses.push(`${request.url} ${url}`);
      next();
    },
  });
  server = createServer();
  serveInTurn(server, 100, (request, response) => guard(request, response, () => response.end('passed on')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

beforeEach(() => {
  isClosing = false;
  isClosed = false;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });

test('answers API requests with its handlers, and passes the others on', async () => {
  expect(await (await ask('/api/data')).text()).toBe('loader');
  expect(await (await ask('/api/data/', 'POST')).text()).toBe('action');
  expect(await (await ask('/chart')).text()).toBe('passed on');
});

test('gives the service worker its own policy, and no other script', async () => {
  const guard = createRequestGuard(ROUTES, { passOn: passToRemix((path) => path) });
  const policyOf = (url: string) => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url, headers: { host: 'board' } });
    const response = new ServerResponse(request);
    guard(request, response, () => {});
    return response.getHeader('Content-Security-Policy');
  };
  expect(policyOf('/service-worker.js')).toBe("default-src 'none'; connect-src 'self'");
  expect(policyOf('/assets/root.js')).toBeUndefined();
});

test('passes on simultaneous requests one by one, each in its own event-loop turn', async () => {
  const guard = createRequestGuard(ROUTES, { passOn: passToRemix((path) => path) });
  let passedOn = 0;
  for (let i = 0; i < 5; i++) {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: '/chart', headers: { host: 'board' } });
    guard(request, new ServerResponse(request), () => {
      passedOn += 1;
    });
  }
  expect(passedOn).toBe(0);
  while (passedOn < 5) {
    const before = passedOn;
    await nextTurn();
    expect(passedOn - before).toBeLessThanOrEqual(1);
  }
});

test('refuses methods that a route lacks with 405', async () => {
  const { headers } = await ask('/api/live', 'POST');
  expect(headers.get('Allow')).toBe('GET, HEAD');
  await expectProblem(await ask('/chart', 'POST'), 405);
  await expectProblem(await ask('/api/data', 'DELETE'), 405);
});

test.each([
  ...['/api', '/API/data', '/api/data//', '/api/live//', '/%61pi/live//', '//api/data', '/api/data.data'],
  '/healthz',
])('refuses %s with 404, although Remix may match it', async (path) => {
  const { detail } = await expectProblem(await ask(path), 404);
  expect(detail).toContain('/api/data, /api/live');
});

test('refuses an address over 2 kB with 414', async () => {
  expect((await ask(`/${'a'.repeat(2047)}`)).status).toBe(200);
  await expectProblem(await ask(`/${'a'.repeat(2048)}`), 414);
  await expectProblem(await ask(`/api/data?limit=1&${'a'.repeat(2048)}`), 414);
});

test('refuses every request with 503 while the server stops', async () => {
  isClosing = true;
  for (const path of ['/api/data', '/chart']) {
    const response = await ask(path);
    expect(response.headers.get('Retry-After')).toBe('1');
    await expectProblem(response, 503);
  }
});

test('sends a stream without chunked encoding, and closes its connection at the end', async () => {
  const client = openConnection(port, 'GET /api/live HTTP/1.1\r\nHost: board\r\n\r\n');
  await until(() => client.received().endsWith('data: 1\n\n'));
  const { headers, body } = parseAnswer(client.received()) ?? {};
  expect(headers).toMatch(/^connection: close$/im);
  expect(headers).not.toMatch(/transfer-encoding|content-length/i);
  connection.write(Buffer.from('data: 2\n\n'));
  await until(() => client.received().endsWith('data: 2\n\n'));
  expect(body).toBe('data: 1\n\n');
  expect([client.isClosed(), isClosed]).toEqual([false, false]);
  connection.end();
  await until(client.isClosed);
  await until(() => isClosed);
});

test('aborts a stream when its client disconnects', async () => {
  const client = openConnection(port, 'GET /api/live HTTP/1.1\r\nHost: board\r\n\r\n');
  await until(() => client.received().includes('data: 1'));
  client.socket.destroy();
  await until(() => isClosed);
  expect(await connection.drained()).toBe(false);
  let wasCalled = false;
  connection.onClose(() => {
    wasCalled = true;
  });
  expect(wasCalled).toBe(true);
});

test('answers HEAD for a stream with its headers only', async () => {
  const response = await ask('/api/live', 'HEAD');
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  expect(await response.text()).toBe('');
});

const post = (headers: string) => `POST /api/data HTTP/1.1\r\n${headers}\r\n2\r\n{}\r\n0\r\n\r\n`;

test.each([
  ['a malformed Host', 'GET / HTTP/1.1\r\nHost: bad host\r\n\r\n', 400, false],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: board\r\nhost: other\r\n\r\n', 400, true],
  ['the same Host twice', 'GET / HTTP/1.1\r\nHost: board\r\nHost: board\r\n\r\n', 400, true],
  ['an encoding besides chunked', post('Host: a\r\nTransfer-Encoding: gzip, chunked\r\n'), 501, true],
  [
    'an encoding in another line',
    post('Host: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n'),
    501,
    true,
  ],
  ['chunks in HTTP/1.0', post('Host: a\r\nTransfer-Encoding: chunked\r\n').replace('1.1', '1.0'), 400, true],
])('refuses %s', async (_, bytes, refusedWith, closes) => {
  const { socket, received, isClosed } = openConnection(port, bytes);
  const { status, body } = await until(() => parseAnswer(received()));
  expect(status).toBe(refusedWith);
  checkProblem(JSON.parse(body), refusedWith);
  if (closes) await until(isClosed);
  socket.destroy();
});

test.each([
  ['two Hosts', 'Host: a\r\nHost: b\r\nTransfer-Encoding: chunked\r\n'],
  ['an encoding besides chunked', 'Host: a\r\nTransfer-Encoding: gzip, chunked\r\n'],
])('ignores anything after a request with %s, since it may be its body', async (_, headers) => {
  const next = 'POST /api/data HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
  const before = handledPosts;
  const { socket, received } = openConnection(port, `${post(headers)}${next}`);
  await until(() => parseAnswer(received()));
  // The server leaves the connection open for a while, so its response isn't lost.
  socket.write(next);
  await ask('/api/data');
  socket.write(next);
  await ask('/api/data');
  expect(handledPosts).toBe(before);
  socket.destroy();
});

const OTHER_HOST = 'Host: other\r\n';

test.each([
  ['http://board/api/data', 'http://board/api/data'],
  ['HTTP://board:8080/api/data?limit=1', 'http://board:8080/api/data?limit=1'],
  ['https://[::1]/api/data/', 'http://[::1]/api/data'],
  ['http://board', '/ http://board/'],
  ['http://board?span=day', '/?span=day http://board/?span=day'],
])('answers the absolute target %s as its path, at its host', async (target, expected) => {
  const { socket, received } = openConnection(port, `GET ${target} HTTP/1.1\r\n${OTHER_HOST}\r\n`);
  const { status } = await until(() => parseAnswer(received()));
  expect(status).toBe(200);
  expect(addresses.at(-1)).toBe(expected);
  socket.destroy();
});

test.each([
  ...[
    'http:///api/data',
    'http://me@board/',
    'http://bad_host!/',
    'http:/board/',
    'ftp://board/',
    'board/api',
  ],
  ...['http://board\\evil/', 'http://board#/api/data'],
])('refuses the target %s', async (target) => {
  const { socket, received } = openConnection(port, `GET ${target} HTTP/1.1\r\n${OTHER_HOST}\r\n`);
  expect((await until(() => parseAnswer(received()))).status).toBe(400);
  socket.destroy();
});

test('refuses an absolute target with a malformed Host', async () => {
  const { socket, received } = openConnection(port, 'GET http://board/ HTTP/1.1\r\nHost: bad host\r\n\r\n');
  expect((await until(() => parseAnswer(received()))).status).toBe(400);
  socket.destroy();
});

test('accepts chunked encoding in any case', async () => {
  const { socket, received } = openConnection(port, post('Host: a\r\nTransfer-Encoding: Chunked\r\n'));
  expect((await until(() => parseAnswer(received()))).body).toBe('action');
  socket.destroy();
});
