import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ActionFunctionArgs, createReadableStreamFromReadable } from '@remix-run/node';
import { singleton } from '../singleton.server';
import { addressOf, pathOf } from './admit.server';
import { sendProblem } from './problem.server';

type Handler = (args: ActionFunctionArgs) => Response | Promise<Response>;

/** A Remix resource route: no component, answers with a `Response`. */
export interface ResourceRoute {
  loader: Handler;
  action?: Handler;
}

const routes = singleton('direct-routes', () => new Map<string, ResourceRoute>());

/**
 * Has the front door call these resource routes itself. What remix-serve does around a route (Express, its
 * log, its compressor, matching) takes longer than storing a reading, and its compressor takes whatever
 * is written to it, without bound.
 */
export function answerDirectly(resourceRoutes: Record<string, ResourceRoute>): void {
  for (const [path, route] of Object.entries(resourceRoutes)) routes.set(path, route);
}

/** The handler of a request that is answered directly. */
export function directHandler(request: IncomingMessage): Handler | undefined {
  const url = addressOf(request);
  const route = url ? routes.get(pathOf(url)) : undefined;
  return request.method === 'POST' ? route?.action : route?.loader;
}

/** Answers as remix-serve would: the handler gets the same request, the client the same response. */
export async function answerBy(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const answer = await handler({ request: requestOf(request, gone.signal), params: {}, context: {} });
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) response.appendHeader(name, value);
    // The end of its connection is the end of such an answer: it needs no chunks, and writing is cheaper.
    if (answer.headers.get('Connection') === 'close') response.removeHeader('Transfer-Encoding');
    if (answer.body && request.method !== 'HEAD') await write(answer.body, response, gone.signal);
    response.end();
  } catch (error) {
    if (response.destroyed) return;
    console.error(error);
    if (response.headersSent) response.destroy();
    else sendProblem(response, { status: 500, detail: 'Something broke that nobody planned for.' });
  }
  // A line for every reading would fill a disk: only what was refused is worth one.
  if (response.statusCode >= 400) console.log(`${request.method} ${request.url} ${response.statusCode}`);
}

function requestOf(request: IncomingMessage, signal: AbortSignal): Request {
  const { method } = request;
  const body = method === 'POST' ? createReadableStreamFromReadable(request) : undefined;
  return new Request(addressOf(request) as URL, {
    method,
    headers: request.headers as Record<string, string>,
    signal,
    ...(body && { body, duplex: 'half' }),
  });
}

/** Writes no faster than the client reads. */
async function write(body: ReadableStream, response: ServerResponse, signal: AbortSignal): Promise<void> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
}
