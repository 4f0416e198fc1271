import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { palette } from '../../app/ui/palette';
import { post } from '../support/server/api';
import { type RunningServer, startServer, startServerWith, temporaryFolder } from '../support/server/server';
import { filesBelow, GOOD_PAGES, PAGES } from '../support/sources';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

describe('scripts', () => {
  let server: RunningServer;
  /** The styles and scripts that each page requests. */
  const assets: Record<string, string[]> = {};

  beforeAll(async () => {
    server = await startServerWith(50);
    for (const page of GOOD_PAGES) {
      const html = await (await fetch(server.url + page)).text();
      assets[page] = [
        ...new Set([...html.matchAll(/href="(\/assets\/[^"]+)"/g)].map(([, path]) => `${path}`)),
      ];
    }
  });
  afterAll(() => server.stop());

  /**
   * Requests a file without decompressing it, which `fetch` would do. Each request has its own connection, since the
   * server may be closing an idle one.
   */
  async function request(path: string, headers: Record<string, string> = {}) {
    return new Promise<{ status?: number; headers: IncomingHttpHeaders; bytes: Buffer }>(
      (resolve, reject) => {
        get(server.url + path, { headers, agent: false }, async (response) => {
          const { statusCode: status, headers } = response;
          resolve({ status, headers, bytes: await buffer(response) });
        }).on('error', reject);
      },
    );
  }

  /** Faster than `toEqual`, which takes half a second. */
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

  test('sends the compressed copy from the build, cacheable forever', async () => {
    for (const path of largeOf('/') ?? []) {
      const [plain, compressed] = [
        await request(path),
        await request(path, { 'Accept-Encoding': 'gzip, br' }),
      ];
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

  test('the dashboard does not load the code of the time-axis chart', async () => {
    const ofTimeAxis = 'The span is longer than';
    const scriptsOf = (page: string) => (assets[page] ?? []).filter((path) => path.endsWith('.js'));
    const containsIt = async (path: string) => (await request(path)).bytes.includes(ofTimeAxis);
    const scripts = scriptsOf('/');
    expect(scripts.length).toBeGreaterThan(3);
    expect(await Promise.all(scripts.map(containsIt))).not.toContain(true);
    expect(await Promise.all(scriptsOf('/history').map(containsIt))).toContain(true);
  });
});

describe('server code', () => {
  const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));

  /** Texts from the server code. */
  const SERVER_ONLY = [
    'libsql',
    'DATABASE_PATH',
    'WRITE_KEY is set',
    'create table',
    'ZodError',
    'node:fs',
    'diagnostics_channel',
  ];

  test.each(SERVER_ONLY)('no browser script contains "%s"', (word) => {
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((path) => readFileSync(path, 'utf8').includes(word))).toEqual([]);
  });

  test('the server build contains the texts that no browser script contains', () => {
    const server = filesBelow('build/server')
      .map((path) => readFileSync(path, 'utf8'))
      .join();
    for (const word of ['libsql', 'DATABASE_PATH', 'create table', 'diagnostics_channel'])
      expect(server).toContain(word);
  });
});

describe('licences', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  test('the scripts contain no licence comments', () => {
    const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((path) => /@license|Copyright/.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  test('/licenses.txt contains the licence of each package in the scripts', async () => {
    const response = await fetch(`${server.url}/licenses.txt`);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    const text = await response.text();
    for (const name of ['react-dom', '@remix-run/router', 'chart.js', 'hammerjs', '@supabase/realtime-js'])
      expect(text).toContain(`${name}\n\n`);
    expect(text).toContain('Copyright (c) Facebook, Inc. and its affiliates.');
    expect(text.match(/Permission is hereby granted, free of charge/g)?.length).toBeGreaterThan(8);
  });
});

describe('icons and the service worker', () => {
  let server: RunningServer;
  let document: string;

  beforeAll(async () => {
    server = await startServer();
    document = await (await fetch(server.url)).text();
  });

  afterAll(() => server.stop());

  /** Returns the addresses of the document's `<link>` elements with this `rel`. */
  const linked = (rel: string) =>
    [...document.matchAll(/<link [^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => tag.includes(`rel="${rel}"`))
      .map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);

  async function get(path: string) {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    return { type: response.headers.get('Content-Type'), body: Buffer.from(await response.arrayBuffer()) };
  }

  /** Returns the width and height from a PNG's IHDR chunk (PNG specification, section 11.2.1). */
  function sizeOf(png: Buffer): string {
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
  }

  test('a document names small icons for browsers and home screens, served with the right type', async () => {
    expect(linked('icon')).toEqual(['/favicon.ico', '/favicon.svg']);
    expect(await get('/favicon.svg')).toMatchObject({ type: 'image/svg+xml' });
    const ico = await get('/favicon.ico');
    expect(ico.type).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)$/);
    // One directory entry of 22 bytes, then the PNG.
    expect(sizeOf(ico.body.subarray(22))).toBe('32x32');
    expect(linked('apple-touch-icon')).toEqual(['/apple-touch-icon.png']);
    const touch = await get('/apple-touch-icon.png');
    expect([touch.type, sizeOf(touch.body)]).toEqual(['image/png', '180x180']);
    expect(touch.body.length).toBeLessThan(10_000);
  });

  test('the manifest names icons of 192 and 512 px, one of them maskable', async () => {
    expect(linked('manifest')).toEqual(['/manifest.webmanifest']);
    const { type, body } = await get('/manifest.webmanifest');
    expect(type).toMatch(/^application\/manifest\+json/);
    const manifest = JSON.parse(body.toString());
    // Addresses are relative to the manifest, so it works below any path.
    expect(manifest).toMatchObject({ short_name: 'airboard', start_url: '.', display: 'standalone' });
    expect(manifest.name).toContain('airboard');
    for (const color of ['theme_color', 'background_color'])
      expect(manifest[color]).toBe(palette.light.canvas);
    const icons: Record<string, string>[] = manifest.icons;
    for (const { src, sizes, type } of icons) {
      expect(src).not.toMatch(/^\/|:/);
      const icon = await get(`/${src}`);
      expect(icon.type).toBe(type);
      if (type === 'image/png') expect(sizeOf(icon.body)).toBe(sizes);
      expect(icon.body.length).toBeLessThan(12_000);
    }
    expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
      ['any', undefined],
      ['192x192', undefined],
      ['512x512', undefined],
      ['512x512', 'maskable'],
    ]);
  });

  test('the service worker is served compressed at a fixed address, and never from a cache', async () => {
    const answer = await fetch(`${server.url}/service-worker.js`, {
      headers: { 'Accept-Encoding': 'br' },
    });
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/javascript/);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    expect(answer.headers.get('Content-Encoding')).toBe('br');
    const script = await answer.text();
    expect(script).toContain('airboard-pages-');
    // A classic script, which runs in every browser with service workers.
    expect(script).not.toMatch(/\b(im|ex)port\b/);
  });

  test('the build lists the scripts and styles of a page for the service worker', async () => {
    const answer = await fetch(`${server.url}/assets.json`);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    const listed: string[] = await answer.json();
    const named = [...document.matchAll(/\/(assets\/[\w.-]+\.(?:js|css))\b/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(3);
    expect(listed).toEqual(expect.arrayContaining(named));
    for (const path of listed)
      expect((await fetch(`${server.url}/${path}`, { method: 'HEAD' })).status).toBe(200);
  });

  test.each(['light', 'dark'] as const)(
    'in a %s scheme, the browser UI has the colour of the page',
    (scheme) => {
      const [tag = ''] = new RegExp(`<meta name="theme-color"[^>]*${scheme}[^>]*>`).exec(document) ?? [];
      expect(tag).toContain(`content="${palette[scheme].canvas}"`);
    },
  );
});

describe('headers', () => {
  /** Pages, other spellings of one, and addresses that could run as scripts. */
  const ADDRESSES = [...PAGES, '/chart/', '/CHART', '/%3Cscript%3E', '/chart?range=%3Cscript%3Ehacked()'];

  /** Returns the sources of each directive of the Content-Security-Policy. */
  function policyOf(answer: Response): Record<string, string> {
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    return Object.fromEntries(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
  }

  describe.each([{ ALLOW_EMBED: 'false' }, { ALLOW_EMBED: 'true' }])('%o', (env) => {
    let server: RunningServer;
    beforeAll(async () => {
      server = await startServer({ env });
    });
    afterAll(() => server.stop());

    test.each(ADDRESSES)(
      '%s has all security headers and a new nonce, and only ALLOW_EMBED lets others frame the chart',
      async (path) => {
        const isOpen = env.ALLOW_EMBED === 'true' && /^\/chart\/?$/i.test(new URL(path, server.url).pathname);
        const answers = await Promise.all([fetch(server.url + path), fetch(server.url + path)]);
        const nonces = answers.map((answer) => {
          const { headers } = answer;
          expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
          expect(headers.get('Referrer-Policy')).toBe('same-origin');
          expect(headers.get('Permissions-Policy')).toContain('camera=()');
          expect(headers.get('Cache-Control')).toBe('private, no-cache');
          expect(headers.get('Vary')).toBe('*');
          expect(headers.get('Airboard-Build')).toMatch(/^\w{16}$/);
          const policy = policyOf(answer);
          expect(policy['frame-ancestors']).toBe(isOpen ? '*' : "'none'");
          expect(headers.get('X-Frame-Options')).toBe(isOpen ? null : 'DENY');
          expect(policy).toMatchObject({
            'default-src': "'none'",
            'base-uri': "'none'",
            'form-action': "'self'",
          });
          expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe-|\*(?!$)|https?:/);
          return /^'self' 'nonce-([\w+/=]{20,})'$/.exec(policy['script-src'] ?? '')?.[1];
        });
        expect(nonces[0]).toBeTruthy();
        expect(nonces[0]).not.toBe(nonces[1]);
        const html = (await answers[0]?.text()) ?? '';
        const scripts = html.match(/<script\b[^>]*>/g) ?? [];
        expect(scripts.length).toBeGreaterThan(0);
        for (const script of scripts) expect(script).toContain(`nonce="${nonces[0]}"`);
        expect(html).not.toMatch(/<script>|\son\w+=|hacked\(\)<|javascript:/i);
      },
    );

    test.each(['/favicon.svg', '/robots.txt', '/api/data', '/healthz', '/api/nothing'])(
      '%s has X-Content-Type-Options: nosniff',
      async (path) => {
        expect((await fetch(server.url + path)).headers.get('X-Content-Type-Options')).toBe('nosniff');
      },
    );
  });
});

describe('the loaded store', () => {
  const SQLITE = '/node_modules/libsql/';
  const SUPABASE = '/node_modules/@supabase/';

  /** Starts a server, sends every kind of request, stops it, and returns the URLs of all loaded scripts. */
  async function loadedScripts(
    env: Record<string, string> = {},
  ): Promise<{ scripts: string; native: boolean }> {
    const coverage = temporaryFolder();
    const server = await startServer({ isUnbundled: true, env: { ...env, NODE_V8_COVERAGE: coverage } });
    expect((await post(server.url, { co2: 415, voc: 120 })).status).toBe(201);
    for (const path of ['/', '/chart', '/postdata', '/api/data', '/healthz']) {
      expect((await fetch(server.url + path)).status).toBe(200);
    }
    const native = process.platform === 'linux' && mapsSqlite(server.pid);
    await server.stop();
    const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
    const scripts = reports.flatMap((report) =>
      (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url),
    );
    return { scripts: scripts.join('\n'), native };
  }

  /** Returns whether SQLite's native library is mapped into the memory of a process. */
  const mapsSqlite = (pid: number) => /libsql.*\.node$/m.test(readFileSync(`/proc/${pid}/maps`, 'utf8'));

  test('a server with the embedded store loads SQLite and nothing from Supabase', async () => {
    const { scripts, native } = await loadedScripts();
    expect(scripts).toContain(SQLITE);
    expect(scripts).not.toContain(SUPABASE);
    expect(native).toBe(process.platform === 'linux');
  });

  test('a server with the hosted store loads Supabase and nothing from SQLite', async () => {
    const double = await startSupabaseDouble();
    const { scripts, native } = await loadedScripts(double.env);
    expect(scripts).toContain(SUPABASE);
    expect(scripts).not.toContain(SQLITE);
    expect(native).toBe(false);
    await double.stop();
  });
});
