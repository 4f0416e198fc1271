import { singleton } from '../../config/singleton.server';
import type { ClientConnection } from '../../http/answer';
import { type Reading, sensorOf } from '../../readings/reading';
import type { InsertSource, ReadingStore } from '../../store/reading-store';

interface ResumableInserts {
  inserts: InsertSource;
  read: ReadingStore['read'];
  newest: ReadingStore['newest'];
}

interface Selection {
  /** The client's address, for `openStreamsOf`. */
  address?: string;
  /**
   * The client's last id. Sends the readings with higher ids first, so that a returning client misses nothing and gets
   * nothing twice.
   */
  after?: number;
  sensor?: string;
}

/** A client with more unread bytes than this is disconnected. It reconnects and resumes from its last id. */
const PENDING_LIMIT = 256 * 1024;
const COMMENT_EVERY_MS = 15_000;
/** A client that leaves its bytes unread at this many comments in a row (two minutes) is disconnected. */
const UNREAD_LIMIT = 8;
/** The delay before a browser reconnects after a drop. */
const RETRY_MS = 1000;

const openStreams = singleton('insert-streams', () => new Set<InsertStream>());
const broadcasts = singleton('insert-broadcasts', () => new WeakSet<InsertSource>());

/**
 * Sends every insert to every open stream that wants it, encoded once for all streams of a sensor, and a comment every
 * 15 s.
 */
function broadcastInserts(source: InsertSource): void {
  if (broadcasts.has(source)) return;
  broadcasts.add(source);
  let inserted: Reading[] = [];
  let newestId = 0;
  source.subscribe((reading) => {
    // Sends the inserts of one transaction in one write to each stream.
    if (inserted.length === 0) queueMicrotask(broadcast);
    inserted.push(reading);
  });
  const broadcast = () => {
    const eventsOf = eventsBySensor(inserted);
    newestId = Math.max(newestId, ...inserted.map(({ id }) => id));
    inserted = [];
    for (const stream of openStreams) {
      const events = eventsOf(stream.sensor);
      if (events) stream.send(events.bytes, events.newestId);
    }
  };
  const comment = Buffer.from(': still here\n\n');
  setInterval(() => {
    // Without the id, a client that gets few inserts would resume from an old id, and the store would have to read
    // everything since then.
    const commentWithId = newestId > 0 ? Buffer.from(`${idField(newestId)}: still here\n\n`) : comment;
    for (const stream of openStreams) stream.comment(stream.sensor === undefined ? comment : commentWithId);
  }, COMMENT_EVERY_MS).unref();
}

class InsertStream {
  /** Undefined for the inserts of all sensors. */
  readonly sensor: string | undefined;
  readonly address: string | undefined;
  /** While the stream resumes, it sends no inserts from memory: `resume` reads them from the store. */
  #isResuming: boolean;
  #lastSentId: number;
  #newestId = 0;
  #unreadComments = 0;
  #takenBytes = 0;

  constructor(
    private readonly connection: ClientConnection,
    { address, after, sensor }: Selection,
  ) {
    this.#isResuming = after !== undefined;
    this.#lastSentId = after ?? 0;
    this.sensor = sensor;
    this.address = address;
  }

  open(): void {
    openStreams.add(this);
    this.connection.write(Buffer.from(`retry: ${RETRY_MS}\n: readings as they are stored\n\n`));
    this.#takenBytes = this.connection.takenBytes();
    this.connection.onClose(this.close);
  }

