import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemOf, type Refusal } from '../problem.server';
import { closeAfterResponse } from './client-connection.server';
import { logRefusal, type RefusedRequest } from './refusal-log.server';

/** Refusals by the code of Node's error. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The address and the headers are over 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request was not complete in time.' },
};

const UNREADABLE: Refusal = { status: 400, detail: 'The request is not valid HTTP.' };

/**
 * Answers a request that Node can't parse with a problem and closes its connection; Node's own answer has no
 * body. A listener for a server's `clientError`.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
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

/** Refuses `CONNECT`, which asks for a tunnel. A listener for a server's `connect`. */
export function refuseTunnel(request: IncomingMessage, socket: Duplex): void {
  refuseSocket(request, socket, {
    status: 405,
    detail: 'This server is not a proxy.',
    headers: { Allow: 'GET, HEAD' },
  });
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
