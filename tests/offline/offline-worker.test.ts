import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const SCOPE = 'http://board/';
const BUILT = ['assets/root-a.js', 'assets/tailwind-b.css', 'assets/history-c.js'];

/** The server's files by address. Other addresses get 404. */
let served: Map<string, string>;
let asked: string[];
let stores: Map<string, Map<string, Response>>;
const listeners = new Map<string, (event: object) => void>();

/** A browser cache, with the methods that the worker uses. */
function cacheOf(name: string) {
  const kept = stores.get(name) ?? new Map<string, Response>();
  stores.set(name, kept);
  return {
    match: async (url: string) => kept.get(url),
    put: async (url: string, response: Response) => void kept.set(url, response),
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    delete: async ({ url }: { url: string }) => kept.delete(url),
    async add(url: string) {
      const response = await fetch(new URL(url, SCOPE));
      if (!response.ok) throw new TypeError('Request failed');
      kept.set(new URL(url, SCOPE).href, response);
    },
  };
}

beforeEach(async () => {
  served = new Map(BUILT.map((path) => [SCOPE + path, 'content']));
  served.set(`${SCOPE}assets.json`, JSON.stringify(BUILT));
  asked = [];
  stores = new Map([['airboard-pages-old', new Map()]]);
  vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) =>
    listeners.set(type, listener),
  );
  vi.stubGlobal('registration', { scope: SCOPE });
  vi.stubGlobal('caches', {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
  });
  vi.stubGlobal('fetch', async (input: string | URL) => {
    const url = String(input);
    asked.push(url);
    const headers = { 'Airboard-Build': 'new' };
    return new Response(served.get(url) ?? '', { status: served.has(url) ? 200 : 404, headers });
  });
  vi.resetModules();
  await import('../../app/offline/offline-worker');
});

afterEach(() => void vi.unstubAllGlobals());

/** Tells the worker that a page has loaded. */
async function load(url: string): Promise<void> {
  let work: Promise<void> | undefined;
  listeners.get('message')?.({
    data: { url, files: [`${SCOPE}assets/history-c.js`, 'http://evil.example/assets/root-a.js'] },
    source: { id: 'page' },
    waitUntil(promise: Promise<void>) {
      work = promise;
    },
  });
  await work;
}

/** Lets the worker keep the dashboard, with this sensor in its document. Returns the kept addresses. */
async function keepPage(sensor: string): Promise<string[]> {
  const files = ['assets/root-a.js', 'assets/tailwind-b.css'].map((path) => `<link href="/${path}">`);
  served.set(SCOPE, `<html lang="en">${files.join('')}<p>${sensor}</p>`);
  await load(SCOPE);
  return [...(stores.get('airboard-pages-new')?.keys() ?? [])].sort();
}

const KEPT = [SCOPE, ...BUILT.map((path) => SCOPE + path)].sort();

test.each(['//evil.example/assets/a.js', '/assets/nope.js', '//board/assets/root-a.js'])(
  'a sensor named %s changes neither the requests nor the cache of the worker',
  async (sensor) => {
    expect(await keepPage(sensor)).toEqual(KEPT);
    expect(asked.sort()).toEqual([...KEPT, `${SCOPE}assets.json`].sort());
    expect([...stores.keys()]).toEqual(['airboard-pages-new']);
  },
);

test('keeps the page and the other files if one is missing, and removes the caches of other builds', async () => {
  served.delete(SCOPE + BUILT[1]);
  expect(await keepPage('Bedroom')).toEqual(KEPT.filter((url) => !url.endsWith(String(BUILT[1]))));
  expect([...stores.keys()]).toEqual(['airboard-pages-new']);
});

test('removes the caches of other builds even if the list of files is missing', async () => {
  served.delete(`${SCOPE}assets.json`);
  await keepPage('Bedroom');
  expect([...stores.keys()]).toEqual(['airboard-pages-new']);
});

test.each([
  ['http://board/', 'airboard-pages-', ['airboard-pages-air/other', 'airboard-pages-lab/other']],
  ['http://board/air/', 'airboard-pages-air/', ['airboard-pages-other', 'airboard-pages-lab/other']],
])(
  'the worker of %s names its caches %s…, and leaves those of other paths alone',
  async (scope, own, others) => {
    stores = new Map([...others, `${own}old`].map((name) => [name, new Map()]));
    vi.stubGlobal('registration', { scope });
    vi.resetModules();
    await import('../../app/offline/offline-worker');
    served.set(scope, '<html lang="en">');
    await load(scope);
    expect([...stores.keys()]).toEqual([...others, `${own}new`]);
  },
);
