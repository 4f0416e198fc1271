import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { singleton } from '../../config/singleton.server';
import type { ApiRoutes } from '../api-route.server';
import { sendProblem } from '../problem.server';
import { answerClientError, refuseTunnel } from './client-error.server';
import { limitConnections } from './limit-connections.server';
import { fileBudget } from './open-files.server';
import { answerPassedOnError } from './passed-on-error.server';
import type { RemixAddress } from './remix-address.server';
import { createRequestGuard, type RequestGuard } from './request-guard.server';

/** A request has to be complete within this time, body included; Node's default is five minutes. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * A connection on which nothing is sent, received or read by the client for this long is closed; Node's default is
 * never. Longer than a request may take, so that a request that is too slow still gets its 408.
 */
const IDLE_TIMEOUT_MS = 120_000;

/** Node publishes a server here when it is bound to its port, before it accepts a connection. */
const SERVER_LISTENS = 'tracing:net.server.listen:asyncEnd';

/** The guard of the server that remix-serve opens. */
export interface InstalledGuard {
  /**
   * Refuses new requests and closes idle connections. Resolves once every connection is closed, or after
   * `patienceMs`. remix-serve stops accepting connections, but leaves idle ones open.
   */
  close(patienceMs: number): Promise<void>;
}

/**
 * Puts the request guard in front of the HTTP server that will listen on `port`, and of no other server.
 * Takes that server from a diagnostics channel of Node, because remix-serve doesn't hand it over. Calling
 * it again changes nothing.
 */
export function installRequestGuard(
  routes: ApiRoutes,
  remixAddress: RemixAddress,
  port: number,
): InstalledGuard {
  return singleton('request-guard', () => {
    let openServer: Server | null = null;
    let isClosing = false;
    const guard = createRequestGuard(routes, { remixAddress, isClosing: () => isClosing });
    const onListening = (message: unknown) => {
      const { server } = message as { server: NetServer };
      if (!(server instanceof Server) || portOf(server) !== port) return;
      unsubscribe(SERVER_LISTENS, onListening);
      openServer = server.once('close', () => {
        openServer = null;
      });
      guardServer(server, guard);
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

/** A listener for requests: Express calls `onError` instead of sending a page of its own. */
type PassedOn = (
  request: IncomingMessage,
  response: ServerResponse,
  onError: (error?: unknown) => void,
) => void;

function guardServer(server: Server, guard: RequestGuard): void {
  const listeners = server.listeners('request') as PassedOn[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    guard(request, response, () => {
      for (const listener of listeners) {
        listener.call(server, request, response, (error) => answerPassedOnError(error, response));
      }
    });
  });
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', (_request, response) => sendProblem(response, UNKNOWN_EXPECTATION));
  // Without a Host header Node sends a 400 without a body: the guard sends a problem instead.
  Object.assign(server, { requireHostHeader: false });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.timeout = IDLE_TIMEOUT_MS;
  limitConnections(server, fileBudget().connections);
}

const UNKNOWN_EXPECTATION = {
  status: 417,
  detail: 'Only "Expect: 100-continue" is supported.',
  headers: { Connection: 'close' },
};
