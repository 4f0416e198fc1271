/** A server with a heap of 256 MB, and clients that cost what they may. Posts of others are answered all the while. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROUTES } from '../../app/openapi/document.server';
import { post } from '../support/server/api';
import { openConnection, parseAnswer } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { longestHold, WITH_HOLDS } from '../support/server/vitals';
import { until } from '../support/until';

const MIB = 1024 * 1024;

let server: RunningServer;
let sockets: Socket[];

const BOUNDED = {
  NODE_OPTIONS: `--max-old-space-size=256 ${WITH_HOLDS.NODE_OPTIONS}`,
  TRUST_PROXY: '1',
  POSTS_PER_MINUTE: '0',
};

beforeEach(async () => {
  sockets = [];
  server = await startServer({ env: BOUNDED });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);
  await server.stop();
});

/** Opens a connection that sends a text and reads nothing. */
function openDeaf(text: string): Socket {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(text);
  socket.pause();
  sockets.push(socket);
  return socket;
}

const NESTED = '['.repeat(MIB) + ']'.repeat(MIB);
const NUMBERS = Array.from({ length: 180_000 }, (_, i) => i);
const ITEM_ADDRESSES = Object.entries(ROUTES)
  .filter(([path, { post }]) => post?.body && path !== '/api/data' && !path.endsWith('/write'))
  .map(([path]) => path.replace('{serial}', '84fce612f5b8'));

test('every address that takes one item refuses a body over 16 KiB, whatever its type', async () => {
  expect(ITEM_ADDRESSES).toContain('/api/notes');
  const types = ['application/json', 'text/csv', 'application/x-ndjson', ''];
  for (const path of ITEM_ADDRESSES) {
    for (const type of types) {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: NESTED,
        // Node's own fetch fails if the server answers before it has sent all.
      }).catch(() => null);
      if (answer) expect([path, type, answer.status]).toEqual([path, type, 413]);
    }
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: '[{}]' });
    // An Enviro and an AirGradient repeat what isn't accepted, so they get 200 for a refused reading. /read-key shows its form.
    const isOk = /enviro|airgradient|read-key/.test(path);
    expect([path, answer.status]).toEqual([path, isOk ? 200 : 400]);
  }
});

test('bodies of 2 MiB with no reading in them hold the event loop for less than 100 ms', async () => {
  const bodies: [type: string, body: string, path?: string][] = [
    ['text/plain', 'a b=1 1\n'.repeat(0.22 * MIB), '/write'],
    [
      'text/plain',
      NUMBERS.slice(0, 150_000)
        .map((i) => `a b=1 ${i}`)
        .join('\n'),
      '/write',
    ],
    ['text/plain', '1\n'.repeat(0.9 * MIB), '/write'],
    ['application/json', NESTED],
    ['application/json', '['.repeat(2 * MIB)],
    ['application/json', `[${'{},'.repeat(0.66 * MIB)}{}]`],
    [
      'application/json',
      `[${NUMBERS.map((i) => `{"k${i}":1}`)
        .join()
        .slice(0, -MIB / 8)}]`,
    ],
    ['application/json', `[{${NUMBERS.map((i) => `"${i}":1`)}}]`],
    ['application/json', `["${'x'.repeat(1.9 * MIB)}"]`],
    ['application/json', `["${'\\"'.repeat(0.9 * MIB)}`],
    ['application/json', `[${'9'.repeat(1.9 * MIB)}]`],
    ['application/x-ndjson', '\n'.repeat(1.9 * MIB)],
    ['application/x-ndjson', '1\n'.repeat(0.9 * MIB)],
    ['text/csv', `co2,voc\n${'1'.repeat(1.9 * MIB)}`],
    ['text/csv', `co2,voc\n${'\n'.repeat(1.9 * MIB)}`],
    ['text/csv', `co2,voc\n${'1\n'.repeat(0.9 * MIB)}`],
    ['text/csv', '"'.repeat(1.9 * MIB)],
  ];
  for (const [type, body, path = '/api/data'] of bodies) {
    await longestHold(server);
    const sent = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
      // Node's own fetch fails if the server answers before it has sent all.
    }).then(
      ({ status }) => status,
      () => 413,
    );
    // A line of another metric is no fault.
    expect([type, sent >= 400]).toEqual([type, !body.startsWith('a b=1')]);
    expect((await longestHold(server)).processorMs, `${type}: ${body.slice(0, 10)}`).toBeLessThan(100);
  }
});

test('one address may have 512 streams', async () => {
  const get = `GET /api/live HTTP/1.1\r\nHost: board\r\n\r\n`;
  for (let i = 0; i < 512; i++) openDeaf(get);
  const refused = await until(async () => {
    const connection = openConnection(server.port, get);
    await until(() => parseAnswer(connection.received()) || connection.received().includes('retry:'));
    const answer = parseAnswer(connection.received());
    connection.socket.destroy();
    return answer?.status === 429 ? answer : null;
  });
  expect(JSON.parse(refused?.body ?? '').detail).toContain('512 streams');
  const other = openConnection(
    server.port,
    get.replace('\r\n\r\n', '\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n'),
  );
  sockets.push(other.socket);
  await until(() => other.received().includes('retry:'));
});

test('6,000 requests that are never complete neither end the server nor last longer than 12 s', async () => {
  const half = `GET /api/live HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(1600)}`;
  for (let i = 0; i < 6000; i++) {
    openDeaf(half).resume();
    if (i % 100 === 99) await sleep(0);
  }
  const last = sockets.at(-1) as Socket;
  const begin = performance.now();
  await until(() => last.destroyed || last.readableEnded, 20_000);
  expect(performance.now() - begin).toBeLessThan(15_000);
});

test('150,000 sensors of an older database are listed, judged and shown in bounded memory and time', async () => {
  await server.stop();
  const database = new Database(server.databasePath);
  database.exec(`begin;
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 150000)
    insert into sensors (name) select printf('Sensor %06d of a school with many rooms', i) from numbers;
    insert into data (sensor, created_at, co2, voc)
    select id, ${Date.now() * 1000} - 1000 * id, 500 + id % 2000, 1 from sensors;
    commit`);
  database.close();
  for (const start of ['the first start', 'the second']) {
    if (start === 'the second') await server.stop();
    server = await startServer({ databasePath: server.databasePath, env: BOUNDED });
    // Readings are judged in the background after a start.
    await until(async () => (await fetch(`${server.url}/api/air`)).ok, 60_000);
    const get = async (path: string) => {
      const answer = await fetch(server.url + path);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer;
    };
    await longestHold(server);
    for (const path of ['/api/sensors', '/api/air', '/metrics', '/', '/history', '/api/sensors?newest=100']) {
      await (await get(path)).text();
      expect((await longestHold(server)).processorMs, path).toBeLessThan(100);
    }
    const first = await get('/api/sensors?limit=2');
    expect(await first.json()).toHaveLength(2);
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const names = (await (await get(next)).json()).map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(['3', '4'].map((i) => `Sensor 00000${i} of a school with many rooms`));
    expect((await (await get('/api/air')).json()).length).toBeLessThanOrEqual(5000);
  }
});
