import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { singleton } from '../config/singleton.server';
import type { ApiFunction, ApiHandler, ApiRequest, ApiResponse } from './api-route.server';
import { connectionOf } from './client-connection.server';
import { sendProblem } from './problem.server';

/** A Remix resource route of the API. */
export interface ApiRoute {
  loader: ApiFunction;
  action?: ApiFunction;
}

const routes = singleton('direct-routes', () => new Map<string, ApiRoute>());

/**
 * Has the front door call these resource routes itself. What remix-serve does around a route (Express, its
 * log, its compressor, matching, a `Request` and a `Response`) takes several times as long as storing a
 * reading, and its compressor takes whatever is written to it, without bound.
 */
export function answerDirectly(apiRoutes: Record<string, ApiRoute>): void {
  for (const [path, route] of Object.entries(apiRoutes)) routes.set(path, route);
}

/** Whether they are: in development Remix calls them. */
export const isAnsweringDirectly = () => routes.size > 0;

/** The handler of a request that is answered directly. */
export function directHandler(method: string | undefined, path: string): ApiHandler | undefined {
  const route = routes.get(path);
  return (method === 'POST' ? route?.action : route?.loader)?.handler;
}

/** Answers with what a handler gives; what it throws is a 500, or the end of an answer that has begun. */
export async function answerBy(
  handler: ApiHandler,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = await handler(fromNode(request, response, url));
    await send(answer, request, response);
  } catch (error) {
    if (response.destroyed) return;
    console.error(error);
    if (response.headersSent) response.destroy();
    else sendProblem(response, { status: 500, detail: 'Something broke that nobody planned for.' });
  }
  // A line for every reading would fill a disk: only what was refused is worth one.
  if (response.statusCode >= 400) console.log(`${request.method} ${request.url} ${response.statusCode}`);
}

function fromNode(request: IncomingMessage, response: ServerResponse, url: URL): ApiRequest {
  return {
    method: request.method ?? 'GET',
    url,
    header: (name) => request.headers[name.toLowerCase()]?.toString() ?? null,
    body: () => request.iterator({ destroyOnReturn: false }),
    client: () => connectionOf(response),
  };
}

async function send(
  { status = 200, headers, body }: ApiResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.appendHeader(name, value);
  if (request.method === 'HEAD' || body === null) {
    response.end();
  } else if (body instanceof ReadableStream) {
    // The end of its connection is the end of such an answer: it needs no chunks, and writing is cheaper.
    if (headers.Connection === 'close') response.removeHeader('Transfer-Encoding');
    response.flushHeaders();
    await write(body, response);
    response.end();
  } else {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
  }
}

/** Writes no faster than the client reads. */
async function write(body: ReadableStream, response: ServerResponse): Promise<void> {
  const signal = connectionOf(response).gone();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
}
