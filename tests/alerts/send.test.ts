import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, test } from 'vitest';
import { alertAddresses } from '../../app/alerts/addresses.server';
import type { SendOutcome } from '../../app/providers/alert-event';
import { alertEvent } from '../support/alerts/alert-changes';
import { hostOf, listen, selfSignedCertificate, startReceiver } from '../support/alerts/receiver';
import { until } from '../support/until';

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function sendTo(url: string, signal = new AbortController().signal): Promise<SendOutcome> {
  const [address] = alertAddresses({ urls: [url], secret: null, smtpUrl: null });
  if (!address) throw new Error('no address');
  return address.send(alertEvent(), signal);
}

async function answerWith(answer: RequestListener) {
  const receiver = await startReceiver(answer);
  cleanUps.push(receiver.close);
  return receiver;
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

test.each([
  [200, {}, { isDelivered: true, text: 'HTTP 200: a body' }],
  [204, {}, { isDelivered: true, text: 'HTTP 204' }],
  [400, {}, { isDelivered: false, text: 'HTTP 400: a body' }],
  [410, {}, { isDelivered: false, isPermanent: true, text: 'HTTP 410: a body' }],
  [429, { 'Retry-After': '120' }, { isDelivered: false, retryAfterSeconds: 120, text: 'HTTP 429: a body' }],
  [429, { 'Retry-After': '0.65' }, { isDelivered: false, retryAfterSeconds: 0.65, text: 'HTTP 429: a body' }],
  [429, { 'Retry-After': 'soon' }, { isDelivered: false, text: 'HTTP 429: a body' }],
  [503, { 'Retry-After': '-5' }, { isDelivered: false, text: 'HTTP 503: a body' }],
  [500, {}, { isDelivered: false, text: 'HTTP 500: a body' }],
])('reports the result of status %i with %j', async (status, headers, outcome) => {
  const { host } = await answerWith(answering(status, headers, 'a\n\tbody\u0007'));
  expect(await sendTo(`http://${host}/`)).toEqual(outcome);
});

test('accepts a date as Retry-After', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const { host } = await answerWith(answering(503, { 'Retry-After': date }));
  const outcome = await sendTo(`http://${host}/`);
  expect(outcome).toMatchObject({ isDelivered: false, text: 'HTTP 503' });
  const { retryAfterSeconds = 0 } = outcome as { retryAfterSeconds?: number };
  expect(retryAfterSeconds).toBeGreaterThan(3500);
  expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
});

test.each([301, 302, 303, 307, 308])(
  'does not follow a redirect with %i, and omits its address',
  async (status) => {
    const other = await answerWith(answering(200));
    const { host } = await answerWith(answering(status, { Location: `http://${other.host}/secret` }));
    expect(await sendTo(`http://${host}/`)).toEqual({
      isDelivered: false,
      text: `HTTP ${status}: redirects aren't followed`,
    });
    expect(other.received).toEqual([]);
  },
);

test('reports a refused connection', async () => {
  const { host, close } = await startReceiver();
  await close();
  expect(await sendTo(`http://${host}/`)).toEqual({
    isDelivered: false,
    text: `connect ECONNREFUSED ${host}`,
  });
});

test('reports a reset connection', async () => {
  const { host } = await answerWith((request) => request.socket.resetAndDestroy());
  const outcome = await sendTo(`http://${host}/`);
  expect(outcome).toMatchObject({ isDelivered: false });
  expect(outcome.text).toMatch(/ECONNRESET|other side closed/);
});

test('reports an unknown host without secrets', async () => {
  const outcome = await sendTo('http://ann:password@no-such-host.invalid/secret-path');
  expect(outcome).toMatchObject({ isDelivered: false });
  expect(outcome.text).toContain('no-such-host.invalid');
  expect(outcome.text).not.toMatch(/password|secret/);
});

test('reports an answer that is not HTTP', async () => {
  const server = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH\r\n'));
  await listen(server);
  cleanUps.push(() => server.close());
  expect(await sendTo(`http://${hostOf(server)}/`)).toMatchObject({ isDelivered: false });
});

test('rejects a certificate without a known issuer', async () => {
  const received: string[] = [];
  const server = createTlsServer(selfSignedCertificate(), (request, response) => {
    received.push(request.url ?? '');
    response.end();
  });
  await listen(server);
  cleanUps.push(() => server.close());
  const outcome = await sendTo(`https://${hostOf(server)}/`);
  expect(outcome).toMatchObject({ isDelivered: false });
  expect(outcome.text).toMatch(/self[- ]signed certificate/);
  expect(received).toEqual([]);
});

test('reads only the start of a huge answer, and closes the connection', async () => {
  const PARTS = 3200;
  let sent = 0;
  let isEnded = false;
  const { host } = await answerWith(async (request, response) => {
    request.socket.on('close', () => {
      isEnded = true;
    });
    const parts = function* () {
      for (; sent < PARTS; sent++) yield 'x'.repeat(65_536);
    };
    await pipeline(Readable.from(parts()), response).catch(() => {});
  });
  const outcome = await sendTo(`http://${host}/`);
  expect(outcome).toEqual({ isDelivered: true, text: `HTTP 200: ${'x'.repeat(200)}…` });
  await until(() => isEnded);
  expect(sent).toBeLessThan(PARTS / 2);
});

test('accepts a success whose body is cut off', async () => {
  const { host } = await answerWith((request, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('ok', () => request.socket.destroy());
  });
  expect(await sendTo(`http://${host}/`)).toEqual({ isDelivered: true, text: 'HTTP 200: ok' });
});

test('times out after 10 s if the answer stalls, before or within its body', async () => {
  const silent = await answerWith(() => {});
  const stalling = await answerWith((_, response) => response.writeHead(500).write('so far'));
  const start = performance.now();
  const outcomes = await Promise.all([sendTo(`http://${silent.host}/`), sendTo(`http://${stalling.host}/`)]);
  expect(performance.now() - start).toBeGreaterThan(9900);
  expect(outcomes).toEqual([
    { isDelivered: false, text: 'no answer within 10 s' },
    { isDelivered: false, text: 'HTTP 500: so far' },
  ]);
});

test('aborts at once when the server stops', async () => {
  const stopping = new AbortController();
  const { host } = await answerWith(() => stopping.abort());
  expect(await sendTo(`http://${host}/`, stopping.signal)).toEqual({
    isDelivered: false,
    text: 'the server stopped',
  });
  expect(await sendTo(`http://${host}/`, stopping.signal)).toMatchObject({ isDelivered: false });
});

test('hides the secrets of the address in an answer that repeats the request', async () => {
  const { host } = await answerWith((request, response) => {
    response.end(`${request.url} ${JSON.stringify(request.headers)}`.slice(0, 190));
  });
  const outcome = await sendTo(`http://ann:password@${host}/T0SECRET/p%C3%A4th-secret?token=query-secret`);
  expect(outcome.text).toContain('HTTP 200: /…/…?…=…');
  expect(outcome.text).not.toMatch(/SECRET|secret|password|päth/);
  const gotify = await sendTo(`gotify+http://${host}/?token=query-secret`);
  expect(gotify.text).not.toContain('query-secret');
});
