import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_PAGES } from '../support/routes';
import { startServerWith } from '../support/server/seeded-server';
import type { RunningServer } from '../support/server/server';

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
  assets[page]?.filter((path) =>
    /every-page|chart-pages|tailwind|span-chart|first-|write-key-form/.test(path),
  );

test('a page needs at most eight files, and /history three more', () => {
  for (const [page, paths] of Object.entries(assets)) {
    expect(paths.length, page).toBeGreaterThan(3);
    // `/chart` loads the code of a span only if it shows one, so on `/history` that is a file of its own. So are its two
    // scripts that run before React has come.
    expect(paths.length, page).toBeLessThanOrEqual(page.startsWith('/history') ? 11 : 8);
  }
  expect(largeOf('/')).toHaveLength(5);
  expect(largeOf('/postdata')).toHaveLength(4);
});

test('sends the compressed copy that the build made, cacheable for good', async () => {
  for (const path of (largeOf('/') ?? []).filter((path) => !path.includes('first-shared'))) {
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
    expect(link.split(', ').sort()).toEqual(
      scripts.map((path) => `<${path}>; rel=modulepreload; fetchpriority=low`).sort(),
    );
  }
});

test.each([
  { page: '/', count: 3 },
  { page: '/history', count: 5 },
])(
  'the $count large scripts of $page start with the hint to compile them while they load',
  async ({ page, count }) => {
    const paths = (assets[page] ?? []).filter((path) => path.endsWith('.js'));
    const scripts = await Promise.all(paths.map(async (path) => (await request(path)).bytes.toString()));
    const large = scripts.filter(({ length }) => length > 10_000);
    expect(large).toHaveLength(count);
    for (const script of large) expect(script.slice(0, 40)).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  },
);

/** Returns the names of the scripts that a script imports, without their hashes. */
async function importsOf(path: string): Promise<string[]> {
  const code = (await request(path)).bytes.toString();
  return [...code.matchAll(/\b(?:from|import)\s*"\.\/([a-z-]+)-[^"]+\.js"/g)]
    .map(([, name]) => `${name}`)
    .sort();
}

test.each([
  { page: '/', script: 'first-chart', needs: ['first-shared'] },
  { page: '/chart?range=10MIN', script: 'first-chart', needs: ['first-shared'] },
  { page: '/history', script: 'first-span', needs: ['first-chart', 'first-history', 'first-shared'] },
])(
  '$page runs $script as soon as it is there, and $script needs no script but $needs',
  async ({ page, script, needs }) => {
    const html = await (await fetch(server.url + page)).text();
    const tags = [...html.matchAll(/<script type="module" async fetchpriority="low" src="([^"]+)"/g)];
    const paths = tags.map(([, path]) => `${path}`);
    expect(paths).toEqual([expect.stringContaining(`/assets/${script}-`)]);
    expect(await importsOf(paths[0] ?? '')).toEqual(needs);
  },
);

test('the document of /history asks for the history before it loads anything', async () => {
  const html = await (await fetch(`${server.url}/history`)).text();
  const [tag = '', attributes, code = ''] =
    /<script data-history-of=""([^>]*)>(.*?)<\/script>/s.exec(html) ?? [];
  expect(html.indexOf(tag)).toBeLessThan(html.indexOf('rel="stylesheet"'));
  // A module would wait until the browser has nothing better to do.
  expect(attributes).toMatch(/^ data-first-heard="[^"]+" nonce="[^"]+"$/);
  expect(code).toContain('/api/history');
  expect(html.split(code)).toHaveLength(2);
});

test('the dashboard loads no code of the chart with a time axis', async () => {
  const scripts = (assets['/'] ?? []).filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  for (const path of scripts)
    expect((await request(path)).bytes.toString(), path).not.toContain(
      'Turn the wheel to zoom, drag to move',
    );
});
