import { afterEach, expect, test } from 'vitest';
import { divideFiles } from '../../app/http/guard/connections.server';
import { checkProblem, post } from '../support/server/api';
import { type Connection, openConnection, parseAnswer } from '../support/server/raw-client';
import { startServer } from '../support/server/server';
import { until } from '../support/until';

const MAX_FILES = 400;
const { connections, streams } = divideFiles(MAX_FILES);
const LIVE = 'GET /api/live HTTP/1.1\r\nHost: board\r\n\r\n';
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: board\r\n\r\n';
const READING = '{"co2": 415, "voc": 120}';
/** A post with an incomplete body. The server confirms its headers with a 100. */
const HALF_POST = `POST /api/data HTTP/1.1\r\nHost: board\r\nExpect: 100-continue\r\nContent-Length: ${READING.length}\r\n\r\n`;

const open: Connection[] = [];
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

const startLimited = async () => {
  const server = await startServer({ maxFiles: MAX_FILES });
  const connect = (text = '') => {
    const connection = openConnection(server.port, text);
    open.push(connection);
    return connection;
  };
  return { server, connect };
};

test('streams and connections leave file descriptors for pages, posts and scripts', async () => {
  const { server, connect } = await startLimited();
  for (let i = 0; i < streams; i++) connect(LIVE);
  await until(() => open.every(({ received }) => received().includes('retry:')));

  const refused = connect(LIVE);
  const { status, headers, body } = await until(() => parseAnswer(refused.received()));
  expect(status).toBe(503);
  expect(headers).toMatch(/^retry-after: 10$/im);
  checkProblem(JSON.parse(body), 503);
  await until(refused.isClosed);

  // Idle connections use up the rest, except the eight that this test needs.
  const idle = Array.from({ length: connections - streams - 8 }, () => connect());
  await until(() => idle.every(({ socket }) => socket.readyState === 'open'));
  const page = await (await fetch(server.url)).text();
  const files = [...new Set(page.match(/\/assets\/[\w.-]+/g))];
  expect(files.length).toBeGreaterThan(3);
  for (const path of files) expect((await fetch(server.url + path)).status).toBe(200);
  expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);

  // Posts in progress replace the idle connections.
  const posts: Connection[] = [];
  while (posts.filter(({ isClosed }) => isClosed()).length < 30) {
    const post = connect(HALF_POST);
    await until(() => post.received().includes('100 Continue') || post.isClosed());
    posts.push(post);
  }
  expect(idle.every(({ isClosed }) => isClosed())).toBe(true);
  expect(posts.filter(({ isClosed }) => !isClosed())).toHaveLength(connections - streams);
  await until(() => server.output().includes(`503 More than ${connections} connections are open.`));
  expect(server.output()).not.toContain('EMFILE');

  for (const { socket } of open) socket.destroy();
  await until(async () => (await fetch(`${server.url}/healthz`).catch(() => null))?.status === 200);
  const again = connect(LIVE);
  await until(() => again.received().includes('retry:'));
  expect(await server.stop()).toBe(0);
});

test('idle connections make room for new ones, and requests and streams continue', async () => {
  const { server, connect } = await startLimited();
  const stream = connect(LIVE);
  await until(() => stream.received().includes('retry:'));
  const slowPost = connect(HALF_POST);
  // Until its headers arrive, it is idle like the others.
  await until(() => slowPost.received().includes('100 Continue'));

  const silent = Array.from({ length: 110 }, () => connect());
  const answered = Array.from({ length: 110 }, () => connect(HEALTH));
  const unfinished = Array.from({ length: 110 }, () => connect('GET /healthz HTTP/1.1\r\nHo'));
  const idle = [...silent, ...answered, ...unfinished];
  expect(idle.length).toBeGreaterThan(connections);
  await until(() => answered.every(({ received, isClosed }) => received() !== '' || isClosed()));
  // A connection that keeps sending without completing its headers is closed too.
  const trickling = setInterval(() => {
    for (const { socket } of unfinished) socket.write('s');
  }, 100);

  for (const request of [HEALTH, HALF_POST + READING, 'GET / HTTP/1.1\r\nHost: board\r\n\r\n']) {
    const { received } = connect(request);
    await until(() => /^HTTP\/1.1 20[01] /m.test(received()), 2000);
  }
  // Each closes the connection that was idle longest: first the earlier ones, then two of their own.
  const next = Array.from({ length: connections }, () => connect());
  await until(() => idle.every(({ isClosed }) => isClosed()));
  await until(() => next.filter(({ isClosed }) => isClosed()).length === 2);
  clearInterval(trickling);

  slowPost.socket.write(READING);
  await until(() => /^HTTP\/1.1 201 /m.test(slowPost.received()));
  await until(() => stream.received().match(/^data: /gm)?.length === 2);
  expect(stream.isClosed()).toBe(false);
  expect(server.output()).not.toMatch(/ 503 /);
  expect(await server.stop()).toBe(0);
});
