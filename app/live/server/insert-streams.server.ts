import { singleton } from '../../config/singleton.server';
import type { Reading } from '../../readings/reading';
import type { InsertSource, ReadingStore } from '../../store/reading-store';

/** The parts of a store that streams use: new inserts, and stored readings to resume from. */
interface ResumableInserts {
  inserts: InsertSource;
  read: ReadingStore['read'];
}

/** What a stream needs of the connection it is written to. */
interface StreamClient {
  write(bytes: Uint8Array): void;
  pendingBytes(): number;
  disconnect(): void;
  drained(): Promise<boolean>;
}

/** A client that is this far behind is cut off; it comes back and resumes by its last id. */
const PENDING_LIMIT = 256 * 1024;
const COMMENT_EVERY_MS = 15_000;
/** How soon a browser tries again after a drop. */
const RETRY_MS = 1000;

const openStreams = singleton('insert-streams', () => new Set<InsertStream>());
const broadcasts = singleton('insert-broadcasts', () => new WeakSet<InsertSource>());

/** Tells every open stream of every insert, encoded once for all of them, and sends a comment now and then. */
function broadcastInserts(source: InsertSource): void {
  if (broadcasts.has(source)) return;
  broadcasts.add(source);
  let inserted: Reading[] = [];
  source.subscribe((reading) => {
    // What was stored in one transaction is told in one go, and is one write for each of many streams.
    if (inserted.length === 0) queueMicrotask(tell);
    inserted.push(reading);
  });
  const tell = () => {
    const events = encodeEvents(inserted);
    const newestId = Math.max(...inserted.map(({ id }) => id));
    inserted = [];
    for (const stream of openStreams) stream.send(events, newestId);
  };
  const comment = Buffer.from(': still here\n\n');
  setInterval(() => {
    for (const stream of openStreams) stream.send(comment);
  }, COMMENT_EVERY_MS).unref();
}

/** One client's stream. */
class InsertStream {
  /** While it resumes, an insert is only noted: reading on from the store brings it. */
  #resuming: boolean;
  #lastSent: number;
  #newestSeen = 0;

  constructor(
    private readonly controller: ReadableStreamDefaultController,
    private readonly client: StreamClient,
    after: number | null,
  ) {
    this.#resuming = after !== null;
    this.#lastSent = after ?? 0;
    openStreams.add(this);
    client.write(Buffer.from(`retry: ${RETRY_MS}\n: readings as they are stored\n\n`));
  }

  send(bytes: Uint8Array, id = 0): void {
    this.#newestSeen = Math.max(this.#newestSeen, id);
    if (this.#resuming) return;
    if (this.client.pendingBytes() <= PENDING_LIMIT) {
      this.client.write(bytes);
    } else {
      this.close();
      this.client.disconnect();
    }
  }

  /** Sends what was stored after the client's last id, then goes over to live inserts without a gap. */
  async resume(source: Pick<ResumableInserts, 'read'>): Promise<void> {
    if (!this.#resuming) return;
    do {
      for await (const page of source.read({ after: this.#lastSent })) {
        const isRead = await this.client.drained();
        if (!isRead || !openStreams.has(this)) return;
        if (page.length > 0) this.client.write(encodeEvents(page));
        this.#lastSent = page.at(-1)?.id ?? this.#lastSent;
      }
    } while (this.#lastSent < this.#newestSeen);
    this.#resuming = false;
  }

  readonly close = (): void => {
    if (openStreams.delete(this)) this.controller.close();
  };
}

/**
 * A `text/event-stream` of every insert: `id: 7`, `data: {"new": {…}}`. With `after`, first of what was
 * stored since that id, so that a client that was away misses nothing and gets nothing twice.
 *
 * Remix never tells a body stream that its client left: only `signal` does, so that is what ends it.
 *
 * The body brings nothing but the end. Asked for its first piece, when there is someone to take it, the
 * stream goes on to write straight to the connection: a queue and promises of their own for each of
 * thousands of streams cost several times what the writing does.
 */
export function openInsertStream(
  source: ResumableInserts,
  { after, signal, client }: { after: number | null; signal: AbortSignal; client: StreamClient },
): { headers: Record<string, string>; body: ReadableStream } {
  broadcastInserts(source.inserts);
  const pull = (controller: ReadableStreamDefaultController) => {
    if (signal.aborted) return controller.close();
    const stream = new InsertStream(controller, client, after);
    signal.addEventListener('abort', stream.close, { once: true });
    // A store that fails while resuming: the stream ends, and the client resumes from where it is.
    stream.resume(source).catch(stream.close);
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // no-transform: no compressor for each client; the other says the same to an nginx in front.
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    // It ends with its connection.
    Connection: 'close',
  };
  return { headers, body };
}

/** Ends every stream, so that its client resumes elsewhere or later. */
export function closeInsertStreams(): void {
  for (const stream of openStreams) stream.close();
}

function encodeEvents(readings: readonly Reading[]): Uint8Array {
  return Buffer.from(
    readings.map((reading) => `id: ${reading.id}\ndata: ${JSON.stringify({ new: reading })}\n\n`).join(''),
  );
}
