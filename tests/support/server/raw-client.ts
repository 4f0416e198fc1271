import { connect, type Socket } from 'node:net';

/** A bare TCP connection, for bytes that no HTTP client would send. */
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
  // Tests notice a reset by `isClosed` and the received bytes.
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

export type Answer = NonNullable<ReturnType<typeof parseAnswer>>;

/**
 * An HTTP client that sends bytes unchanged, valid or not. Requests share one connection as long as the server keeps it
 * open.
 */
export class RawClient {
  #socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /**
   * Sends a request and returns the response: null if the connection closed without one, only the headers for an event
   * stream.
   */
  async send(request: string | Uint8Array, isHead = false): Promise<Answer | null> {
    if (!this.#socket?.writable) {
      // `close` follows every error and settles the request.
      this.#socket = connect(this.port, '127.0.0.1')
        .setNoDelay()
        .on('error', () => {});
    }
    const socket = this.#socket;
    return new Promise((resolve) => {
      let text = '';
      const settle = (answer: Answer | null) => {
        socket.off('data', onData).off('close', onClose);
        if (/^connection: close/im.test(answer?.headers ?? '')) this.close();
        resolve(answer);
      };
      const onData = (part: Buffer) => {
        text += part.toString('latin1');
        const answer = this.#parse(text, isHead);
        if (answer) settle(answer);
      };
      const onClose = () => settle(text.includes('\r\n\r\n') ? parseAnswer(text) : null);
      socket.on('data', onData).on('close', onClose);
      socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
    });
  }

  /** Sends `POST /api/data` with this body. */
  post(body: string): Promise<Answer | null> {
    const bytes = Buffer.from(body);
    const head = `POST /api/data HTTP/1.1\r\nHost: board\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    return this.send(Buffer.concat([Buffer.from(head), bytes]));
  }

  #parse(text: string, isHead: boolean): Answer | null {
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const headers = text.slice(0, end);
    const status = Number(headers.split(' ')[1]);
    if (status === 100) return this.#parse(text.slice(end + 4), isHead);
    if (/^content-type: text\/event-stream/im.test(headers)) this.close();
    else if (!isHead && status !== 204 && status !== 304) {
      // Without a length, the body ends with the connection.
      if (!/^(content-length|transfer-encoding):/im.test(headers)) return null;
      return parseAnswer(text);
    }
    return { status, headers, body: text.slice(end + 4) };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}
