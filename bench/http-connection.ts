import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEADERS_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export interface TimedResponse {
  status: number;
  /** Milliseconds from the request to the first and the last byte. */
  firstByteMs: number;
  totalMs: number;
  /** Bytes on the wire, with headers and framing. */
  bytes: number;
}

/**
 * A keep-alive HTTP/1.1 connection that sends prepared bytes and only looks for the end of the response. With so little work,
 * the bench measures the server rather than itself.
 */
export class HttpConnection {
  private constructor(private readonly socket: Socket) {}

  static async open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).setNoDelay(true);
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends a request and waits for the complete response. The previous response must be complete. */
  send(request: Buffer): Promise<TimedResponse> {
    const { socket } = this;
    const sentAt = performance.now();
    return new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('the server has closed the idle connection'));
      let firstByteMs = 0;
      let head = Buffer.alloc(0);
      let bytes = 0;
      let tail = Buffer.alloc(0);
      /** The response's length; NaN for a chunked response, which ends with `LAST_CHUNK`. */
      let end = Number.NaN;
      let status = 0;

      const fail = () => reject(new Error('the connection was closed before the response ended'));
      const read = (data: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - sentAt;
        bytes += data.length;
        tail = Buffer.concat([tail, data.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
        if (status === 0) {
          head = Buffer.concat([head, data]);
          const headEnd = head.indexOf(HEADERS_END);
          if (headEnd < 0) return;
          const text = head.toString('latin1', 0, headEnd);
          status = Number(text.slice(9, 12));
          const length = status === 204 ? 0 : /^content-length: (\d+)/im.exec(text)?.[1];
          end = length === undefined ? Number.NaN : headEnd + HEADERS_END.length + Number(length);
        }
        const isEnd = Number.isNaN(end) ? tail.equals(LAST_CHUNK) : bytes >= end;
        if (!isEnd) return;
        socket.off('data', read).off('close', fail);
        resolve({ status, firstByteMs, totalMs: performance.now() - sentAt, bytes });
      };
      socket.on('data', read).once('close', fail);
      socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Returns the bytes of a GET request. */
export function getRequest(path: string, headers: Record<string, string> = {}): Buffer {
  return requestBytes('GET', path, headers, '');
}

/** Returns the bytes of a POST request with JSON to `/api/data`. */
export function postRequest(body: unknown): Buffer {
  const text = JSON.stringify(body);
  return requestBytes('POST', '/api/data', { 'Content-Length': String(Buffer.byteLength(text)) }, text);
}

/** Returns the bytes of a POST request with text in another format to `/api/data`. */
export function postText(type: string, text: string): Buffer {
  const headers = { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(text)) };
  return requestBytes('POST', '/api/data', headers, text);
}

function requestBytes(method: string, path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends a request again and again over several connections for a while. Returns the responses per second. */
export async function requestsPerSecond(
  url: string,
  request: Buffer,
  { connections, durationMs, status }: { connections: number; durationMs: number; status: number },
): Promise<number> {
  const opened = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(url)));
  const startedAt = performance.now();
  let answered = 0;
  await Promise.all(
    opened.map(async (connection) => {
      while (performance.now() - startedAt < durationMs) {
        const response = await connection.send(request);
        if (response.status !== status) throw new Error(`${url} answered ${response.status}`);
        answered += 1;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of opened) connection.close();
  return answered / seconds;
}
