import { afterEach, expect, test } from 'vitest';
import { divideFiles } from '../../app/http/guard/open-files.server';
import { post } from '../support/server/api';
import { type Connection, openConnection, parseAnswer } from '../support/server/connection';
import { checkProblem } from '../support/server/problem';
import { startServer } from '../support/server/server';
import { until } from '../support/until';

const MAX_FILES = 400;
const { connections, streams } = divideFiles(MAX_FILES);
const LIVE = 'GET /api/live HTTP/1.1\r\nHost: board\r\n\r\n';

const open: Connection[] = [];
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

test('streams and connections leave files for pages, posts and scripts', async () => {
  const server = await startServer({ maxFiles: MAX_FILES });
  const connect = (text = '') => {
    const connection = openConnection(server.port, text);
    open.push(connection);
    return connection;
  };
  for (let i = 0; i < streams; i++) connect(LIVE);
  await until(() => open.every(({ received }) => received().includes('retry:')));

  const refused = connect(LIVE);
  const { status, headers, body } = await until(() => parseAnswer(refused.received()));
  expect(status).toBe(503);
  expect(headers).toMatch(/^retry-after: 10$/im);
  checkProblem(JSON.parse(body), 503);
  await until(refused.isClosed);

  // Idle connections use up the rest, but for the ones of this test.
  const idle = Array.from({ length: connections - streams - 8 }, () => connect());
  await until(() => idle.every(({ socket }) => socket.readyState === 'open'));
  const page = await (await fetch(server.url)).text();
  const files = [...new Set(page.match(/\/assets\/[\w.-]+/g))];
  expect(files.length).toBeGreaterThan(3);
  for (const path of files) expect((await fetch(server.url + path)).status).toBe(200);
  expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);

  const tooMany = Array.from({ length: 50 }, () => connect());
  await until(() => tooMany.filter(({ isClosed }) => isClosed()).length > 30);
  await until(() => server.output().includes(`503 More than ${connections} connections are open.`));
  expect(server.output()).not.toContain('EMFILE');

  for (const { socket } of open) socket.destroy();
  await until(async () => (await fetch(`${server.url}/healthz`).catch(() => null))?.status === 200);
  const again = connect(LIVE);
  await until(() => again.received().includes('retry:'));
  expect(await server.stop()).toBe(0);
});
