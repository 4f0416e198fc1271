import { connect, type Socket } from 'node:net';

/** A bare TCP connection, for what no HTTP client would send. */
export interface Connection {
  socket: Socket;
  /** What has arrived so far. */
  received(): string;
  isClosed(): boolean;
}

/** Connects to a server and sends the text as it is. */
export function openConnection(port: number, text: string): Connection {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let closed = false;
  socket.setEncoding('latin1').on('data', (part) => {
    received += part;
  });
  // A reset by the server is something a test sees by `isClosed` and by what has arrived.
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  socket.write(text);
  return { socket, received: () => received, isClosed: () => closed };
}

/** An answer on a bare connection, split into its parts; null while it is not complete. */
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
