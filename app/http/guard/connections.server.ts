/** The connections of the HTTP server: how many, for how long, and requests on them that Node can't parse. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { singleton } from '../../config/singleton.server';
import type { Refusal } from '../answer';
import { problemOf, sendProblem } from '../problem.server';
import { closeAfterResponse } from './client.server';
import { logRefusal, type RefusedRequest } from './refusal-log.server';

/** A request has to be complete within this time, body included; Node's default is five minutes. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * A connection on which nothing is sent, received or read by the client for this long is closed; Node's default is
 * never. Longer than a request may take, so that a request that is too slow still gets its 408.
 */
const IDLE_TIMEOUT_MS = 120_000;

/** Limits a server's connections, and answers what Node would answer without a body. */
export function guardConnections(server: Server): void {
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', (_request, response) => sendProblem(response, UNKNOWN_EXPECTATION));
  // Without a Host header Node sends a 400 without a body: the request guard sends a problem instead.
  Object.assign(server, { requireHostHeader: false });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.timeout = IDLE_TIMEOUT_MS;
  limitConnections(server, fileBudget().connections);
}

/** Files for the process itself: the database and its logs, modules, the event loop. */
const OWN_FILES = 64;

/** The files that the process may have open, divided by their use. A connection is one of them. */
export interface FileBudget {
  /** Connections, those of streams included. */
  connections: number;
  /** Connections that last as event streams. The rest is for pages and posts. */
  streams: number;
  /** Requests that remix-serve answers at a time: each may read a file. */
  requests: number;
}

/** Returns the budget of this process. */
export function fileBudget(): FileBudget {
  return singleton('file-budget', () => divideFiles(openFilesLimit()));
}

/** Divides a limit on open files, so that connections can't use up what pages and their files need. */
export function divideFiles(limit: number): FileBudget {
  const files = Math.max(8, limit - OWN_FILES);
  const requests = Math.ceil(files / 8);
  const connections = files - requests;
  return { connections, streams: Math.floor(connections * 0.75), requests };
}

/** Returns the limit on open files, `RLIMIT_NOFILE`; the highest number where the system has none. */
function openFilesLimit(): number {
  // A report would otherwise look up the name of every connected client. The types for Node 20 lack this.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER;
}

/**
 * Keeps at most `limit` connections of a server open. For one more, closes the connection that has been without a request for
 * longest, so that clients that only hold connections can't keep others out; nginx does the same. A request counts from the end
 * of its headers to the end of its response, so that a stream stays open, and headers that never end don't. If every connection
 * has a request, the new connection is closed.
 *
 * `server.maxConnections` can't be used: Node refuses the new connection before another one can be closed.
 */
export function limitConnections(server: Server, limit: number): void {
  /** Connections without a request, the one that has been so for longest first. */
  const idle = new Set<Socket>();
  /** The number of unanswered requests of each other connection. Pipelined requests arrive at once. */
  const busy = new Map<Socket, number>();

  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
    if (idle.size + busy.size <= limit) return;
    const [longestIdle = socket] = idle;
    if (longestIdle === socket) logRefusal({}, 503, `More than ${limit} connections are open.`);
    idle.delete(longestIdle);
    longestIdle.destroy();
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const requests = (busy.get(socket) ?? 0) - 1;
      if (socket.destroyed) return;
      if (requests > 0) {
        busy.set(socket, requests);
      } else {
        busy.delete(socket);
        idle.add(socket);
      }
    });
  });
}

/** Refusals by the code of Node's error. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The address and the headers are over 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request was not complete in time.' },
};

const UNREADABLE: Refusal = { status: 400, detail: 'The request is not valid HTTP.' };

const UNKNOWN_EXPECTATION: Refusal = {
  status: 417,
  detail: 'Only "Expect: 100-continue" is supported.',
  headers: { Connection: 'close' },
};

const NOT_A_PROXY: Refusal = {
  status: 405,
  detail: 'This server is not a proxy.',
  headers: { Allow: 'GET, HEAD' },
};

/** Answers a request that Node can't parse with a problem and closes its connection. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
  } else if (response?.req.complete) {
    // What follows the request can't be read. Its own answer is still to come.
    closeAfterResponse(response);
  } else {
    refuseSocket({}, socket, REFUSALS[String(error.code)] ?? UNREADABLE);
  }
}

/** Refuses `CONNECT`, which asks for a tunnel. */
function refuseTunnel(request: IncomingMessage, socket: Duplex): void {
  refuseSocket(request, socket, NOT_A_PROXY);
}

function refuseSocket(request: RefusedRequest, socket: Duplex, refusal: Refusal): void {
  logRefusal(request, refusal.status, refusal.detail);
  // Node no longer listens to this socket: without a listener, an error would end the process.
  socket.on('error', () => socket.destroy());
  const { title, body, headers } = problemOf(refusal);
  const all = { ...headers, Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${refusal.status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
