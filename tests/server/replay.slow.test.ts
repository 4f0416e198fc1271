import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endWithRun } from '../support/own-temporary-folder';
import { readAll } from '../support/server/api';
import { freePort, type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.stop();
});

test('stores every row in the order of the file, with the columns in any order', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => `${100 + i},2018-06-22T00:00:00+02:00,${900 - i}`);
  const { exitCode, output } = await replay(csv(['voc,created_at,co2', ...rows].join('\n')), server.url);
  expect(output).toMatch(/300 of 300 rows stored in \d+ s, no failures/);
  expect(exitCode).toBe(0);
  const stored = await readAll(server.url, '?limit=300');
  expect(stored.map(({ co2, voc }) => [co2, voc])).toEqual(rows.map((_, i) => [900 - i, 100 + i]));
});

test('posts rows for the sensors in their column, or all for --sensor, like import --as-now', async () => {
  const file = csv('co2,voc,sensor\n1,2,Attic\n3,4,\n');
  expect((await replay(file, server.url)).exitCode).toBe(0);
  const importing = start([file, '--as-now', '--url', server.url, '--sensor', 'Cellar'], {}, 'import');
  expect(await importing.ended).toBe(0);
  const stored = await readAll(server.url, '?limit=4');
  expect(stored.map(({ sensor }) => sensor)).toEqual(['Attic', undefined, 'Cellar', 'Cellar']);
});

test('posts every metric, converted, and leaves out empty ones', async () => {
  const { exitCode, output } = await replay(csv('co2,temp (°F),note\n,68,x\n400,,x\n'), server.url);
  expect([exitCode, output]).toEqual([
    0,
    expect.stringContaining('"temp (°F)" as temperature, converted to °C.'),
  ]);
  const stored = await readAll(server.url, '?limit=2');
  expect(stored.map(({ co2, voc, temperature }) => [co2, voc, temperature])).toEqual([
    [null, null, 20],
    [400, null, undefined],
  ]);
});

test('skips an invalid row and names its line', async () => {
  const file = csv('created_at,co2,voc\n"two\nlines",501,201\nx,many,202\n\nx,503\nx,,\nx,504,204\n');
  const { exitCode, output } = await replay(file, server.url);
  expect(output).toContain('line 4: skipped: co2 must be a number');
  expect(output).toContain('line 6: skipped: it has more or fewer fields than the first line');
  expect(output).toContain('line 7: skipped: co2 is empty: send a number; voc is empty');
  expect(output).toContain('2 of 5 rows stored');
  expect(exitCode).toBe(0);
  expect((await readAll(server.url, '?limit=2')).map(({ co2 }) => co2)).toEqual([501, 504]);
});

test('waits for a server that restarts, and stores no row twice', async () => {
  const rows = Array.from({ length: 400 }, (_, i) => `x,${i},7000`);
  const file = csv(['created_at,co2,voc', ...rows].join('\n'));
  const run = start([file, '--url', server.url, '--every', '1']);
  await until(async () => (await readAll(server.url, '?limit=1'))[0]?.voc === 7000);
  await server.stop('SIGKILL');
  server = await server.restart();
  const exitCode = await run.ended;
  const unknown = [...run.output().matchAll(/line (\d+): it may or may not be stored/g)].map(
    ([, line]) => Number(line) - 2,
  );
  const stored = (await readAll(server.url)).filter(({ voc }) => voc === 7000).map(({ co2 }) => Number(co2));
  expect(stored.filter((co2) => !unknown.includes(co2))).toEqual(
    rows.map((_, i) => i).filter((i) => !unknown.includes(i)),
  );
  expect(new Set(stored).size).toBe(stored.length);
  expect(exitCode).toBe(unknown.length > 0 ? 1 : 0);
});

