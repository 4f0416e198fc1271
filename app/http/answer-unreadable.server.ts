import type { Duplex } from 'node:stream';
import { problemOf, type Refusal } from './problem.server';

const REASONS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are over 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not come to its end in time.' },
};

/**
 * Answers what Node could not read as HTTP, which it would otherwise refuse without a word, and closes the
 * connection. A listener of a server's `clientError`.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage } = socket as { _httpMessage?: { headersSent: boolean } };
  if (error.code === 'ECONNRESET' || !socket.writable || _httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const refusal = REASONS[String(error.code)] ?? {
    status: 400,
    detail: 'The request is not readable as HTTP.',
  };
  const { title, body, headers } = problemOf(refusal);
  const all = { ...headers, Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${refusal.status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
