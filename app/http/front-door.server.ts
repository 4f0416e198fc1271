import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { singleton } from '../singleton.server';
import { admit } from './admit.server';
import { answerUnreadable, refuseTunnel } from './answer-unreadable.server';
import { preferCompressed } from './compressed-assets.server';
import { shareWithOrigins } from './cors.server';
import { answerBy, directHandler } from './direct-routes.server';
import { inTurn } from './in-turn.server';
import { sendProblem } from './problem.server';
import { COMMON_HEADERS } from './security-headers.server';

/** A request has to be here in this time, body and all; Node's own limit is five minutes. */
const REQUEST_TIMEOUT_MS = 60_000;

/** How long a client that was refused may take to stop sending and read why. */
const LINGER_MS = 2000;

interface FrontDoor {
  responses: AsyncLocalStorage<ServerResponse>;
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
  const door: FrontDoor = { responses: new AsyncLocalStorage(), servers: new Set(), isClosing: false };
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
    inTurn(request.socket, response, () => {
      for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
      if (shareWithOrigins(request, response)) return;
      const refusal = door.isClosing ? CLOSING : admit(request);
      if (refusal) return sendProblem(response, refusal);
      door.responses.run(response, () => {
        const handler = directHandler(request);
        if (handler) return void answerBy(handler, request, response);
        preferCompressed(request, response);
        for (const listener of listeners) listener.call(server, request, response);
      });
    });
  });
  server.on('clientError', answerUnreadable);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', (_request, response) => sendProblem(response, UNKNOWN_EXPECTATION));
  // Node answers these without a word: `admit` refuses them with a problem body.
  Object.assign(server, { requireHostHeader: false });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
}

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

/** The client of the request in whose course this is called. */
export function currentClient() {
  const response = frontDoor.responses.getStore();
  return {
    /** Writes a part of the body, past whatever queues there are; its head has to be sent before. */
    write: (bytes: Uint8Array) => void response?.write(bytes),
    /** Bytes written that the client has not taken yet. */
    pendingBytes: () => response?.writableLength ?? 0,
    /**
     * Ends the connection with the answer, and reads nothing more from it. It stays for a moment: closed at
     * once, with bytes unread, it would be reset, and a client that still sends would lose the answer.
     */
    endAfterAnswer(): void {
      const socket = response?.socket;
      if (!socket) return;
      response.setHeader('Connection', 'close');
      socket.destroySoon = () => {
        socket.end();
        setTimeout(() => socket.destroy(), LINGER_MS).unref();
      };
    },
    /** Aborted when the client has gone. Unlike a request's own signal, which is lost as garbage while it waits. */
    gone(): AbortSignal {
      const controller = new AbortController();
      if (response?.destroyed) controller.abort();
      response?.once('close', () => controller.abort());
      return controller.signal;
    },
    /** Cuts the connection, with what is pending. */
    disconnect: () => void response?.destroy(),
    /** Resolves once there is room for more: true while there is someone to read it. */
    async drained(): Promise<boolean> {
      // The socket's own event: the response's is the compressor's where one is in between.
      if (response?.socket?.writableNeedDrain) await nextRoom(response.socket);
      return !(response?.destroyed || response?.closed);
    },
  };
}

function nextRoom(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