  send(bytes: Uint8Array, id = 0): void {
    this.#newestId = Math.max(this.#newestId, id);
    if (this.#isResuming) return;
    if (this.connection.pendingBytes() <= PENDING_LIMIT) this.connection.write(bytes);
    else this.#disconnect();
  }

  /** Sends a comment. The connection's own timeout can't detect a stalled client, because each write restarts it. */
  comment(bytes: Uint8Array): void {
    const takenBytes = this.connection.takenBytes();
    const isUnread = this.connection.pendingBytes() > 0 && takenBytes === this.#takenBytes;
    this.#unreadComments = isUnread ? this.#unreadComments + 1 : 0;
    this.#takenBytes = takenBytes;
    if (this.#unreadComments < UNREAD_LIMIT) this.send(bytes);
    else this.#disconnect();
  }

  #disconnect(): void {
    openStreams.delete(this);
    this.connection.disconnect();
  }

  /** Sends the readings stored after the client's last id, then switches to live inserts without a gap. */
  async resume({ read, newest }: Omit<ResumableInserts, 'inserts'>): Promise<void> {
    if (!this.#isResuming) return;
    const { sensor } = this;
    // If its sensor rarely posts, the client's last id may be far behind.
    const [last] = sensor === undefined ? [] : await newest(1, { after: this.#lastSentId });
    do {
      for await (const page of read({ after: this.#lastSentId, sensor })) {
        const isConnected = await this.connection.drained();
        if (!isConnected || !openStreams.has(this)) return;
        if (page.length > 0) this.connection.write(encodeInserts(page).bytes);
        this.#lastSentId = page.at(-1)?.id ?? this.#lastSentId;
      }
    } while (this.#lastSentId < this.#newestId);
    if (last && last.id > this.#lastSentId) this.connection.write(Buffer.from(`${idField(last.id)}\n`));
    this.#isResuming = false;
  }

  readonly close = (): void => {
    if (openStreams.delete(this)) this.connection.end();
  };
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // `no-transform`, because a compressor would hold memory for each client and delay events.
  'Cache-Control': 'no-cache, no-transform',
  // Turns off buffering in nginx.
  'X-Accel-Buffering': 'no',
};

/**
 * Returns a response that streams every insert as `id: 7`, `data: {"new": {…}}`. It writes to the connection directly,
 * because a `ReadableStream` and promises for each of thousands of streams would cost several times as much as the
 * writes. The stream of one sensor also contains ids without data, from which its client can resume.
 */
export function streamInserts(source: ResumableInserts, selection: Selection = {}) {
  const stream = (connection: ClientConnection): void => {
    broadcastInserts(source.inserts);
    const client = new InsertStream(connection, selection);
    client.open();
    // If the store fails, the stream ends and the client resumes from its last id.
    client.resume(source).catch(client.close);
  };
  return { headers: HEADERS, body: { stream } };
}

const SETTINGS_EVENT = Buffer.from('event: settings\ndata: {}\n\n');

/** Tells every client that the settings of a sensor have changed. Clients ask `/api/sensors` for them. */
export function announceSettings(): void {
  for (const stream of openStreams) stream.send(SETTINGS_EVENT);
}

/** Tells every client that readings of a sensor were deleted or brought back. Clients ask `/api/data` for the others. */
export function announceReadings(sensor: string): void {
  const event = Buffer.from(`event: readings\ndata: ${JSON.stringify({ sensor })}\n\n`);
  for (const stream of openStreams) {
    if (stream.sensor === undefined || stream.sensor === sensor) stream.send(event);
  }
}

export function openStreamCount(): number {
  return openStreams.size;
}

export function openStreamsOf(address: string): number {
  let count = 0;
  for (const stream of openStreams) if (stream.address === address) count += 1;
  return count;
}

/** Ends every stream. The clients reconnect and resume. */
export function closeInsertStreams(): void {
  for (const stream of openStreams) stream.close();
}

interface Events {
  bytes: Uint8Array;
  newestId: number;
}

/** Returns a function that encodes the inserts of a sensor, or of all sensors, and caches the result. */
function eventsBySensor(inserted: readonly Reading[]): (sensor: string | undefined) => Events | null {
  const encoded = new Map<string | undefined, Events | null>();
  return (sensor) => {
    let events = encoded.get(sensor);
    if (events === undefined) {
      const selected =
        sensor === undefined ? inserted : inserted.filter((reading) => sensorOf(reading) === sensor);
      events = selected.length > 0 ? encodeInserts(selected) : null;
      encoded.set(sensor, events);
    }
    return events;
  };
}

function encodeInserts(readings: readonly Reading[]): Events {
  const text = readings
    .map((reading) => `${idField(reading.id)}data: ${JSON.stringify({ new: reading })}\n\n`)
    .join('');
  return { bytes: Buffer.from(text), newestId: Math.max(...readings.map(({ id }) => id)) };
}

/** Returns the `id` field, from which a client resumes. Without data it isn't an event. */
function idField(id: number): string {
  return `id: ${id}\n`;
}
