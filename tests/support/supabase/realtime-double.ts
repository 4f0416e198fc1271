import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { METRICS } from '../../../app/readings/metric';
import type { MetricValues } from '../../../app/readings/reading';

/** A row of the table `data`, as JSON. */
export interface Row extends MetricValues {
  id: number;
  created_at: string;
  /** Empty for the unnamed sensor. */
  sensor: string;
}

/** The server closes a socket after this time without a channel. */
const IDLE_MS = 60_000;
/** The interval at which the poller looks for published tables. */
const TABLES_MS = 60_000;
/** The id of the first binding of a channel. */
const FIRST_BINDING = 84_217_563;
const UNPUBLISHED =
  'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect ' +
  'parameters: [event: INSERT, schema: public, table: data]';

/** The payload of a client's request to join a channel. */
interface JoinPayload {
  config: { postgres_changes: { filter?: string }[] };
}

/** The faults of a `RealtimeDouble`, which last until `reset()`. By default there is none. */
class RealtimeFaults {
  /** The error in the answer to joins. */
  refuseJoins: string | null = null;
  /** The time until a join is refused. Until then the socket answers nothing, not even heartbeats. */
  refusedJoinMs = 5000;
  /** The error of a subscription after a successful join. The subscription is retried on the same channel. */
  subscriptionError: string | null = null;
  /** The time between attempts to subscribe. */
  retryMs = 5000;
  /** False if the table isn't in the publication: a channel that joins gets one error, without retries. */
  isPublished = true;
  /** False until the poller, which checks once a minute, knows that the table is published. */
  isPolled = true;
  /** True to answer nothing, not even heartbeats. */
  mute = false;
  /** True if joins succeed without registering the subscription: no event is sent until `attach()`. */
  detached = false;
  /** True if events contain `errors` and no values. */
  emptyEvents = false;
  /**
   * False while there is no replication slot. A slot may be created after "Subscribed to PostgreSQL", and an error of the
   * poller removes it. Rows inserted without a slot cause no event, and channels get no message.
   */
  hasSlot = true;
  /** False if no policy lets the public key's role see the rows. No event is sent, and channels get no message. */
  anonMaySelect = true;
  /** The number of times that each event is sent. */
  copies = 1;
  /** True if events are held until `release()`. */
  holdEvents = false;
  /** The status of the answer that refuses WebSockets. */
  refuseSockets: 401 | 403 | 404 | 429 | 500 | null = null;
  /** The time after which a WebSocket is refused. */
  refusedSocketMs = 2000;
}

/** Speaks Supabase Realtime's protocol over real WebSockets, and simulates every observed failure. */
export class RealtimeDouble extends RealtimeFaults {
  /** The number of joins so far. */
  joins = 0;
  readonly joinPayloads: unknown[] = [];
  /** The times of the joins so far, by `performance.now()`. */
  readonly joinTimes: number[] = [];

  readonly #server = new WebSocketServer({ noServer: true });
  readonly #channels = new Set<Channel>();
  readonly #held: Row[] = [];
  readonly #refused = new Set<Duplex>();
  readonly #expired = new WeakSet<WebSocket>();

