import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const script = async () => {
  const page = await (await fetch(server.url)).text();
  return /\/assets\/[\w.-]+\.js/.exec(page)?.[0] as string;
};

test.each<[string, Record<string, string>, number]>([
  ['a range beyond the end', { Range: 'bytes=99999999-' }, 416],
  ['another version', { 'If-Match': '"other"' }, 412],
  ['a version before a date', { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 412],
])('answers a request for %s of a file with a problem that states the reason', async (_, headers, status) => {
  for (const path of ['/favicon.svg', await script()]) {
    const answer = await fetch(server.url + path, { headers: { ...headers, 'Accept-Encoding': 'br' } });
    const { detail } = await expectProblem(answer, status);
    expect(detail).toMatch(/^The file /);
    const ofFile = ['ETag', 'Content-Encoding', 'Last-Modified'].filter((name) => answer.headers.has(name));
    expect(ofFile).toEqual([]);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    if (status === 416) expect(answer.headers.get('Content-Range')).toMatch(/^bytes \*\/\d+$/);
    await until(() => server.output().includes(`GET ${path} ${status} `));
  }
  expect(server.output()).not.toMatch(/^ {4}at /m);
});

test('returns the requested range of a file', async () => {
  const whole = await (await fetch(`${server.url}/favicon.svg`)).text();
  const part = await fetch(`${server.url}/favicon.svg`, { headers: { Range: 'bytes=0-3' } });
  expect([part.status, await part.text()]).toEqual([206, whole.slice(0, 4)]);
});

const logged = () => server.output();

test('clients that disconnect before they have a page, its data or a file leave no error in the log', async () => {
  const before = logged();
  for (const path of [
    '/',
    '/history',
    '/_root.data',
    '/history.data',
    '/manifest.webmanifest',
    await script(),
  ]) {
    for (let i = 0; i < 30; i++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nHost: board\r\n\r\n`);
      setTimeout(() => socket.resetAndDestroy(), i);
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await until(async () => (await fetch(`${server.url}/healthz`)).ok);
  expect(logged()).toBe(before);
});
