/**
 * The service worker. It opens the last stored page if the server can't be reached; otherwise every page comes from the
 * server. It never answers API requests.
 */
import type { LoadedPage } from './register-offline-worker';

// Without the cast, TypeScript treats this file as a page's script.
const worker = globalThis as unknown as ServiceWorkerScope;

/**
 * The prefix of cache names, such as `airboard-pages-air/`: caches belong to the origin, and another path may be another airboard's. Each
 * build has a cache with pages and the scripts and styles that they need.
 */
const CACHE = `airboard-pages-${new URL(worker.registration.scope).pathname.slice(1)}`;
const MOST_PAGES = 8;
/** The paths of pages that show the age of their readings: `/history` without its chart. Other pages aren't stored. */
const KEPT_PATHS = ['', 'chart', 'history', 'rooms'];
const KEPT_HEADERS = ['Content-Type', 'Content-Security-Policy', 'Permissions-Policy', 'X-Frame-Options'];
const BUILD = 'Airboard-Build';

interface SentPage {
  url: string;
  response: Response;
  time: number;
}

/** Pages that are still loading, by client id. */
const loading = new Map<string, SentPage>();
/** True if the last opened page was a stored one. */
let isOffline = false;

worker.addEventListener('install', (event) => {
  worker.skipWaiting();
  event.waitUntil(passApi(event).catch(() => {}));
});

worker.addEventListener('activate', (event) => {
  // With navigation preload, the request for a page doesn't wait for the worker to start.
  event.waitUntil(Promise.resolve(worker.registration.navigationPreload?.enable()));
});

worker.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  if (mode === 'navigate') event.respondWith(openPage(event));
  else if (isOffline && pathOf(url).startsWith('assets/')) event.respondWith(openFile(event.request));
});

worker.addEventListener('message', (event) => {
  event.waitUntil(keep(event.data as LoadedPage, event.source.id).catch(() => {}));
});

/** Makes the browser send API requests without starting the worker, if it supports static routing (Chromium). */
async function passApi(event: InstallEvent): Promise<void> {
  const { pathname } = new URL(worker.registration.scope);
  await event.addRoutes?.([{ condition: { urlPattern: `${pathname}api/*` }, source: 'network' }]);
}

/**
 * Returns the path of a URL relative to airboard's folder, without its query. Returns a URL outside that folder
 * unchanged.
 */
function pathOf(url: string): string {
  return url.replace(worker.registration.scope, '').replace(/[?#].*/, '');
}

async function openPage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const response = await askServer(event);
  isOffline = response === null;
  if (!response) return (await keptPage(request.url)) ?? Response.error();
  // The viewer has forgotten the `READ_KEY`, or it was changed.
  if (response.status === 401 && response.headers.has(BUILD)) event.waitUntil(forget());
  if (KEPT_PATHS.includes(pathOf(request.url)) && response.ok) {
    if (response.headers.has(BUILD)) wait(event.resultingClientId, request.url, response);
    // Another program has this address now, such as another project on localhost.
    else event.waitUntil(leave());
  }
  return response;
}

/** Resolves to null if there is no response. An error response of the server or a proxy counts as a response. */
async function askServer({ request, preloadResponse }: FetchEvent): Promise<Response | null> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return null;
  }
}

/**
 * Returns the stored page of an address. The home screen opens `/`, even if only `/?sensor=Bedroom` was opened before;
 * this redirects to the newest stored dashboard.
 */
async function keptPage(url: string): Promise<Response | undefined> {
  const page = await caches.match(url);
  if (page || url !== worker.registration.scope) return page;
  const [name = ''] = await ownCaches();
  const kept = await (await caches.open(name)).keys();
  const newest = kept.filter((dashboard) => pathOf(dashboard.url) === '').at(-1);
  return newest && Response.redirect(newest.url);
}

/** Puts a page aside until it has loaded, because storing it earlier would slow it down. */
function wait(client: string, url: string, response: Response): void {
  loading.set(client, { url, response: response.clone(), time: Date.now() });
  const [oldest = ''] = loading.keys();
  if (loading.size > MOST_PAGES) loading.delete(oldest);
}

async function forget(): Promise<void> {
  loading.clear();
  await removeCaches();
}

async function leave(): Promise<void> {
  await worker.registration.unregister();
  await removeCaches();
}

/** Stores a loaded page with the files it needs, and removes the pages of other builds. */
async function keep(loaded: LoadedPage, client: string): Promise<void> {
  if (!KEPT_PATHS.includes(pathOf(loaded.url))) return;
  const { url, response, time } = loading.get(client) ?? (await askForPage(loaded.url));
  loading.delete(client);
  const build = response.headers.get(BUILD);
  if (!response.ok || !build) return;
  const html = await response.text();
  const cache = await caches.open(CACHE + build);
  try {
    const needed = (await builtFiles()).filter(
      (path) => html.includes(path) || loaded.files.some((file) => pathOf(file) === path),
    );
    await Promise.allSettled(needed.map((path) => storeFile(cache, path)));
    const headers = KEPT_HEADERS.map((name): [string, string] => [name, response.headers.get(name) ?? '']);
    const marked = html.replace('<html ', `<html data-stored-at="${time}" `);
    await cache.put(url, new Response(marked, { headers: headers.filter(([, value]) => value) }));
    await removeOldPages(cache);
  } finally {
    await removeCaches(CACHE + build);
  }
}

/**
 * Returns the paths of the build's scripts and styles, such as `assets/chart-Bx3.js`. They aren't taken from the page's
 * text, because it contains sensor names.
 */
async function builtFiles(): Promise<string[]> {
  const response = await fetch(`${worker.registration.scope}assets.json`, { cache: 'no-store' });
  return response.json();
}

async function storeFile(cache: Cache, path: string): Promise<void> {
  const url = worker.registration.scope + path;
  if (!(await cache.match(url))) await cache.add(url);
}

/** Requests a page again if the worker didn't see it loading, because the worker is new or was stopped meanwhile. */
async function askForPage(url: string): Promise<SentPage> {
  return { url, response: await fetch(url), time: Date.now() };
}

async function removeOldPages(cache: Cache): Promise<void> {
  const pages = (await cache.keys()).filter(({ url }) => KEPT_PATHS.includes(pathOf(url)));
  await Promise.all(pages.slice(0, -MOST_PAGES).map((page) => cache.delete(page)));
}

async function removeCaches(except?: string): Promise<void> {
  const names = (await ownCaches()).filter((name) => name !== except);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** Returns the names of this airboard's caches. A build has no slash. */
async function ownCaches(): Promise<string[]> {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(CACHE) && !name.slice(CACHE.length).includes('/'));
}

/** A stored file is never out of date, because its name contains a digest of its content. */
async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? fetch(request);
}

/**
 * The part of a service worker's scope that `offline-worker.ts` uses. TypeScript's own types for it can't be combined
 * with those for pages.
 */
interface ServiceWorkerScope {
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<Type extends keyof ServiceWorkerEvents>(
    type: Type,
    listener: (event: ServiceWorkerEvents[Type]) => void,
  ): void;
}

interface ServiceWorkerEvents {
  install: InstallEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  message: ExtendableEvent & { data: unknown; source: { id: string } };
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface InstallEvent extends ExtendableEvent {
  addRoutes?(rules: object[]): Promise<void>;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  resultingClientId: string;
  respondWith(response: Promise<Response>): void;
}
