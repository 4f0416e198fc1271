import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

test.concurrent('headers that take over 10 s and a body that takes over a minute get 408', async () => {
  const head = openConnection(server.port, 'GET / HTTP/1.1\r\nHost: board\r\n');
  const body = openConnection(
    server.port,
    'POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: 999\r\n\r\n{',
  );
  const begin = performance.now();
  const trickle = setInterval(() => {
    if (!body.isClosed()) body.socket.write(' ');
    if (!head.isClosed()) head.socket.write('a: b\r\n');
  }, 1000);
  await until(() => parseAnswer(head.received())?.status === 408, 15_000);
  expect(performance.now() - begin).toBeGreaterThan(9500);
  await until(() => parseAnswer(body.received())?.status === 408, 75_000);
  clearInterval(trickle);
  const seconds = (performance.now() - begin) / 1000;
  expect(seconds).toBeGreaterThan(59);
  expect(seconds).toBeLessThan(66);
});

test.concurrent('a kept connection outlives 60 s without a request, and takes another', async () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: board\r\n\r\n';
  const connection = openConnection(server.port, request);
  await until(() => connection.received().includes('"status":"ok"'));
  await sleep(61_000);
  connection.socket.write(request);
  await until(() => connection.received().split('"status":"ok"').length === 3);
  connection.socket.destroy();
});
