import { afterAll, beforeAll, expect, test } from 'vitest';
import { palette } from '../../tailwind.config';
import { type RunningServer, startServer } from '../support/server/server';

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

/** Returns the width and height of a PNG (its IHDR chunk: PNG specification, section 11.2.1). */
function sizeOf(png: Buffer): string {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

test('a document names icons for browsers and home screens, which are small and served as what they are', async () => {
  expect(linked('icon')).toEqual(['/favicon.ico', '/favicon.svg']);
  expect(await get('/favicon.svg')).toMatchObject({ type: 'image/svg+xml' });
  const ico = await get('/favicon.ico');
  expect(ico.type).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)$/);
  // One directory entry of 22 bytes, then its PNG.
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
  // Addresses are relative to the manifest's own, so that it works below any path.
  expect(manifest).toMatchObject({ short_name: 'airboard', start_url: '.', display: 'standalone' });
  expect(manifest.name).toContain('airboard');
  for (const color of ['theme_color', 'background_color']) expect(manifest[color]).toBe(palette.light.canvas);
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

test('the service worker is served compressed at an address that stays, and never from a cache', async () => {
  const answer = await fetch(`${server.url}/service-worker.js`, {
    headers: { 'Accept-Encoding': 'br' },
  });
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(answer.headers.get('Cache-Control')).toBe('no-cache');
  expect(answer.headers.get('Content-Encoding')).toBe('br');
  const script = await answer.text();
  expect(script).toContain('airboard-pages-');
  // A classic script, which every browser with service workers runs.
  expect(script).not.toMatch(/\b(im|ex)port\b/);
});

test('the build lists the scripts and styles that a page names, for the service worker', async () => {
  const answer = await fetch(`${server.url}/assets.json`);
  expect(answer.headers.get('Cache-Control')).toBe('no-cache');
  const listed: string[] = await answer.json();
  const named = [...document.matchAll(/\/(assets\/[\w.-]+\.(?:js|css))\b/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(3);
  expect(listed).toEqual(expect.arrayContaining(named));
  for (const path of listed)
    expect((await fetch(`${server.url}/${path}`, { method: 'HEAD' })).status).toBe(200);
});

test.each(['light', 'dark'] as const)('in a %s scheme the browser has the colour of the page', (scheme) => {
  const [tag = ''] = new RegExp(`<meta name="theme-color"[^>]*${scheme}[^>]*>`).exec(document) ?? [];
  expect(tag).toContain(`content="${palette[scheme].canvas}"`);
});