  constructor(
    private readonly http: Server,
    private readonly keys: { publicKey: string },
  ) {
    super();
    http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** The number of joined channels. */
  get channels(): number {
    return this.#channels.size;
  }

  /** The number of open WebSockets. */
  get sockets(): number {
    return this.#server.clients.size;
  }

  /** Ends all faults. Open sockets stay open. */
  reset(): void {
    Object.assign(this, new RealtimeFaults());
    this.#held.length = 0;
  }

  announce(row: Row): void {
    if (this.holdEvents) this.#held.push(row);
    else for (const channel of this.#channels) this.#announceTo(channel, row);
  }

  /** Sends the held events in reverse order. */
  release(): void {
    this.holdEvents = false;
    for (const row of this.#held.splice(0).reverse()) this.announce(row);
  }

  /** Registers the subscriptions. */
  attach(): void {
    this.detached = false;
    for (const channel of this.#channels) this.#subscribe(channel);
  }

  /** Removes the table from the publication, without a message to open channels. */
  unpublish(): void {
    this.isPublished = false;
    this.isPolled = false;
  }

  /** Adds the table to the publication. Channels can subscribe, and get events after the poller's next check. */
  publish(): void {
    this.isPublished = true;
    setTimeout(() => this.lookForTables(), TABLES_MS).unref();
  }

  /** Lets the poller check for published tables now instead of within a minute. */
  lookForTables(): void {
    this.isPolled = this.isPublished;
  }

  /** Terminates every socket without a closing handshake. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate();
    for (const socket of this.#refused) socket.destroy();
  }

  /** Closes every socket, like a server that restarts (1001) or moves its clients (1012). */
  closeSockets(code: 1001 | 1012): void {
    for (const channel of this.#channels) {
      if (code === 1012) sendSystem(channel, 'ok', 'Server requested disconnect', 'system');
    }
    for (const socket of this.#server.clients) socket.close(code);
  }

  /** Ends the worker of all channels: existing channels get no more events and no message. */
  killWorker(): void {
    for (const channel of this.#channels) channel.isDead = true;
  }

  /** Ends every channel, like an expired token. Later joins on these sockets fail. */
  expireToken(): void {
    for (const channel of this.#channels) {
      this.#expired.add(channel.socket);
      sendSystem(channel, 'error', 'Token has expired 0 seconds ago', 'system');
    }
    this.closeChannels();
  }

  /** Ends every channel with `phx_close`, which is final. */
  closeChannels(): void {
    this.#end('phx_close');
  }

  /** Ends every channel with `phx_error`, after which a client joins again. */
  breakChannels(): void {
    this.#end('phx_error');
  }

  #end(event: string, channels: Iterable<Channel> = this.#channels): void {
    for (const channel of channels) {
      this.#channels.delete(channel);
      send(channel.socket, [channel.joinRef, channel.joinRef, channel.topic, event, {}]);
    }
  }

  /** Returns the channels of a socket, or only the channels with a topic. */
  #channelsOf(socket: WebSocket, topic?: string): Channel[] {
    return [...this.#channels].filter(
      (channel) => channel.socket === socket && (topic === undefined || channel.topic === topic),
    );
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://double');
    const isKnown = url.searchParams.get('apikey') === this.keys.publicKey;
    const status = url.pathname !== '/realtime/v1/websocket' ? 404 : isKnown ? this.refuseSockets : 401;
    if (status !== null || !this.http.listening) {
      this.#refused.add(socket);
      socket.on('close', () => this.#refused.delete(socket)).on('error', () => {});
      setTimeout(() => refuse(socket, status ?? 500), this.refusedSocketMs).unref();
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#serve(opened));
  }

  #serve(socket: WebSocket): void {
    const idle = setInterval(() => {
      if (this.#channelsOf(socket).length === 0) socket.close();
    }, IDLE_MS).unref();
    // Handles messages in order, like Realtime's process for a socket.
    let last = Promise.resolve();
    socket.on('message', (data) => {
      last = last.then(() => this.#receive(socket, JSON.parse(String(data))));
    });
    socket.on('close', () => {
      clearInterval(idle);
      for (const channel of this.#channelsOf(socket)) this.#channels.delete(channel);
    });
  }

  async #receive(socket: WebSocket, [joinRef, ref, topic, event, payload]: Frame): Promise<void> {
    if (this.mute) return;
    const reply = (status: string, response: unknown) =>
      send(socket, [joinRef, ref, topic, 'phx_reply', { status, response }]);
    if (event === 'heartbeat') reply('ok', {});
    else if (event === 'phx_join')
      await this.#join({ socket, joinRef: joinRef ?? '', topic }, payload, reply);
    else if (this.#channelsOf(socket, topic).length === 0) reply('error', { reason: 'unmatched topic' });
    else if (event === 'phx_leave') {
      reply('ok', {});
      this.#end('phx_close', this.#channelsOf(socket, topic));
    }
  }

  async #join(
    joined: Pick<Channel, 'socket' | 'joinRef' | 'topic'>,
    payload: unknown,
    reply: (status: string, response: unknown) => void,
  ): Promise<void> {
    this.joins++;
    this.joinPayloads.push(payload);
    this.joinTimes.push(performance.now());
    const refusal = this.#expired.has(joined.socket)
      ? 'InvalidJWTToken: Token has expired'
      : this.refuseJoins;
    if (refusal) {
      await sleep(this.refusedJoinMs, undefined, { ref: false });
      reply('error', { reason: refusal });
      return;
    }
    // A second join of a topic closes the first one.
    this.#end('phx_close', this.#channelsOf(joined.socket, joined.topic));
    const { postgres_changes: asked } = (payload as JoinPayload).config;
    const answered = asked.map((binding, i) => ({ id: FIRST_BINDING + i, ...binding }));
    const channel: Channel = { ...joined, bindings: [], isSubscribed: false, isDead: false };
    reply('ok', { postgres_changes: answered });
    this.#channels.add(channel);
    try {
      channel.bindings = answered.map(({ id, filter }) => ({ id, selects: parseFilter(filter) }));
      this.#subscribe(channel);
    } catch (error) {
      // Realtime doesn't retry an invalid subscription or an unpublished table.
      sendSystem(channel, 'error', (error as Error).message);
    }
  }

  #subscribe(channel: Channel): void {
    if (this.detached || !this.#channels.has(channel)) return;
    if (!this.isPublished) sendSystem(channel, 'error', UNPUBLISHED);
    else if (this.subscriptionError) {
      sendSystem(channel, 'error', this.subscriptionError);
      setTimeout(() => this.#subscribe(channel), this.retryMs).unref();
    } else {
      channel.isSubscribed = true;
      sendSystem(channel, 'ok', 'Subscribed to PostgreSQL');
    }
  }

  #announceTo({ socket, topic, bindings, isSubscribed, isDead }: Channel, row: Row): void {
    if (!isSubscribed || isDead || !this.hasSlot || !this.isPolled || !this.anonMaySelect || this.mute)
      return;
    const ids = bindings.filter(({ selects }) => selects(row)).map(({ id }) => id);
    if (ids.length === 0) return;
    const event = insertEvent(row, ids, this.emptyEvents);
    for (let i = 0; i < this.copies; i++) send(socket, [null, null, topic, 'postgres_changes', event]);
  }
}

/** A frame of Realtime's protocol 2.0.0. */
type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown];

function send(socket: WebSocket, frame: Frame): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
}

interface Channel {
  socket: WebSocket;
  joinRef: string;
  topic: string;
  /** Its inserts: the id of each binding, and the rows that its filter selects. */
  bindings: { id: number; selects(row: Row): boolean }[];
  /** "Subscribed to PostgreSQL" was sent. */
  isSubscribed: boolean;
  /** The channel's worker died, without a message to the channel. */
  isDead: boolean;
}

function sendSystem(
  { socket, joinRef, topic }: Channel,
  status: string,
  message: string,
  extension = 'postgres_changes',
): void {
  const channel = topic.replace('realtime:', '');
  send(socket, [joinRef, null, topic, 'system', { message, status, extension, channel }]);
}

/** Refuses a WebSocket: answers its handshake with an error in JSON. */
function refuse(socket: Duplex, status: number): void {
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`);
}

/** Returns the payload of an INSERT event; `isEmpty` for a role that may not select the table. */
function insertEvent(row: Row, bindingIds: number[], isEmpty: boolean): unknown {
  const data = {
    schema: 'public',
    table: 'data',
    commit_timestamp: isEmpty ? null : row.created_at,
    type: 'INSERT',
    errors: isEmpty ? ['Error 401: Unauthorized'] : null,
    columns: isEmpty ? [] : COLUMNS,
    record: isEmpty ? {} : row,
  };
  return { ids: bindingIds, data };
}

const COLUMNS = [
  { name: 'id', type: 'int8' },
  { name: 'created_at', type: 'timestamptz' },
  ...METRICS.map(({ field }) => ({ name: field, type: 'numeric' })),
  { name: 'sensor', type: 'text' },
];

/**
 * Parses the `filter` of a subscription as Realtime does: `sensor=eq.NAME`, negated by `not.`, several joined by
 * commas. A value in double quotes may contain commas.
 *
 * @throws an error with Realtime's message if it isn't a filter. The double knows only the column `sensor` and `eq`
 */
export function parseFilter(filter = ''): (row: Row) => boolean {
  if (filter.trim() === '') return () => true;
  // A quote starts a quoted value only after a dot, a comma or a parenthesis.
  const segments = filter.trim().match(/(?:(?<=[.,(])"(?:\\.|[^"\\])*"|[^,])*(?:,|$)/gs) ?? [];
  const conditions = segments
    .filter((segment) => segment !== '')
    .map((segment) => parseSegment(segment.replace(/,$/, '').trim()));
  return (row) => conditions.every((matches) => matches(row));
}

function parseSegment(segment: string): (row: Row) => boolean {
  const [, column, not, operator, text = ''] = /^(\w+)=(not\.)?(\w+)\.(.*)$/s.exec(segment) ?? [];
  if (operator !== 'eq') throw new Error(`Error parsing \`filter\` params: ${segment}`);
  if (column !== 'sensor') throw new Error(`invalid column for filter ${column}`);
  const value = /^"(?:\\.|[^"\\])*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
  return ({ sensor }) => (sensor === value) !== Boolean(not);
}
