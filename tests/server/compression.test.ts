import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postAll } from '../support/server/api';
import { openConnection } from '../support/server/raw-client';
import { type RunningServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(6000);
  await postAll(server.url, [{ co2: 415, voc: 120, sensor: 'Kitchen' }]);
});

afterAll(() => server.stop());

/** Returns the response with its bytes as they were sent. */
async function ask(path: string, encoding: string) {
  const request = `GET ${path} HTTP/1.1\r\nHost: board\r\nConnection: close\r\n`;
  const { received, isClosed } = openConnection(
    server.port,
    `${request}Accept-Encoding: ${encoding}\r\n\r\n`,
  );
  await until(isClosed);
  const [head = '', ...rest] = received().split('\r\n\r\n');
  const sent = rest.join('\r\n\r\n');
  return { head, sent: /chunked/i.test(head) ? joinChunks(sent) : Buffer.from(sent, 'latin1') };
}

function joinChunks(text: string): Buffer {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const size = Number.parseInt(text.slice(at), 16);
    if (!size) return Buffer.from(parts.join(''), 'latin1');
    const start = text.indexOf('\r\n', at) + 2;
    parts.push(text.slice(start, start + size));
    at = start + size + 2;
  }
}

const LONG = [
  ...[
    '/api/data',
    '/api/data?limit=5760',
    '/api/data?limit=5761',
    '/api/data?limit=5768',
    '/api/data?after=1',
  ],
  ...[
    '/api/data?format=csv',
    '/api/data?format=csv&limit=5769',
    '/api/openapi.json',
    '/api/docs',
    '/metrics',
  ],
  ...['/', '/history', '/chart?range=24HR', '/postdata', '/notifications', '/?wall'],
  ...['/_root.data', '/no-such-page'],
];

test.each(LONG)('compresses %s, and the rest is the same', async (path) => {
  const plain = await ask(path, 'identity');
  const gzip = await ask(path, 'gzip');
  expect(plain.head).not.toMatch(/^content-encoding/im);
  expect(plain.sent.length).toBeGreaterThan(1000);
  expect(gzip.head).toMatch(/^content-encoding: gzip/im);
  for (const { head } of [plain, gzip]) expect(head).toMatch(/^vary: .*(accept-encoding|\*)/im);
  const text = gunzipSync(gzip.sent);
  if (path.startsWith('/api')) expect(text.equals(plain.sent)).toBe(true);
  expect(gzip.sent.length).toBeLessThan(plain.sent.length * 0.6);
});

test.each(['/healthz', '/api/missing'])('leaves the short %s as it is', async (path) => {
  const { head, sent } = await ask(path, 'gzip');
  expect(head).not.toMatch(/^content-encoding/im);
  expect(sent.length).toBeLessThan(1000);
});
