import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ApiRequest } from '../../app/http/answer';
import { conditionalJson } from '../../app/http/json-response.server';

const LONG = { text: 'x'.repeat(5000) };

function request(headers: Record<string, string> = {}): ApiRequest {
  return {
    method: 'GET',
    url: new URL('http://board/api/history'),
    header: (name) => headers[name] ?? null,
    address: () => '::1',
    signal: () => new AbortController().signal,
    async *body() {},
  };
}

const tagOf = async (value: unknown) => (await conditionalJson(request(), value, 0)).headers.ETag as string;

test('the tag follows the value and nothing else', async () => {
  expect(await tagOf({ a: 1 })).toBe(await tagOf({ a: 1 }));
  expect(await tagOf({ a: 1 })).not.toBe(await tagOf({ a: 2 }));
  expect((await conditionalJson(request({ 'Accept-Encoding': 'gzip' }), LONG, 60)).headers.ETag).toBe(
    await tagOf(LONG),
  );
});

test('a known tag gets 304 with the headers that caches need, and no body', async () => {
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

test('long bodies are compressed for clients that take it', async () => {
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
