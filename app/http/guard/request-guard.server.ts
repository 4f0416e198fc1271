/**
 * Checks each request and finds its handler. In production `remix-serve.server.ts` puts this guard in front of remix-serve; in
 * development `scripts/build/vite-plugins.js` puts it in front of Vite.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { atBase } from '../../base-path';
import { getEnv, isAllowedOrigin } from '../../config/env.server';
import type { ApiRequest, ApiResponse, ApiRoutes, Refusal } from '../answer';
import { answerRequest } from '../answer-request.server';
import { problem, sendProblem } from '../problem.server';
import { addressOf, closeAfterResponse, passOnClient } from './client.server';
import { refuseReader } from './read-access.server';
import { COMMON_HEADERS } from './security-headers.server';

/** Answers a request, or calls `next` to leave it to Remix. A Connect middleware. */
export type RequestGuard = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** A request that the API doesn't answer. */
interface OtherRequest extends RequestAddress {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface GuardOptions {
  /** Answers a request for a page without the `READ_KEY`, such as with a form. By default, with the problem. */
  askForKey?: (request: ApiRequest, refusal: Refusal) => ApiResponse;
  /** Returns true for a file of the build, which everybody may read. By default, for what Vite serves. */
  isFile?: (path: string) => boolean;
  /**
   * Passes a request on with `next`, or answers it. By default, all requests are passed on, because Vite serves
   * addresses that the guard doesn't know.
   */
  passOn?: (request: OtherRequest, next: () => void) => void;
  isClosing?: () => boolean;
}

/** Answers API requests, refuses requests that nothing can answer, and passes on those for pages and files. */
export function createRequestGuard(
  routes: ApiRoutes,
  {
    askForKey = (_, refusal) => problem(refusal),
    isFile = (path) => VITE_FILE.test(path),
    passOn = (_, next) => next(),
    isClosing = () => false,
  }: GuardOptions = {},
): RequestGuard {
  const routeOf = routeFinder(routes);
  return (request, response, next) => {
    for (const [name, value] of COMMON) response.setHeader(name, value);
    const ambiguity = refuseAmbiguous(request);
    if (ambiguity) {
      closeAfterResponse(response);
      return sendProblem(response, ambiguity);
    }
    if ((request.url ?? '').length > ADDRESS_LIMIT) return sendProblem(response, TOO_LONG);
    toOriginForm(request);
    const outside = enterBase(request);
    if (outside?.status === 308) return void response.writeHead(308, outside.headers).end();
    if (outside) return sendProblem(response, outside);
    const address = requestAddress(request);
    if (!address) return sendProblem(response, MALFORMED);
    const { path, url } = address;
    if (shareWithOrigins(path, request, response)) return;
    const route = routeOf(path);
    const refusal = isClosing() ? CLOSING : refuse(routes, route, request.method, url, path);
    if (refusal) return sendProblem(response, refusal);
    // Each handler of a write checks the write key itself.
    const method = isRead(request.method) ? 'GET' : request.method;
    const isOpen = route ? route.openMethod === method : isFile(path);
    const noReader = isOpen ? null : refuseReader(readerOf(request));
    if (noReader && (route || path.endsWith('.data'))) return sendProblem(response, noReader);
    if (noReader) return void answerRequest((asked) => askForKey(asked, noReader), url, request, response);
    const handler = method === 'GET' ? route?.loader : route?.action;
    if (handler) return void answerRequest(handler, url, request, response);
    passOnClient(request, response, url);
    passOn({ request, response, path, url }, next);
  };
}

/**
 * Returns a function that finds the route of a path. A route may have one placeholder, for a part of a segment:
 * `/sensors/airgradient:{serial}/measures`.
 */
function routeFinder(routes: ApiRoutes): (path: string) => ApiRoutes[string] | undefined {
  const plain = new Map(Object.entries(routes).filter(([path]) => !path.includes('{')));
  const patterns = Object.entries(routes)
    .filter(([path]) => !plain.has(path))
    .map(([path, route]) => {
      const [before = '', after = ''] = path.split(/\{\w+\}/);
      const matches = (each: string) =>
        each.length > before.length + after.length &&
        each.startsWith(before) &&
        each.endsWith(after) &&
        !/[/{}]/.test(each.slice(before.length, each.length - after.length));
      return { matches, route };
    });
  return (path) => plain.get(path) ?? patterns.find(({ matches }) => matches(path))?.route;
}

const COMMON = Object.entries(COMMON_HEADERS);

/** Matches the files of Vite's development server: `/@vite/client`, `/app/root.tsx`. */
const VITE_FILE = /^\/(@|.*\.(?!data$))/;

const readerOf = (request: IncomingMessage): Pick<ApiRequest, 'header' | 'address'> => ({
  header: (name) => request.headers[name]?.toString() ?? null,
  address: () => addressOf(request),
});

/**
 * Refuses a request that a proxy in front may have read differently, as RFC 9112 asks in sections 3.2 and 6.1. Node
 * takes the first of several Host headers, decodes no transfer coding but chunked, and accepts chunked in HTTP/1.0,
 * which doesn't define it.
 */
function refuseAmbiguous({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | null {
  const isHost = (text: string, i: number) =>
    i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  if (rawHeaders.filter(isHost).length > 1) {
    return { status: 400, detail: 'The request has more than one Host header.' };
  }
  const { 'transfer-encoding': coding } = headers;
  if (coding === undefined) return null;
  if (httpVersion === '1.0') {
    return { status: 400, detail: 'HTTP/1.0 has no Transfer-Encoding. Send Content-Length.' };
  }
  if (coding.trim().toLowerCase() === 'chunked') return null;
  return { status: 501, detail: 'Only "Transfer-Encoding: chunked" is supported.' };
}

/** Far longer than any of airboard's addresses. Node itself allows 16 KiB. */
const ADDRESS_LIMIT = 2048;

/** Matches a host name or address with an optional port, and rejects anything else that `URL` would accept. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d*)?$/i;

/** Matches a path and a query of visible ASCII characters. The parser of Node 20.19.0 lets other bytes through. */
const PATH_AND_QUERY = /^\/[\x21-\x7e]*$/;

/** Matches a request target in absolute form: `http://board/history?span=day`. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;

/**
 * Rewrites a target in absolute form, which proxies may send, as its path and query. Its authority replaces `Host`
 * (RFC 9112, section 3.2.2). Leaves the target as it is, and so malformed, if either host is.
 */
function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request;
  const [, authority = '', rest = ''] = url.startsWith('/') ? [] : (ABSOLUTE_FORM.exec(url) ?? []);
  if (!HOST.test(authority) || !HOST.test(headers.host ?? authority)) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  headers.host = authority;
}

/**
 * Takes `BASE_PATH` off the address of a request, so that everything behind the guard works as at the root. Returns the
 * refusal of an address that isn't below it. `/` and `/air` lead to `/air/`, the dashboard.
 */
function enterBase(request: IncomingMessage): Refusal | null {
  const base = atBase('');
  const { url = '' } = request;
  // A malformed address is refused later.
  if (!base || !url.startsWith('/')) return null;
  if (!url.startsWith(`${base}/`)) return outsideOf(base, url);
  request.url = url.slice(base.length);
  return null;
}

function outsideOf(base: string, url: string): Refusal {
  const [path = '', query = ''] = url.split(/(?=\?)/);
  const detail = `airboard is at ${base}/ here, as BASE_PATH says. A proxy in front has to pass this path on.`;
  if (path !== '/' && path !== base) return { status: 404, detail };
  return { status: 308, detail, headers: { Location: `${base}/${query}` } };
}

interface RequestAddress {
  /** Percent-decoded, without a trailing slash unless it looks like a file's path. */
  path: string;
  /** The URL with the decoded path. Routes are found by `path`, because `URL` resolves `..`. */
  url: URL;
}

/**
 * Returns the address of a request, or null if it or its host is malformed. The host is the one that Remix's Express
 * adapter uses. `URL` doesn't parse the sent path, because it resolves `..` and treats a backslash as a slash: two
 * parsers must not disagree about a route.
 */
function requestAddress({ url = '', headers, httpVersion }: IncomingMessage): RequestAddress | null {
  // Only HTTP/1.0 allows a request without Host.
  const { host = httpVersion === '1.0' ? 'localhost' : '' } = headers;
  if (!HOST.test(host) || !PATH_AND_QUERY.test(url)) return null;
  try {
    const forwarded = [headers['x-forwarded-host']].flat().join();
    const port = Number.parseInt(forwarded.split(':')[1] ?? host.split(':')[1] ?? '', 10);
    const name = host.replace(/:\d*$/, '');
    const [sentPath = ''] = url.split('?', 1);
    const query = url.slice(sentPath.length);
    const authority = `${name}${Number.isSafeInteger(port) ? `:${port}` : ''}`;
    const path = decodePath(sentPath);
    const parsed = new URL(`http://${authority}/${query}`);
    parsed.pathname = path;
    return { path, url: parsed };
  } catch {
    return null;
  }
}

/**
 * Decodes a path segment by segment, so that an encoded slash stays encoded. For example, `/%61pi/data/` becomes
 * `/api/data`.
 */
function decodePath(sent: string): string {
  const decode = (segment: string) => decodeURIComponent(segment).replaceAll('/', '%2F');
  const path = sent.includes('%') ? sent.split('/').map(decode).join('/') : sent;
  return path.endsWith('/') ? path.replace(/(?<=\/[^/.]+)\/$/, '') : path;
}

const PREFLIGHT_SECONDS = '600';

/** Adds the CORS headers for `ALLOWED_ORIGINS`. Returns true if it answered a preflight request. */
function shareWithOrigins(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (getEnv().ALLOWED_ORIGINS.length === 0 || !path.startsWith('/api/')) return false;
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !isAllowedOrigin(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Content-Disposition, Date, ETag, Retry-After');
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false;
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Last-Event-ID',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  response.end();
  return true;
}

const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD';

/** Returns a refusal if no route can answer, else null. */
function refuse(
  routes: ApiRoutes,
  route: ApiRoutes[string] | undefined,
  method: string | undefined,
  url: URL,
  path: string,
): Refusal | null {
  // Remix's older data protocol: its responses would bypass the routes' own checks and error bodies.
  if (url.search !== '' && url.searchParams.has('_data'))
    return { status: 400, detail: 'The parameter "_data" is not supported.' };
  // Remix would also match /API/Data, and would serve /api/live.data as page data that never ends.
  if (!route && /^[/\\]+(api|healthz|metrics)(?![\w-])/i.test(path)) {
    return { status: 404, detail: `Not found. The API has ${Object.keys(routes).join(', ')}.` };
  }
  const reading = route && !route.loader ? [] : ['GET', 'HEAD'];
  const allowed = route?.action ? [...reading, ...(route.actionMethods ?? ['POST'])] : reading;
  if (allowed.includes(method ?? '')) return null;
  const allow = allowed.join(', ');
  return { status: 405, detail: `${method} is not allowed here, only ${allow}.`, headers: { Allow: allow } };
}

const TOO_LONG: Refusal = { status: 414, detail: 'The address is over 2 kB.' };

const MALFORMED: Refusal = { status: 400, detail: 'The URL or the Host header is malformed.' };

const CLOSING: Refusal = {
  status: 503,
  detail: 'The server is stopping. Try again in a moment.',
  headers: { 'Retry-After': '1', Connection: 'close' },
};
