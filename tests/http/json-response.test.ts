import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiRequest } from '../../app/http/answer';
import { preferCompressed } from '../../app/http/guard/remix-serve.server';
import { cachedJson, conditionalJson } from '../../app/http/json-response.server';
import { temporaryFolder } from '../support/server/server';

const LONG = { text: 'x'.repeat(5000) };

function request(headers: Record<string, string> = {}): ApiRequest {
  return {
    method: 'GET',
    url: new URL('http://board/api/history'),
    question: () => JSON.stringify(headers),
    header: (name) => new Headers(headers).get(name),
    address: () => '::1',
    signal: () => new AbortController().signal,
    body: async () => true,
  };
}

const tagOf = async (value: unknown) => (await conditionalJson(request(), value, 0)).headers.ETag as string;

test('the ETag depends on the value only', async () => {
  expect(await tagOf({ a: 1 })).toBe(await tagOf({ a: 1 }));
  expect(await tagOf({ a: 1 })).not.toBe(await tagOf({ a: 2 }));
  expect((await conditionalJson(request({ 'Accept-Encoding': 'gzip' }), LONG, 60)).headers.ETag).toBe(
    await tagOf(LONG),
  );
});

test('answers 304 to a known ETag, without a body, with the headers that caches need', async () => {
  const tag = await tagOf(LONG);
  for (const known of [tag, tag.slice(2), `W/"a,b" , ${tag}`, '*']) {
    const answer = await conditionalJson(request({ 'If-None-Match': known }), LONG, 60);
    expect([known, answer.status, answer.body]).toEqual([known, 304, null]);
    expect(answer.headers).toMatchObject({
      ETag: tag,
      'Cache-Control': 'public, max-age=60',
      Vary: 'Accept-Encoding',
    });
    expect(answer.headers).not.toHaveProperty('Content-Type');
  }
  for (const unknown of ['"other"', tag.replace(/"/g, ''), '']) {
    expect((await conditionalJson(request({ 'If-None-Match': unknown }), LONG, 60)).status).toBeUndefined();
  }
});

test('compresses long bodies for clients that accept it', async () => {
  const gzip = { 'Accept-Encoding': 'gzip' };
  const compressed = await conditionalJson(request(gzip), LONG, 0);
  expect(compressed.headers['Content-Encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(compressed.body as Uint8Array).toString())).toEqual(LONG);
  for (const answer of [
    await conditionalJson(request(), LONG, 0),
    await conditionalJson(request(gzip), {}, 0),
  ]) {
    expect(answer.headers).not.toHaveProperty('Content-Encoding');
    expect(typeof answer.body).toBe('string');
    expect(answer.headers['Cache-Control']).toBe('no-cache');
  }
});

const project = process.cwd();

beforeAll(() => {
  process.chdir(temporaryFolder());
  mkdirSync(join('build', 'client', 'assets'), { recursive: true });
  writeFileSync(join('build', 'client', 'assets', 'page.js.br'), '');
});
afterAll(() => process.chdir(project));

/** Returns the URL that remix-serve will match. */
function rewrittenUrl(acceptEncoding: string | undefined): string | undefined {
  const request = { url: '/assets/page.js', headers: { 'accept-encoding': acceptEncoding } };
  preferCompressed(request as unknown as IncomingMessage, { setHeader() {} } as unknown as ServerResponse);
  return request.url;
}

const requestWith = (acceptEncoding: string | undefined) =>
  ({
    url: new URL('http://board/api/data?limit=1'),
    question: () => String(acceptEncoding),
    header: () => acceptEncoding ?? null,
  }) as unknown as ApiRequest;

/** `Accept-Encoding` headers, with CODING for the coding under test (RFC 9110, section 12.5.3). */
const ACCEPTED = ['CODING', 'CODING;q=0.001', 'identity, CODING; q=0.5', '*', 'identity;q=0, *;q=0.1'];
const REFUSED = [
  '',
  undefined,
  'identity',
  'CODING;q=0',
  'CODING;q=0.000, *',
  '*;q=0',
  'deflate',
  'x-CODING',
];

test.each(ACCEPTED)('compresses for the Accept-Encoding "%s"', async (header) => {
  expect(rewrittenUrl(header.replace('CODING', 'br'))).toBe('/assets/page.js.br');
  const response = await cachedJson(requestWith(header.replace('CODING', 'gzip')), '1', async () => [1]);
  expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
  expect(gunzipSync(response.body as Uint8Array).toString()).toBe('[1]');
});

test.each(REFUSED)('does not compress for the Accept-Encoding "%s"', async (header) => {
  expect(rewrittenUrl(header?.replace('CODING', 'br'))).toBe('/assets/page.js');
  const response = await cachedJson(requestWith(header?.replace('CODING', 'gzip')), '1', async () => [1]);
  expect(response.headers).not.toHaveProperty('Content-Encoding');
  expect(String(response.body)).toBe('[1]');
});
