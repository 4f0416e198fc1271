import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { GOOD_PAGES } from '../support/sources';

let server: RunningServer;
/** The styles and scripts that each page names. */
const assets: Record<string, string[]> = {};

beforeAll(async () => {
  server = await startServerWith(50);
  for (const page of GOOD_PAGES) {
    const html = await (await fetch(server.url + page)).text();
    assets[page] = [...new Set([...html.matchAll(/href="(\/assets\/[^"]+)"/g)].map(([, path]) => `${path}`))];
  }
});
afterAll(() => server.stop());

/**
 * Requests a file without decompressing it, which `fetch` would do. Each request has its own connection: the server may
 * be closing an idle one.
 */
async function request(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status?: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    get(server.url + path, { headers, agent: false }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, headers, bytes: await buffer(response) });
    }).on('error', reject);
  });
}

/** Expects the same bytes. `toEqual` takes half a second to compare so many. */
const expectSame = (bytes: Buffer, expected: Buffer) => expect(bytes.equals(expected)).toBe(true);

/** The files that several pages share. */
const largeOf = (page: string) =>
  assets[page]?.filter((path) => /every-page|chart-pages|tailwind|span-chart|write-key-form/.test(path));

test('a page needs at most eight files', () => {
  for (const [page, paths] of Object.entries(assets)) {
    expect(paths.length, page).toBeGreaterThan(3);
    expect(paths.length, page).toBeLessThanOrEqual(8);
  }
  expect(largeOf('/')).toHaveLength(3);
});

test('sends the compressed copy that the build made, cacheable for good', async () => {
  for (const path of largeOf('/') ?? []) {
    const [plain, compressed] = [await request(path), await request(path, { 'Accept-Encoding': 'gzip, br' })];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers['content-encoding']).toBe('br');
    expectSame(brotliDecompressSync(compressed.bytes), plain.bytes);
    for (const { status, headers } of [plain, compressed]) {
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(/^(text|application)\/(javascript|css); charset=utf-8$/i);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary).toMatch(/accept-encoding/i);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    const seen = { 'Accept-Encoding': 'br', 'If-None-Match': `${compressed.headers.etag}` };
    expect((await request(path, seen)).status).toBe(304);
  }
});

test.each(['br', 'gzip, deflate, br, zstd', 'BR;q=0.1', 'gzip;q=1, br; q=0.05', 'br;q=1.0'])(
  'sends Brotli for Accept-Encoding: %s',
  async (accepted) => {
    const [path = ''] = largeOf('/') ?? [];
    const { headers } = await request(path, { 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toBe('br');
  },
);

test.each(['gzip', 'gzip, br;q=0', 'gzip, br;q=0.0', 'gzip, brotli', 'gzip, x-br'])(
  'sends gzip for Accept-Encoding: %s',
  async (accepted) => {
    const [path = ''] = largeOf('/') ?? [];
    const { headers, bytes } = await request(path, { 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toBe('gzip');
    expectSame(gunzipSync(bytes), (await request(path)).bytes);
  },
);

test('preloads the shared scripts at low priority', async () => {
  for (const page of GOOD_PAGES) {
    const link = (await fetch(server.url + page)).headers.get('Link') ?? '';
    const scripts = (largeOf(page) ?? []).filter((path) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    for (const path of scripts) expect(link).toContain(`<${path}>; rel=modulepreload; fetchpriority=low`);
  }
});

test('the dashboard loads no code of the chart with a time axis', async () => {
  const ofTimeAxis = 'The span is too long';
  const scriptsOf = (page: string) => (assets[page] ?? []).filter((path) => path.endsWith('.js'));
  const containsIt = async (path: string) => (await request(path)).bytes.includes(ofTimeAxis);
  const scripts = scriptsOf('/');
  expect(scripts.length).toBeGreaterThan(3);
  expect(await Promise.all(scripts.map(containsIt))).not.toContain(true);
  expect(await Promise.all(scriptsOf('/history').map(containsIt))).toContain(true);
});
