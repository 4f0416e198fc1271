import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkProblem, expectProblem } from '../support/server/api';
import { openConnection, parseAnswer, RawClient } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Sends a method and a path unchanged, unlike `fetch`. */
async function send(method: string, path: string) {
  const client = new RawClient(server.port);
  const request = `${method} ${path} HTTP/1.1\r\nHost: board\r\nContent-Length: 0\r\n\r\n`;
  const answer = await client.send(request, method === 'HEAD');
  client.close();
  if (!answer) throw new Error(`${method} ${path}: no answer`);
  return answer;
}

const READ_ONLY = 'GET, HEAD';
const ADDRESSES = [
  ['/api/data', 'GET, HEAD, POST, DELETE'],
  ['/api/data/', 'GET, HEAD, POST, DELETE'],
  ['/api/data?limit=1', 'GET, HEAD, POST, DELETE'],
  ['/api/airrohr', 'POST'],
  ['/api/enviro', 'POST'],
  ['/write', 'POST'],
  ['/api/v2/write', 'POST'],
  ['/api/history', READ_ONLY],
  ['/api/live', READ_ONLY],
  ['/api/notes', 'GET, HEAD, POST, DELETE'],
  ['/api/pattern', READ_ONLY],
  ['/api/sensors', 'GET, HEAD, PATCH'],
  ['/api/summary', READ_ONLY],
  ['/healthz', READ_ONLY],
  ['/metrics', READ_ONLY],
  ['/', READ_ONLY],
  ['/chart', READ_ONLY],
  ['/postdata', READ_ONLY],
] as const;

/**
 * The methods that Node's HTTP parser accepts, which depend on its version: 20.19.0 lacks QUERY. CONNECT requests a
 * tunnel, not an address of this server.
 */
const READ_METHODS = METHODS.filter((method) => method !== 'CONNECT');

test.each(ADDRESSES)('%s answers every other method with 405 and Allow: %s', async (path, allow) => {
  for (const method of READ_METHODS.filter((method) => !allow.split(', ').includes(method))) {
    const { status, headers, body } = await send(method, path);
    expect([method, status]).toEqual([method, 405]);
    expect(headers).toContain(`Allow: ${allow}\r\n`);
    if (method === 'HEAD') expect(body).toBe('');
    else expect(checkProblem(JSON.parse(body), 405).detail).toContain(method);
  }
});

const PATHS = [
  '/api/data',
  '/api/history',
  '/api/live',
  '/api/notes',
  '/api/pattern',
  '/api/sensors',
  '/api/summary',
];

test.each([...PATHS, '/healthz', '/metrics', '/', '/chart', '/postdata'])(
  'HEAD %s answers like GET, without a body',
  async (path) => {
    const get = await fetch(server.url + path);
    const head = await fetch(server.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('Content-Type')?.split(';')[0]).toBe(
      get.headers.get('Content-Type')?.split(';')[0],
    );
    await get.body?.cancel();
  },
);

test.each([
  '/api',
  '/api/nothing',
  '/api/data/7',
  '/api/data.json',
  '/api/sensors.data',
  '/api/sensors/Kitchen',
  '/Metrics',
  '/api/../api/nothing',
  '/api/data//',
  '/%61pi/live//',
  '//api/live',
  '/api%2Flive',
])('%s is a 404 problem for every method', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const { status, headers, body } = await send(method, path);
    expect([method, status]).toEqual([method, 404]);
    expect(headers).toContain('application/problem+json');
    expect(checkProblem(JSON.parse(body), 404).detail).toContain('/api/data');
  }
});

