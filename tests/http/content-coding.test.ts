import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiRequest } from '../../app/http/answer';
import { preferCompressed } from '../../app/http/guard/remix-serve.server';
import { cachedJson } from '../../app/http/json-response.server';
import { temporaryFolder } from '../support/server/server';

const project = process.cwd();

beforeAll(() => {
  process.chdir(temporaryFolder());
  mkdirSync(join('build', 'client', 'assets'), { recursive: true });
  writeFileSync(join('build', 'client', 'assets', 'page.js.br'), '');
});
afterAll(() => process.chdir(project));

/** Returns the URL that remix-serve will look for. */
function rewrittenUrl(acceptEncoding: string | undefined): string | undefined {
  const request = { url: '/assets/page.js', headers: { 'accept-encoding': acceptEncoding } };
  preferCompressed(request as unknown as IncomingMessage, { setHeader() {} } as unknown as ServerResponse);
  return request.url;
}

const requestWith = (acceptEncoding: string | undefined) =>
  ({
    url: new URL('http://board/api/data?limit=1'),
    header: () => acceptEncoding ?? null,
  }) as unknown as ApiRequest;

/** `Accept-Encoding` with CODING for the coding in question (RFC 9110, section 12.5.3). */
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
