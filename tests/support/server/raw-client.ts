import { connect, type Socket } from 'node:net';
import { parseAnswer } from './connection';

export type Answer = NonNullable<ReturnType<typeof parseAnswer>>;

/**
 * An HTTP client that sends bytes unchanged, valid or not. Requests share one connection for as long as the
 * server keeps it open.
 */
export class RawClient {
  #socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /**
   * Sends a request and returns the response: null if the connection closed without one, only the headers of an
   * event stream.
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