test.each([
  ['/%', 'board'],
  ['/api/%zz', 'board'],
  ['/api/data', 'bad host'],
  ['/api/data', '[::1'],
])('rejects the malformed address %s at the host "%s" with 400', async (path, host) => {
  const { socket, received } = openConnection(server.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const { status, body } = await until(() => parseAnswer(received()));
  expect(status).toBe(400);
  checkProblem(JSON.parse(body), 400);
  socket.destroy();
});

test('rejects a bad query or Last-Event-ID of the stream with 400', async () => {
  for (const query of ['after=x', 'after=-1', 'before=1', 'limit=1', 'from=2026-01-01T00:00:00Z']) {
    const problem = await expectProblem(await fetch(`${server.url}/api/live?${query}`), 400);
    expect(problem.errors?.[0]?.field).toBe(query.split('=')[0]);
  }
  const headers = { 'Last-Event-ID': 'seven' };
  await expectProblem(await fetch(`${server.url}/api/live`, { headers }), 400);
});

describe('a server without earlier refusals', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ isReady: (output) => output.includes('http://') });
  });

  afterAll(() => server.stop());

  /** The server logs a few refused requests a second, which is more than these tests make. */
  const untilLogged = (line: string) => until(() => server.output().includes(`Z ${line}\n`));

  test('answers TRACE with 405 even as its first request', async () => {
    const client = new RawClient(server.port);
    expect((await client.send('TRACE /api/data HTTP/1.1\r\nHost: board\r\n\r\n'))?.status).toBe(405);
    client.close();
  });

  test.each(['/nothing', '/chart/nothing', '/apiary', '/healthzz'])(
    '%s is a 404 page, and leaves no stack trace in the log',
    async (path) => {
      const answer = await fetch(server.url + path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/);
      expect(await answer.text()).toContain('Page not found');
      await untilLogged(`GET ${path} 404 Not Found`);
      expect(server.output()).not.toMatch(/ErrorResponseImpl|\n\s+at /);
    },
  );

  test('answers an unknown range with a 400 page that lists the known ones', async () => {
    const answer = await fetch(`${server.url}/chart?range=2HR`);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    for (const name of ['10MIN', '1HR', '6HR', '24HR']) expect(text).toContain(name);
    await untilLogged('GET /chart?range=2HR 400 Unknown range');
  });

  test.each([
    ['GET', '/api/data?limit=x', undefined, 'The query is invalid. limit must be '],
    ['POST', '/api/data', '{"co2 ": 415}', 'The reading is invalid. co2  is unknown: send it as "co2"'],
    ['POST', '/api/data', '{"so2": 80}', 'neither has another metric (not known: "so2"): '],
    ['POST', '/api/data', `{"sensor": "${'x'.repeat(5000)}", "co2": 1, "voc": 1}`, 'is invalid. sensor '],
  ])('logs why it refused %s %s, with the first invalid field', async (method, path, body, reason) => {
    await (await fetch(server.url + path, { method, body })).arrayBuffer();
    const line = () =>
      server
        .output()
        .split('\n')
        .find((text) => text.includes(`Z ${method} ${path} 400 `) && text.includes(reason));
    expect((await until(line))?.length).toBeLessThan(500);
  });

  test('logs no page that it sends, whatever its address, and no key of a refused one', async () => {
    const before = server.output().length;
    const client = new RawClient(server.port);
    const long = `key=SECRET&x=${'x'.repeat(1500)}`;
    for (let i = 0; i < 500; i++) {
      const path =
        i % 2 === 0 ? `/__manifest?p=/&${long}` : `/${i % 20 === 1 ? 'missing' : 'postdata'}?${long}`;
      await client.send(`GET ${path} HTTP/1.1\r\nHost: board\r\n\r\n`);
    }
    client.close();
    const logged = server.output().slice(before);
    expect(logged).toContain('GET /missing?key=***');
    expect(logged).not.toContain('SECRET');
    expect(logged).not.toMatch(/__manifest|postdata/);
  });

  test('logs few of many refused requests, and no answered API requests', async () => {
    const before = server.output().length;
    const startedAt = performance.now();
    const client = new RawClient(server.port);
    const get = (path: string) => client.send(`GET ${path} HTTP/1.1\r\nHost: board\r\n\r\n`);
    await get('/api/sensors');
    for (const path of ['/nothing', `/chart?range=${'%22'.repeat(500)}`]) await get(path);
    for (let i = 0; i < 500; i++) await get('/api/nothing');
    client.close();
    const seconds = (performance.now() - startedAt) / 1000;
    const lines = server.output().slice(before).trim().split('\n');
    expect(lines.filter((line) => line.includes('GET /api/sensors'))).toEqual([]);
    expect(lines.filter((line) => !/Z (GET \/(nothing|chart|api)|… and \d+ more)/.test(line))).toEqual([]);
    // Each second, ten refusals and the number of omitted ones.
    expect(lines.length).toBeLessThan(11 * (seconds + 2));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});
