import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';

const CLIENTS = 60;
const CUT_MS = 2;
const FLOOD_MS = 1500;
/**
 * The permitted memory, as a multiple of the memory at rest. Measured: 1.3. Without a limit on reads it reaches 5
 * within seconds, which fills the heap of 512 MB.
 */
const GROWTH = 2.5;
const ANSWER_MS = 1000;
const WARM_UP_ROUNDS = 30;

/** The addresses of the flood and of another client, as sent by a proxy. */
const FLOOD = '203.0.113.1';
const OTHER = '203.0.113.2';

let server: RunningServer;
let restingBytes: number;

beforeAll(async () => {
  const env = { NODE_OPTIONS: '--max-old-space-size=512', TRUST_PROXY: '1' };
  server = await startServerWith(6000, { env });
  // A new server has neither compiled its code nor grown its heap.
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const path of ['/', '/history', '/api/data?limit=5760', '/api/sensors', '/api/history?sensor=']) {
      await (await ask(path)).arrayBuffer();
    }
  }
  restingBytes = residentBytes();
});

afterAll(() => server.stop());

const ask = (path: string) => fetch(server.url + path, { headers: { 'X-Forwarded-For': OTHER } });

function residentBytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** Sends requests from many clients for `FLOOD_MS`, and closes each connection soon after the request. */
async function flood(path: (n: number) => string): Promise<void> {
  const end = Date.now() + FLOOD_MS;
  let sent = 0;
  const sendOne = () =>
    new Promise<void>((resolve) => {
      sent += 1;
      const head = `GET ${path(sent)} HTTP/1.1\r\nHost: board\r\nX-Forwarded-For: ${FLOOD}\r\n\r\n`;
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(head);
        setTimeout(() => socket.destroy(), CUT_MS);
      });
      socket.resume();
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  const client = async () => {
    while (Date.now() < end) await sendOne();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

test.each([
  ['/api/data', (n: number) => `/api/data?limit=5760&after=${n % 5000}`],
  ['/api/history', (n: number) => `/api/history?sensor=&points=${100 + (n % 1900)}`],
  ['/api/pattern', (n: number) => `/api/pattern?sensor=&zone=Asia/Kathmandu&to=2027-01-01T00:00:00.${n}Z`],
  ['/', (n: number) => `/?sensor=${n}`],
])('a flood of cancelled reads of %s keeps memory small, and others get answers', async (_, path) => {
  let isOver = false;
  const flooding = flood(path).finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const start = performance.now();
    const answer = await ask('/api/data?limit=10');
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    times.push(performance.now() - start);
  }
  await flooding;
  expect(residentBytes() / restingBytes).toBeLessThan(GROWTH);
  // The median, since other programs may take the processors for a moment.
  expect(times.sort((a, b) => a - b)[times.length >> 1]).toBeLessThan(ANSWER_MS);
});

test('reads beyond the queue get 503 with Retry-After, and another address gets an answer', async () => {
  const headers = { 'X-Forwarded-For': FLOOD };
  const paths = Array.from({ length: 60 }, (_, n) => `/api/data?limit=5760&after=${n}`);
  const answers = await Promise.all([
    ...paths.map((path) => fetch(server.url + path, { headers })),
    ask(paths[0] ?? ''),
  ]);
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(23);
  expect(answers.at(-1)?.status).toBe(200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer.headers.get('Retry-After')).toBe('2');
  await expectProblem(refused[0] as Response, 503);
});