test('retries a row after Retry-After, and sends the WRITE_KEY', async () => {
  const seen: { authorization?: string; body: string }[] = [];
  const statuses = [429, 503, 201, 201];
  const url = await serve(async (request, response) => {
    seen.push({ authorization: request.headers.authorization, body: await bodyOf(request) });
    response
      .writeHead(statuses[seen.length - 1] ?? 500, { 'Retry-After': '1' })
      .end('{"detail": "Too many."}');
  });
  const run = start([csv('created_at,co2,voc\nx,1,2\nx,3,4'), '--url', url], { WRITE_KEY: 'house-key' });
  expect(await run.ended).toBe(0);
  expect(run.output()).toContain('Too many. Retrying in 1 s');
  expect(seen.map(({ body }) => JSON.parse(body).co2)).toEqual(['1', '1', '1', '3']);
  expect(seen[0]?.authorization).toBe('Bearer house-key');
});

test('names a row without a response, and does not send it again', async () => {
  const seen: string[] = [];
  const url = await serve(async (request, response) => {
    seen.push(JSON.parse(await bodyOf(request)).co2);
    if (seen.length === 2) request.socket.destroy();
    else response.writeHead(201).end('{}');
  });
  const { exitCode, output } = await replay(csv('created_at,co2,voc\nx,1,2\nx,3,4\nx,5,6'), url);
  expect(output).toContain('line 3: it may or may not be stored, and is not sent again:');
  expect(output).toContain('2 of 3 rows stored');
  expect(seen).toEqual(['1', '3', '5']);
  expect(exitCode).toBe(1);
});

test('names a row that the server may have stored, and does not send it again', async () => {
  let posts = 0;
  const url = await serve(async (_, response) => {
    posts += 1;
    response.writeHead(503, { 'Retry-After': '1' }).end('{"detail": "Too slow.", "mayBeStored": true}');
  });
  const { exitCode, output } = await replay(csv('created_at,co2,voc\nx,1,2'), url);
  expect(output).toContain('line 2: it may or may not be stored, and is not sent again: Too slow.');
  expect(posts).toBe(1);
  expect(exitCode).toBe(1);
});

test('stops at a refusal that every row would get, and says what to do', async () => {
  const url = await serve(async (_, response) => {
    response.writeHead(401).end('{"detail": "A key is required."}');
  });
  const { exitCode, output } = await replay(csv('created_at,co2,voc\nx,1,2\nx,3,4'), url);
  expect(output).toContain('Stopped at line 2');
  expect(output).toContain('A key is required. Set WRITE_KEY');
  expect(exitCode).toBe(1);
});

test('exits with 1 and one clear message without a server, a file or its columns', async () => {
  const file = csv('created_at,co2,voc\nx,1,2');
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await replay(file, nowhere)).toEqual({
    exitCode: 1,
    output: expect.stringContaining(`no server answers at ${nowhere} (ECONNREFUSED). Start the server`),
  });
  expect(await replay('/nowhere.csv', server.url)).toEqual({
    exitCode: 1,
    output: 'There is no file /nowhere.csv.\n',
  });
  expect(await replay(csv('time;co2;voc\n1;2;3'), server.url)).toEqual({
    exitCode: 1,
    output: expect.stringContaining('no columns co2 and voc: its first line is "time;co2;voc"'),
  });
});

test('prints its usage and exits with 2 for invalid arguments', async () => {
  for (const options of [
    [],
    ['a.csv', 'b.csv'],
    ['a.csv', '--every', 'soon'],
    ['a.csv', '--url', 'home'],
    ['--fast'],
  ]) {
    const run = start(options);
    expect(await run.ended).toBe(2);
    expect(run.output()).toContain('usage: npm run replay -- FILE.csv');
  }
});

const folder = temporaryFolder();
let files = 0;

function csv(text: string): string {
  files += 1;
  const file = join(folder, `${files}.csv`);
  writeFileSync(file, text);
  return file;
}

async function replay(file: string, url: string, ...options: string[]) {
  const run = start([file, '--url', url, ...options]);

  return { exitCode: await run.ended, output: run.output() };
}

/** Starts the script without waiting for its end. */
function start(options: string[], env: Record<string, string> = {}, command = 'replay') {
  const child = spawn(process.execPath, [`scripts/${command}.js`, ...options], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithRun(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  return { ended: once(child, 'close').then(([exitCode]) => exitCode as number), output: () => printed };
}

/** Starts a server with responses that a real one gives only in rare cases. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return text(request);
}
