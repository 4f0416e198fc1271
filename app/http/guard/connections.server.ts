/** Limits the HTTP server's connections, takes their requests in turn, and answers those that Node can't parse. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import { singleton } from '../../config/singleton.server';
import type { Refusal } from '../answer';
import { problemOf, sendProblem } from '../problem.server';
import { closeAfterResponse } from './client.server';
import { logRefusal, type RefusedRequest } from './refusal-log.server';

/** A request's headers must be complete this long after its first byte. */
const HEADERS_TIMEOUT_MS = 10_000;

/** A request's body must be complete this long after its headers. */
const BODY_TIMEOUT_MS = 60_000;

/** Longer than the 60 s for which devices and proxies keep a connection: closing it first would lose a post on its way. */
const KEPT_MS = 76_000;

/**
 * A connection without traffic is closed after this time; Node's default is never. Longer than `BODY_TIMEOUT_MS`, so that
 * a slow request still gets its 408.
 */
const IDLE_TIMEOUT_MS = 120_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export function guardConnections(server: Server, handle: Handle): void {
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
  server.on('checkExpectation', (_request, response) => sendProblem(response, UNKNOWN_EXPECTATION));
  // Without a Host header, Node would send a 400 without a body. The request guard sends a problem instead.
  Object.assign(server, { requireHostHeader: false });
  // `serveInTurn` checks both once a second, and Node only every 30 s.
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEPT_MS;
  server.timeout = IDLE_TIMEOUT_MS;
  serveInTurn(server, fileBudget().connections, handle);
}

/** Files for the process itself: the database and its logs, modules, the event loop. */
const OWN_FILES = 64;

/** The limit on open files, divided by use. Each connection is an open file. */
export interface FileBudget {
  connections: number;
  /** Connections for event streams. The rest is for pages and posts. */
  streams: number;
  /** The most requests that remix-serve answers at a time. Each may open a file. */
  requests: number;
}

export function fileBudget(): FileBudget {
  return singleton('file-budget', () => {
    const inMemory = getHeapStatistics().heap_size_limit / CONNECTION_BYTES;
    return divideFiles(Math.min(openFilesLimit(), OWN_FILES + inMemory));
  });
}

/**
 * The share of the heap for each connection. A request that is half sent, with 1,600 short headers, holds 52 kB, so that all
 * connections together can take less than half of the heap.
 */
const CONNECTION_BYTES = 128 * 1024;

/** Divides a limit on open files, so that connections can't use up the files that pages need. */
export function divideFiles(limit: number): FileBudget {
  const files = Math.max(8, Math.floor(limit) - OWN_FILES);
  const requests = Math.ceil(files / 8);
  const connections = files - requests;
  return { connections, streams: Math.floor(connections * 0.75), requests };
}

/** Returns `RLIMIT_NOFILE`, or the highest number if the system has no limit. */
function openFilesLimit(): number {
  // Keeps the report from looking up the name of every connected client. The types for Node 20 lack this property.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER;
}

/** The most waiting requests per connection, well above the number that clients send without reading a response. */
const WAITING_LIMIT = 100;

/** A connection without a request. */
interface Idle {
  /** The bytes that it had received when it became idle. More are the start of a request. */
  bytesRead: number;
  /** When the start of a request was first seen. */
  since?: number;
}

/** A connection with a request in progress. */
interface Busy {
  request: IncomingMessage;
  since: number;
  /** Starts the requests that wait for this one. */
  waiting: (() => void)[];
}

const CHECK_EVERY_MS = 1000;

/**
 * Calls `handle` for each request of a server, and keeps at most `limit` connections open. A new connection beyond the
 * limit replaces the one that has been idle for longest, so that idle clients can't keep others out; nginx does the
 * same. If no connection is idle, the new one is closed. A connection is busy from the end of a request's headers to
 * the end of the response. `server.maxConnections` can't be used: Node rejects the new connection before another can be
 * closed.
 *
 * Pipelined requests are handled one after another, each once the response before it is closed. Node emits them all at
 * once, and later responses would pile up behind a first one that the client doesn't read. Requests that arrive after
 * the server has ended a connection are ignored: after a refused request, they may be its body.
 *
 * Headers or a body that don't arrive in time get 408.
 */
export function serveInTurn(server: Server, limit: number, handle: Handle): void {
  /** Longest idle first. */
  const idle = new Map<Socket, Idle>();
  const busy = new Map<Socket, Busy>();

  server.on('connection', (socket: Socket) => {
    idle.set(socket, { bytesRead: 0 });
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
    if (idle.size + busy.size <= limit) return;
    const [longestIdle = socket] = idle.keys();
    if (longestIdle === socket) logRefusal({}, 503, `More than ${limit} connections are open.`);
    idle.delete(longestIdle);
    longestIdle.destroy();
  });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!socket.writable) return;
    const start = () => {
      busy.set(socket, { request, since: performance.now(), waiting: busy.get(socket)?.waiting ?? [] });
      response.once('close', () => startNext(socket));
      handle(request, response);
    };
    const waiting = busy.get(socket)?.waiting;
    if (!waiting) {
      idle.delete(socket);
      start();
    } else if (waiting.length < WAITING_LIMIT) waiting.push(start);
    else socket.destroy();
  });

  function startNext(socket: Socket): void {
    const next = socket.writable ? busy.get(socket)?.waiting.shift() : undefined;
    if (next) {
      next();
      return;
    }
    busy.delete(socket);
    if (!socket.destroyed) idle.set(socket, { bytesRead: socket.bytesRead });
  }

  const checking = setInterval(() => {
    const now = performance.now();
    for (const [socket, each] of idle) {
      if (socket.bytesRead > each.bytesRead) each.since ??= now;
      if (each.since !== undefined && now - each.since >= HEADERS_TIMEOUT_MS) answerTimeout(socket);
    }
    for (const [socket, { request, since }] of busy) {
      if (!request.complete && now - since >= BODY_TIMEOUT_MS) answerTimeout(socket);
    }
  }, CHECK_EVERY_MS).unref();
  server.once('close', () => clearInterval(checking));
}

const answerTimeout = (socket: Socket) =>
  answerClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);

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

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
  } else if (response?.req.complete) {
    // The data after the request can't be parsed, but the request itself must still be answered.
    closeAfterResponse(response);
  } else {
    refuseSocket({}, socket, REFUSALS[String(error.code)] ?? UNREADABLE);
  }
}

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
