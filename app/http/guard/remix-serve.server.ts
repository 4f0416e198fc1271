/**
 * Connects airboard with remix-serve, which answers pages and built files. `scripts/serve.js` loads remix-serve's
 * command into its own process. The command loads the build, whose entry calls `boot`, and then opens its HTTP server
 * without returning it. `installRequestGuard` therefore gets the server from one of Node's diagnostics channels, and
 * puts the request guard in front of remix-serve's listener.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync } from 'node:fs';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Negotiator from 'negotiator';
import { atBase, belowBase } from '../../base-path';
import { eventLoopTurns } from '../../config/event-loop-turns.server';
import { singleton } from '../../config/singleton.server';
import type { ApiRoutes, Refusal } from '../answer';
import { sendProblem, writeProblem } from '../problem.server';
import { arePagesFull, TOO_MANY_READS } from '../read-gate.server';
import { addressOf } from './client.server';
import { fileBudget, guardConnections } from './connections.server';
import { logError, logRefusal } from './refusal-log.server';
import { createRequestGuard, type GuardOptions, type RequestGuard } from './request-guard.server';

/** The channel on which Node publishes a server when it is bound to its port, before it accepts a connection. */
const SERVER_LISTENS = 'tracing:net.server.listen:asyncEnd';

/** The guard of the server that remix-serve opens. */
export interface InstalledGuard {
  /**
   * Refuses new requests and closes idle connections, which remix-serve leaves open. Resolves once all connections are
   * closed, or after `patienceMs`.
   */
  close(patienceMs: number): Promise<void>;
}

/**
 * Puts the request guard in front of the HTTP server that will listen on `port`, and of no other server. Repeating it
 * is harmless.
 */
export function installRequestGuard(
  routes: ApiRoutes,
  options: Omit<GuardOptions, 'isClosing'>,
  port: number,
): InstalledGuard {
  return singleton('request-guard', () => {
    let openServer: Server | null = null;
    let isClosing = false;
    const guard = createRequestGuard(routes, { ...options, isClosing: () => isClosing });
    const onListening = (message: unknown) => {
      const { server } = message as { server: NetServer };
      if (!(server instanceof Server) || portOf(server) !== port) return;
      unsubscribe(SERVER_LISTENS, onListening);
      openServer = server.once('close', () => {
        openServer = null;
      });
      guardRequests(server, guard);
    };
    subscribe(SERVER_LISTENS, onListening);
    return {
      async close(patienceMs) {
        const deadline = Date.now() + patienceMs;
        isClosing = true;
        for (; openServer && Date.now() < deadline; await sleep(20)) openServer.closeIdleConnections();
      },
    };
  });
}

function portOf(server: Server): number | null {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : null;
}

/** remix-serve's request listener. Express calls `onError` instead of sending an error page. */
type Express = (
  request: IncomingMessage,
  response: ServerResponse,
  onError: (error?: unknown) => void,
) => void;

function guardRequests(server: Server, guard: RequestGuard): void {
  const listeners = server.listeners('request') as Express[];
  server.removeAllListeners('request');
  guardConnections(server, (request, response) => {
    guard(request, response, () => {
      for (const listener of listeners) {
        listener.call(server, request, response, (error) => answerPassedOnError(error, response));
      }
    });
  });
}

/** Returns the guard's options for pages and the built files. */
export function remixOptions(pages: readonly string[]): Pick<GuardOptions, 'isFile' | 'passOn'> {
  const files = builtFiles();
  const open = new Set([...files, MANIFEST]);
  return { isFile: (path) => open.has(path), passOn: passToRemix(remixAddresses(pages, files)) };
}

const nextTurn = eventLoopTurns();

/** Passes requests for pages and files on to remix-serve, unless it already answers too many. */
export function passToRemix(remixAddress: RemixAddress): NonNullable<GuardOptions['passOn']> {
  let passedOn = 0;
  return ({ request, response, path, url }, next) => {
    if (passedOn >= fileBudget().requests) return sendProblem(response, BUSY);
    // Checked here rather than in the loader, because rendering an error page costs more than the read.
    if (isPage(path) && arePagesFull(addressOf(request))) return sendProblem(response, TOO_MANY_READS);
    passedOn += 1;
    const { method, url: sent } = request;
    response.once('close', () => {
      passedOn -= 1;
      const { statusCode, statusMessage } = response;
      if (statusCode >= 400) logRefusal({ method, url: sent }, statusCode, statusMessage);
    });
    const address = remixAddress(path, url.searchParams);
    request.url = address ?? atBase(NOT_FOUND);
    // Remix sets the header of its 404 page.
    const caching = address && cachingOf(path);
    if (caching) response.setHeader('Cache-Control', caching);
    if (path === SERVICE_WORKER) response.setHeader('Content-Security-Policy', SERVICE_WORKER_POLICY);
    preferCompressed(request, response);
    // Uses a separate event-loop turn for each request, because many visitors may come at once.
    nextTurn().then(() => {
      if (!response.destroyed) next();
    });
  };
}

