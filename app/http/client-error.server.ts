import type { Duplex } from 'node:stream';
import { problemOf, type Refusal } from './problem.server';

const REASONS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are over 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not come to its end in time.' },
};

const UNREADABLE: Refusal = { status: 400, detail: 'The request is not readable as HTTP.' };

/**
 * Answers what Node could not read as HTTP, which it would otherwise refuse without a word, and closes the
 * connection. A listener of a server's `clientError`.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage } = socket as { _httpMessage?: { headersSent: boolean } };
  if (error.code === 'ECONNRESET' || !socket.writable || _httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  refuseSocket(socket, REASONS[String(error.code)] ?? UNREADABLE);
}

/** `CONNECT` asks for a tunnel, which this server is not. A listener of a server's `connect`. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  refuseSocket(socket, { status: 405, detail: 'This server is no proxy.', headers: { Allow: 'GET, HEAD' } });
}

function refuseSocket(socket: Duplex, refusal: Refusal): void {
  // Nobody else listens any more: a client that has left meanwhile must not end the process.
  socket.on('error', () => socket.destroy());
  const { title, body, headers } = problemOf(refusal);
  const all = { ...headers, Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${refusal.status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
