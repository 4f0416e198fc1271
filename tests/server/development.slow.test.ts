import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endWithRun } from '../support/own-temporary-folder';
import { expectProblem, post, readAll } from '../support/server/api';
import { openEventStream } from '../support/server/event-stream';
import { freePort, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

let url: string;
let development: ChildProcess;
let printed = '';

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['scripts/dev.js'], {
    env: {
      PATH,
      HOME,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATABASE_PATH: join(temporaryFolder(), 'readings.db'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  development = child;
  endWithRun(child);
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  // No page is loaded first: the guard answers API requests from the start.
  await until(() =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
});

afterAll(async () => {
  development.kill();
  await once(development, 'exit');
});

test('the development server listens on HOST and PORT, and prints its address', () => {
  expect(printed).toContain(`${url}/`);
});

test('the development server stores a reading, returns it and sends it to an open stream', async () => {
  const stream = await openEventStream(url);
  expect(stream.response.headers.get('Content-Type')).toContain('text/event-stream');
  expect((await post(url, { co2: 415, voc: 120 })).status).toBe(201);
  await stream.untilInserts(1);
  expect(stream.inserts()[0]?.reading).toMatchObject({ co2: 415, voc: 120 });
  expect(await readAll(url)).toEqual(stream.inserts().map(({ reading }) => reading));
  stream.close();
});

test('the development server rejects bad requests with the same problems', async () => {
  await expectProblem(await fetch(`${url}/api/data?limit=0`), 400);
  const body = 'x'.repeat(20_000);
  await expectProblem(await fetch(`${url}/api/data`, { method: 'POST', body }), 413);
  await expectProblem(await fetch(`${url}/api/data`, { method: 'PUT' }), 405);
  await expectProblem(await fetch(`${url}/api/nothing`), 404);
});

test('a page renders from source', async () => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(await response.text()).toContain('<h1');
});
