import { connect, type Socket } from 'node:net';

/** A bare TCP connection, to send bytes that no HTTP client would. */
export interface Connection {
  socket: Socket;
  /** All bytes received so far, as latin1. */
  received(): string;
  isClosed(): boolean;
}

/** Connects to a server on this machine and sends the text unchanged. */
export function openConnection(port: number, text: string): Connection {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let closed = false;
  socket.setEncoding('latin1').on('data', (part) => {
    received += part;
  });
  // Tests see a reset by `isClosed` and by what was received.
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  socket.write(text);
  return { socket, received: () => received, isClosed: () => closed };
}

/** Splits a response into its parts. Returns null while it is incomplete. */
export function parseAnswer(text: string): { status: number; headers: string; body: string } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const headers = text.slice(0, end);
  const rest = text.slice(end + 4);
  const status = Number(headers.split(' ')[1]);
  const length = /content-length: (\d+)/i.exec(headers)?.[1];
  if (length !== undefined) return rest.length >= Number(length) ? { status, headers, body: rest } : null;
  if (!/transfer-encoding: chunked/i.test(headers)) return { status, headers, body: rest };
  if (!rest.endsWith('0\r\n\r\n')) return null;
  return { status, headers, body: joinChunks(rest) };
}

function joinChunks(text: string): string {
  let body = '';
  for (let at = 0; ; ) {
    const size = Number.parseInt(text.slice(at), 16);
    if (!size) return body;
    const start = text.indexOf('\r\n', at) + 2;
    body += text.slice(start, start + size);
    at = start + size + 2;
  }
}
