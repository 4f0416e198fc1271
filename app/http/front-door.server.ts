import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { singleton } from '../singleton.server';
import { admit } from './admit.server';
import { shareWithOrigins } from './cors.server';
import { sendProblem } from './problem.server';
import { COMMON_HEADERS } from './security-headers.server';

/**
 * remix-serve owns the HTTP server and hands routes a `Request` alone: not whether the client still reads,
 * nor a way to end open connections. It also answers some requests with a 500 before any route sees them.
 * Node announces every request with its server and response: from there on this stands in front of
 * remix-serve, refuses what no route can answer, and lets the rest of the application know its client.
 */
interface FrontDoor {
  responses: AsyncLocalStorage<ServerResponse>;
  servers: Set<Server>;
}

const frontDoor = singleton<FrontDoor>('front-door', () => {
  const door: FrontDoor = { responses: new AsyncLocalStorage(), servers: new Set() };
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { server: Server };
    if (door.servers.has(server)) return;
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
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    if (shareWithOrigins(request, response)) return;
    const refusal = admit(request);
    if (refusal) return sendProblem(response, refusal);
    door.responses.run(response, () => {
      for (const listener of listeners) listener.call(server, request, response);
    });
  });
}

/** The servers that have had a request and are not closed. */
export function openServers(): Iterable<Server> {
  return frontDoor.servers;
}

/** The client of the request in whose course this is called. */
export function currentClient() {
  const response = frontDoor.responses.getStore();
  return {
    /** Bytes written that the client has not taken yet. */
    pendingBytes: () => response?.writableLength ?? 0,
    /** Cuts the connection, with what is pending. */
    disconnect: () => void response?.destroy(),
    /** Resolves once there is room for more: true while there is someone to read it. */
    async drained(): Promise<boolean> {
      const socket = response?.socket;
      // The socket's own event: the response's is the compressor's where one is in between.
      if (socket?.writableNeedDrain) {
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
      return !response || !(response.destroyed || response.closed);
    },
  };
}
