import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRequest } from './answer-request.server';
import type { ApiRoutes } from './api-route.server';
import { preferCompressed } from './compressed-assets.server';
import { shareWithOrigins } from './cors.server';
import { type Refusal, sendProblem } from './problem.server';
import { requestUrl, routePath } from './request-url.server';
import { COMMON_HEADERS } from './security-headers.server';
import { serializeRequests } from './serialize-requests.server';

/** Answers a request, or calls `next` to leave it to Remix. Has the signature of a Connect middleware. */
export type RequestGuard = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Makes the guard in front of Remix. It answers requests to the API itself, refuses those that nothing can
 * answer, and passes on those for pages and files.
 *
 * @param isClosing returns whether the server is being stopped, so that new requests are refused
 */
export function createRequestGuard(routes: ApiRoutes, isClosing = () => false): RequestGuard {
  return (request, response, next) => {
    serializeRequests(request.socket, response, () => {
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      if (shareWithOrigins(request, response)) return;
      const url = requestUrl(request);
      if (!url) return sendProblem(response, MALFORMED);
      const path = routePath(url);
      const refusal = isClosing() ? CLOSING : refuse(routes, request.method, url, path);
      if (refusal) return sendProblem(response, refusal);
      const route = routes[path];
      if (route) {
        const { handler } = (request.method === 'POST' && route.action) || route.loader;
        return void answerRequest(handler, url, request, response);
      }
      preferCompressed(request, response);
      next();
    });
  };
}

/** Returns the reason why no route can answer a request; null if one can. */
function refuse(routes: ApiRoutes, method: string | undefined, url: URL, path: string): Refusal | null {
  // Remix's older data protocol: its responses would bypass the routes' own checks and error bodies.
  if (url.searchParams.has('_data'))
    return { status: 400, detail: 'The parameter "_data" is not supported.' };
  const route = routes[path];
  // Remix would also match /API/Data, and would serve /api/live.data as page data that never ends.
  if (!route && /^\/(api|healthz)($|[/.])/i.test(path)) {
    return { status: 404, detail: `Not found. The API has ${Object.keys(routes).join(', ')}.` };
  }
  const allowed = route?.action ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  if (allowed.includes(method ?? '')) return null;
  const allow = allowed.join(', ');
  return { status: 405, detail: `${method} is not allowed here, only ${allow}.`, headers: { Allow: allow } };
}

const MALFORMED: Refusal = { status: 400, detail: 'The URL or the Host header is malformed.' };

const CLOSING: Refusal = {
  status: 503,
  detail: 'The server is stopping. Try again in a moment.',
  headers: { 'Retry-After': '1', Connection: 'close' },
};
