import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { singleton } from '../config/singleton.server';
import { withConnection } from './client-connection.server';
import { answerClientError, refuseTunnel } from './client-error.server';
import { preferCompressed } from './compressed-assets.server';
import { shareWithOrigins } from './cors.server';
import { answerBy, directHandler, isAnsweringDirectly } from './direct-routes.server';
import { sendProblem } from './problem.server';
import { admit, requestUrl, routePath } from './request-url.server';
import { COMMON_HEADERS } from './security-headers.server';
import { serializeRequests } from './serialize-requests.server';

/** A request has to be here in this time, body and all; Node's own limit is five minutes. */
const REQUEST_TIMEOUT_MS = 60_000;

interface FrontDoor {
  servers: Set<Server>;
  isClosing: boolean;
}

/**
 * remix-serve owns the HTTP server. It answers some requests with a 500 before any route sees them, and
 * hands routes a `Request` alone: not whether the client still reads, nor a way to end open connections.
 * Node announces every connection with its server: from the first one on this stands in front of
 * remix-serve, refuses what no route can answer, and lets the rest of the application know its client.
 */
const frontDoor = singleton<FrontDoor>('front-door', () => {
  const door: FrontDoor = { servers: new Set(), isClosing: false };
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { socket: Socket & { server: unknown } }).socket;
    if (!(server instanceof Server) || door.servers.has(server)) return;
    door.servers.add(server);
    server.once('close', () => door.servers.delete(server));
    standBefore(server, door);
  });
  return door;
});

function standBefore(server: Server, door: FrontDoor): void {
  const listeners = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serializeRequests(request.socket, response, () => {
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      if (shareWithOrigins(request, response)) return;
      const url = requestUrl(request);
      if (!url) return sendProblem(response, MALFORMED);
      const path = routePath(url);
      const refusal = door.isClosing ? CLOSING : admit(request.method, url, path);
      if (refusal) return sendProblem(response, refusal);
      const handler = directHandler(request.method, path);
      if (handler) return void answerBy(handler, url, request, response);
      preferCompressed(request, response);
      const passOn = () => {
        for (const listener of listeners) listener.call(server, request, response);
      };
      // Pages alone go on, and they ask for no client.
      if (isAnsweringDirectly()) passOn();
      else withConnection(response, passOn);
    });
  });
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', (_request, response) => sendProblem(response, UNKNOWN_EXPECTATION));
  // Node answers these without a word: `admit` refuses them with a problem body.
  Object.assign(server, { requireHostHeader: false });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
}

const MALFORMED = { status: 400, detail: 'The address or the Host header is malformed.' };

const UNKNOWN_EXPECTATION = {
  status: 417,
  detail: 'Only "Expect: 100-continue" can be met.',
  headers: { Connection: 'close' },
};

const CLOSING = {
  status: 503,
  detail: 'The server is being stopped. Try again in a moment.',
  headers: { 'Retry-After': '1', Connection: 'close' },
};

/**
 * Lets no new request in, and closes what idles; resolves once every connection is closed or the time is
 * over. remix-serve itself stops accepting connections, but leaves those open that wait for a next request.
 */
export async function closeFrontDoor(patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  frontDoor.isClosing = true;
  while (frontDoor.servers.size > 0 && Date.now() < deadline) {
    for (const server of frontDoor.servers) server.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
