import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../scripts/seed/seeded-random.js';
import { checkProblem, readAll } from '../support/server/api';
import { openConnection, parseAnswer, RawClient } from '../support/server/raw-client';
import { type RunningServer, startServer } from '../support/server/server';
import { isFullSize, SEED, size } from '../support/size';
import { until } from '../support/until';

const BODY = '{"co2": 415, "voc": 120}';
const HOST = 'Host: board\r\n';
const request = (start: string, headers = '', body = '') =>
  `${start} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
const post = (headers: string, body = BODY) => request('POST /api/data', headers, body);
const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body);
const flood = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: b\r\n`).join('');

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

const REJECTED: [what: string, bytes: string, status: number][] = [
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
  ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n', 400],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  [
    'an encoding besides chunked',
    post('Transfer-Encoding: gzip, chunked\r\n', `18\r\n${BODY}\r\n0\r\n\r\n`),
    501,
  ],
  ['a Host with a path', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
  ['a Host with a query', 'GET /healthz HTTP/1.1\r\nHost: a?b\r\n\r\n', 400],
  ['a Host with a name and password', 'GET /healthz HTTP/1.1\r\nHost: u:p@a\r\n\r\n', 400],
  ['a Host that no URL can have', 'GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n', 400],
  ['a port out of range', 'GET /healthz HTTP/1.1\r\nHost: a:99999\r\n\r\n', 400],
  ['an absolute address with a malformed host', request('GET http://evil.example:x/healthz'), 400],
  ['an absolute address of another scheme', request('GET ftp://evil.example/healthz'), 400],
  ['an asterisk', request('OPTIONS *'), 400],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n', 405],
  ['TRACE', request('TRACE /api/data'), 405],
  ['an unknown method', request('STEAL /api/data'), 400],
  ['another version', `GET /healthz HTTP/9.9\r\n${HOST}\r\n`, 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a folded header', request('GET /healthz', 'X-A: a\r\n b\r\n'), 400],
  ['lines without CR', 'GET /healthz HTTP/1.1\nHost: a\n\n', 400],
  ['a header with a zero byte', request('GET /healthz', 'X-A: a\0b\r\n'), 400],
  ['an address with a byte outside ASCII', request('GET /api/\xff'), 400],
  ['a broken percent code', request('GET /api/%zz'), 400],
  ['an address that is too long', request(`GET /api/data?${'a'.repeat(20_000)}`), 431],
  ['an address over 2 kB', request(`GET /api/data?${'a'.repeat(3000)}`), 414],
  ['a flood of headers', request('GET /healthz', flood(3000)), 431],
  [
    'a header that is too long',
    request('GET /healthz', `Authorization: Bearer ${'x'.repeat(20_000)}\r\n`),
    431,
  ],
  ['a flood of trailers', chunked(`0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`), 431],
  ['an unknown expectation', post(`Expect: a miracle\r\nContent-Length: ${BODY.length}\r\n`), 417],
  ['a negative length', post('Content-Length: -5\r\n'), 400],
  ['a length beyond any integer', post('Content-Length: 99999999999999999999999\r\n'), 400],
  ['a length that is too large', post('Content-Length: 999999999\r\n', ''), 413],
  ['two lengths', post('Content-Length: 24\r\nContent-Length: 5\r\n'), 400],
  ['a length and chunked encoding', post('Content-Length: 24\r\nTransfer-Encoding: chunked\r\n'), 400],
  ["a chunk size that isn't hexadecimal", chunked('zz\r\n'), 400],
  ['a chunk with a flood of extensions', chunked(`1;${'a'.repeat(20_000)}\r\n`), 400],
  ['a body shorter than JSON', post('Content-Length: 5\r\n', BODY.slice(0, 5)), 400],
  ['no body and no length', post('', ''), 400],
  ["Remix's data request for the stream, which would never end", request('GET /api/live.data'), 404],
  ["Remix's data request for the stream, percent-encoded", request('GET /%61pi/live.data'), 404],
  ["Remix's older form of a data request", request('GET /api/data?_data=routes%2Fapi.data'), 400],
];

test.each(REJECTED)('rejects %s with a problem and stores nothing', async (_, bytes, status) => {
  const before = await readAll(server.url);
  const client = new RawClient(server.port);
  const answer = await client.send(bytes);
  client.close();
  expect(answer?.status).toBe(status);
  expect(answer?.headers).toMatch(/^content-type: application\/problem\+json$/im);
  checkProblem(JSON.parse(answer?.body ?? ''), status);
  expect(await readAll(server.url)).toEqual(before);
});

test('stores a body that arrives byte by byte, with a length or chunked', async () => {
  const whole = [
    post(`Content-Length: ${BODY.length}\r\n`),
    chunked(`${[...BODY].map((c) => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`),
  ];
  for (const bytes of whole) {
    const connection = openConnection(server.port, '');
    connection.socket.setNoDelay();
    for (const byte of bytes) {
      connection.socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await until(() => parseAnswer(connection.received()))).status).toBe(201);
    connection.socket.destroy();
  }
});

test('keeps serving after clients vanished at any moment', async () => {
  // A separate server, because it may store the posts of vanished clients at any time.
  const server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
  const random = seededRandom(SEED);
  const texts = [
    ...REJECTED.map(([, bytes]) => bytes),
    post(`Content-Length: ${BODY.length}\r\n`),
    request('GET /'),
    request('GET /api/live'),
    request('GET /api/data'),
  ];
  for (let round = 0; round < size(200, 10); round++) {
    const gone = texts.map((text) => {
      const connection = openConnection(server.port, text.slice(0, Math.ceil(text.length * random() * 1.5)));
      // Before, while or after the server answers.
      connection.socket.once('ready', () =>
        setTimeout(() => connection.socket.resetAndDestroy(), random() * 4),
      );
      return connection;
    });
    await until(() => gone.every(({ isClosed }) => isClosed()));
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test('answers pipelined requests in order and closes the connection if over a hundred wait', async () => {
  const get = request('GET /api/data?limit=1');
  const few = openConnection(server.port, get.repeat(20));
  await until(() => few.received().match(/HTTP\/1\.1 200/g)?.length === 20);
  few.socket.destroy();
  const many = openConnection(server.port, request('GET /api/live') + get.repeat(1000));
  await until(many.isClosed);
});

test('answers a stored reading with 201, whatever follows the request', async () => {
  for (const headers of ['', 'Connection: close\r\n']) {
    const before = await readAll(server.url);
    const bytes = post(`${headers}Content-Length: ${BODY.length}\r\n`);
    const { received, isClosed } = openConnection(server.port, `${bytes}not HTTP\r\n\r\n`);
    await until(isClosed);
    expect(parseAnswer(received())?.status).toBe(201);
    expect(await readAll(server.url)).toHaveLength(before.length + 1);
  }
});

// Node allows a minute for a request, which is too long for `npm test`.
if (isFullSize) {
  test('rejects a body that never ends with 408 and closes the connection', async () => {
    const connection = openConnection(
      server.port,
      post(`Content-Length: ${BODY.length}\r\n`, BODY.slice(0, 5)),
    );
    await until(connection.isClosed, 120_000);
    const answer = parseAnswer(connection.received());
    checkProblem(JSON.parse(answer?.body ?? ''), 408);
  });
}
