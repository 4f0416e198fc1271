import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventLoopTurns } from '../../config/event-loop-turns.server';
import { answerRequest } from '../answer-request.server';
import type { ApiRoutes } from '../api-route.server';
import { shareWithOrigins } from '../cors.server';
import { type Refusal, sendProblem } from '../problem.server';
import { arePagesFull, TOO_MANY_READS } from '../read-gate.server';
import { addressOf } from './client-address.server';
import { closeAfterResponse, passOnClient } from './client-connection.server';
import { preferCompressed } from './compressed-assets.server';
import { fileBudget } from './open-files.server';
import { logRefusal } from './refusal-log.server';
import { NOT_FOUND, type RemixAddress } from './remix-address.server';
import { requestAddress } from './request-address.server';
import { COMMON_HEADERS } from './security-headers.server';
import { serializeRequests } from './serialize-requests.server';

/** Answers a request, or calls `next` to leave it to Remix. Has the signature of a Connect middleware. */
export type RequestGuard = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Far more than any address of the product has; Node itself allows 16 KiB. */
const ADDRESS_LIMIT = 2048;

const SERVICE_WORKER = '/service-worker.js';
/** A page's policy doesn't hold for its service worker. */
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

const nextTurn = eventLoopTurns();

export interface GuardOptions {
  /** Decides what reaches remix-serve. Without it every address does: Vite has more of them than are known. */
  remixAddress?: RemixAddress;
  /** Returns whether the server is being stopped, so that new requests are refused. */
  isClosing?: () => boolean;
}

/**
 * Makes the guard in front of Remix. It answers requests to the API itself, refuses those that nothing can
 * answer, and passes on those for pages and files. It and what it passes on to see the same path.
 */
export function createRequestGuard(
  routes: ApiRoutes,
  { remixAddress, isClosing = () => false }: GuardOptions = {},
): RequestGuard {
  let passedOn = 0;
  return (request, response, next) => {
    serializeRequests(request.socket, response, () => {
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      const ambiguity = refuseAmbiguous(request);
      if (ambiguity) {
        closeAfterResponse(response);
        return sendProblem(response, ambiguity);
      }
      if ((request.url ?? '').length > ADDRESS_LIMIT) return sendProblem(response, TOO_LONG);
      const address = requestAddress(request);
      if (!address) return sendProblem(response, MALFORMED);
      const { path, url } = address;
      if (shareWithOrigins(path, request, response)) return;
      const refusal = isClosing() ? CLOSING : refuse(routes, request.method, url, path);
      if (refusal) return sendProblem(response, refusal);
      const route = routes[path];
      const answering = request.method === 'POST' ? route?.action : route?.loader;
      if (answering) return void answerRequest(answering.handler, url, request, response);
      if (remixAddress) {
        if (passedOn >= fileBudget().requests) return sendProblem(response, BUSY);
        // Not left to the loader: rendering a page that says so costs more than the read.
        if (isPage(path) && arePagesFull(addressOf(request))) return sendProblem(response, TOO_MANY_READS);
        passedOn += 1;
        const { method, url: sent } = request;
        response.once('close', () => {
          passedOn -= 1;
          const { statusCode, statusMessage } = response;
          if (statusCode >= 400) logRefusal({ method, url: sent }, statusCode, statusMessage);
        });
        request.url = remixAddress(path, url.searchParams) ?? NOT_FOUND;
        const caching = cachingOf(path);
        if (caching) response.setHeader('Cache-Control', caching);
        if (path === SERVICE_WORKER) response.setHeader('Content-Security-Policy', SERVICE_WORKER_POLICY);
      }
      passOnClient(request, response);
      preferCompressed(request, response);
      // Many visitors may come at once.
      nextTurn().then(() => {
        if (!response.destroyed) next();
      });
    });
  };
}

/** Returns true for a page or its data rather than a file. */
const isPage = (path: string): boolean => !path.includes('.') || path.endsWith('.data');

/** Returns `Cache-Control` of a file whose address stays the same over builds, which remix-serve would have kept for a year. */
function cachingOf(path: string): string | null {
  // Browsers ask for a newer one, and a cache in between must not keep an old one.
  if (path === SERVICE_WORKER || path === '/assets.json') return 'no-cache';
  return /^\/[\w-]+\.(ico|png|svg|txt|webmanifest)$/.test(path) ? 'public, max-age=3600' : null;
}

/**
 * Returns the reason for refusing a request that a proxy in front may have read as another one; null for the rest.
 * RFC 9112 asks for these refusals, in sections 3.2 and 6.1. Node takes the first Host, decodes only chunks, and
 * accepts them in HTTP/1.0, which doesn't have them.
 */
function refuseAmbiguous({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | null {
  const isHost = (text: string, i: number) => i % 2 === 0 && text.toLowerCase() === 'host';
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

/** Returns the reason why no route can answer a request; null if one can. */
function refuse(routes: ApiRoutes, method: string | undefined, url: URL, path: string): Refusal | null {
  // Remix's older data protocol: its responses would bypass the routes' own checks and error bodies.
  if (url.searchParams.has('_data'))
    return { status: 400, detail: 'The parameter "_data" is not supported.' };
  const route = routes[path];
  // Remix would also match /API/Data, and would serve /api/live.data as page data that never ends.
  if (!route && /^[/\\]+(api|healthz|metrics)(?![\w-])/i.test(path)) {
    return { status: 404, detail: `Not found. The API has ${Object.keys(routes).join(', ')}.` };
  }
  const reading = route && !route.loader ? [] : ['GET', 'HEAD'];
  const allowed = route?.action ? [...reading, 'POST'] : reading;
  if (allowed.includes(method ?? '')) return null;
  const allow = allowed.join(', ');
  return { status: 405, detail: `${method} is not allowed here, only ${allow}.`, headers: { Allow: allow } };
}

const BUSY: Refusal = {
  status: 503,
  detail: 'The server has as many files open as it may. Try again in a moment.',
  headers: { 'Retry-After': '1' },
};

const TOO_LONG: Refusal = { status: 414, detail: 'The address is over 2 kB.' };

const MALFORMED: Refusal = { status: 400, detail: 'The URL or the Host header is malformed.' };

const CLOSING: Refusal = {
  status: 503,
  detail: 'The server is stopping. Try again in a moment.',
  headers: { 'Retry-After': '1', Connection: 'close' },
};
