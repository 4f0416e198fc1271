import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { getRequest, type HttpConnection, postRequest } from './http-connection';

const OPEN_AT_ONCE = 200;
/** Events are matched to posts by value, because they may arrive before the response with the id. */
const FIRST_VALUE = 100_000;
const VALUE_DIGITS = 6;
const VALUE = Buffer.from('"co2":');
const EVENT_END = Buffer.from('\n\n');

interface Post {
  sentAt: number;
  missing: number;
  received(): void;
}

/** Many clients of a live feed in this process. Measures the latency of each event. */
export class EventStreams {
  private readonly sockets: Socket[] = [];
  private readonly posts = new Map<number, Post>();
  private nextValue = FIRST_VALUE;
  /** Milliseconds from a post to its event, per event and stream. */
  latencies: number[] = [];

  private constructor(private readonly url: string) {}

  static async open(url: string, count: number): Promise<EventStreams> {
    const streams = new EventStreams(url);
    for (let opened = 0; opened < count; opened += OPEN_AT_ONCE) {
      const group = Math.min(OPEN_AT_ONCE, count - opened);
      await Promise.all(Array.from({ length: group }, () => streams.openOne()));
    }
    return streams;
  }

  /** Posts a reading. Resolves when the response and every stream's event have arrived. */
  async post(connection: HttpConnection): Promise<void> {
    const value = this.nextValue++;
    const request = postRequest({ co2: value, voc: 120 });
    const receivedByAll = new Promise<void>((received) => {
      this.posts.set(value, { sentAt: performance.now(), missing: this.sockets.length, received });
    });
    const { status } = await connection.send(request);
    if (status !== 201) throw new Error(`${this.url} answered ${status}`);
    await receivedByAll;
    this.posts.delete(value);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private async openOne(): Promise<void> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    this.sockets.push(socket);
    socket.write(getRequest('/api/live', { Accept: 'text/event-stream' }));
    await once(socket, 'data');
    let partial: Buffer = Buffer.alloc(0);
    socket.on('data', (data) => {
      const now = performance.now();
      const bytes = partial.length > 0 ? Buffer.concat([partial, data]) : data;
      const end = bytes.lastIndexOf(EVENT_END) + EVENT_END.length;
      this.receive(bytes.subarray(0, end), now);
      partial = bytes.subarray(end);
    });
  }

  private receive(events: Buffer, now: number): void {
    for (let at = events.indexOf(VALUE); at >= 0; at = events.indexOf(VALUE, at)) {
      at += VALUE.length;
      const post = this.posts.get(Number(events.toString('latin1', at, at + VALUE_DIGITS)));
      if (!post) continue;
      this.latencies.push(now - post.sentAt);
      post.missing -= 1;
      if (post.missing === 0) post.received();
    }
  }
}
