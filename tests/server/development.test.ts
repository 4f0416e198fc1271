import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, readAll } from '../support/api';
import { openEventStream } from '../support/event-stream';
import { expectProblem } from '../support/problem';
import { freePort, temporaryFolder } from '../support/server';
import { until } from '../support/until';

/** The script behind `remix vite:dev`, which `npm run dev` runs. */
const REMIX = createRequire(import.meta.url).resolve('@remix-run/dev/dist/cli.js');

let url: string;
let development: ChildProcess;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  development = spawn(process.execPath, [REMIX, 'vite:dev', '--host', '127.0.0.1', '--port', `${port}`], {
    env: { PATH, HOME, NODE_ENV: 'development', DATABASE_PATH: join(temporaryFolder(), 'readings.db') },
    stdio: 'ignore',
  });
  // No page is loaded first: the guard answers requests to the API from the start.
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
  await expectProblem(await fetch(`${url}/api/data`, { method: 'DELETE' }), 405);
  await expectProblem(await fetch(`${url}/api/nothing`), 404);
});

test('served from source, a page renders', async () => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(await response.text()).toContain('<h1');
});