const BUSY: Refusal = {
  status: 503,
  detail: 'The server has reached its limit of open files. Try again in a moment.',
  headers: { 'Retry-After': '1' },
};

const SERVICE_WORKER = '/service-worker.js';
/** The service worker's own policy, because the page's policy doesn't apply to it. */
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

const isPage = (path: string): boolean => !path.includes('.') || path.endsWith('.data');

/**
 * Returns the `Cache-Control` of a page's data, to which Remix gives none, and of a file whose address is the same in
 * every build; remix-serve would cache it for a year.
 */
function cachingOf(path: string): string | null {
  if (path.endsWith('.data')) return 'private, no-cache';
  // Browsers check for a newer version, and a cache in between must not keep an old one.
  if (path === SERVICE_WORKER || path === '/assets.json') return 'no-cache';
  return /^\/[\w-]+\.(ico|png|svg|txt|webmanifest)$/.test(path) ? 'public, max-age=3600' : null;
}

/** The folder that remix-serve serves as `/`; a page's scripts and styles are in `/assets`. */
const FILES_FOLDER = 'build/client';

/** A page that Remix doesn't know. */
const NOT_FOUND = '/not-found';

/** The routes of pages, which Remix's script asks for as links come into view. */
const MANIFEST = '/__manifest';

/** Returns remix-serve's address, with `BASE_PATH` if it isn't a file, for a percent-decoded path and a query; null if nothing is there. */
export type RemixAddress = (path: string, query: URLSearchParams) => string | null;

/**
 * Lets only requests for pages, built files and Remix's own data reach remix-serve. Remix matches an address of many
 * segments in quadratic time, and Express and Remix decode paths differently.
 */
export function remixAddresses(pages: readonly string[], files: readonly string[]): RemixAddress {
  const known = new Set(files);
  const data = new Set(pages.map(dataPath));
  return (path, query) => {
    if (path === MANIFEST) return `${atBase(path)}?${manifestQuery(query, pages)}`;
    // Ignores case as Remix does, because phones capitalize typed addresses.
    const page = pages.find((page) => page === path.toLowerCase());
    if (!page && !data.has(path) && !known.has(path)) return null;
    const address = known.has(path) ? encodeURI(path) : atBase(page ?? path);
    return address + (query.size > 0 ? `?${query}` : '');
  };
}

function dataPath(page: string): string {
  return page === '/' ? '/_root.data' : `${page}.data`;
}

function builtFiles(): string[] {
  const entries = readdirSync(FILES_FOLDER, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => `/${relative(FILES_FOLDER, join(parentPath, name))}`);
}

/**
 * Returns the query for the routes of the known paths. If no path is known, asks for `/`, whose routes every page
 * knows: Remix's script would treat an error as a broken page.
 */
function manifestQuery(query: URLSearchParams, pages: readonly string[]): URLSearchParams {
  const asked = query
    .getAll('p')
    .map(belowBase)
    .filter((path) => pages.includes(path));
  return new URLSearchParams([
    ...(asked.length > 0 ? asked : ['/']).map((path) => ['p', atBase(path)]),
    ['version', query.get('version') ?? ''],
  ]);
}

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

/**
 * Makes remix-serve send the build's Brotli copy of a script or style, by rewriting the URL. Without this, remix-serve
 * would compress the file for each visitor, as it still does for clients without Brotli.
 */
export function preferCompressed(request: IncomingMessage, response: ServerResponse): void {
  const [path = '', type = ''] =
    /^\/(?:assets\/[\w.-]+|service-worker)\.(js|css)$/.exec(request.url ?? '') ?? [];
  if (!path || !existsSync(`${FILES_FOLDER}${path}.br`)) return;
  response.setHeader('Vary', 'Accept-Encoding');
  if (new Negotiator(request).encodings(['br']).length === 0) return;
  response.setHeader('Content-Encoding', 'br');
  response.setHeader('Content-Type', `${TYPES[type]}; charset=utf-8`);
  request.url += '.br';
}

/** The details of file errors by status. */
const REASONS: Record<number, string> = {
  412: 'The file is not the one that If-Match or If-Unmodified-Since asks for.',
  416: 'The file is shorter than Range asks for. Content-Range has its length.',
};

const OF_FILE = ['Accept-Ranges', 'Content-Encoding', 'Content-Range', 'ETag', 'Last-Modified'];

/** Sends a problem instead of Express's error page. `passToRemix` logs its status. */
function answerPassedOnError(error: unknown, response: ServerResponse): void {
  if (response.destroyed) return;
  const { status = 500, headers } = (error ?? {}) as { status?: number; headers?: Record<string, string> };
  const detail = REASONS[status];
  if (!detail) logError(error);
  if (response.headersSent) return void response.destroy();
  for (const name of OF_FILE) response.removeHeader(name);
  writeProblem(
    response,
    detail
      ? { status, detail, headers }
      : { status: 500, detail: "Unexpected error. The server's log has more." },
  );
}
