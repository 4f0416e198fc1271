import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Row } from './postgrest-rows';
import { RealtimeFaults } from './realtime-faults';
import { parseFilter } from './realtime-filter';
import { type Channel, type Frame, insertEvent, refuse, send, sendSystem } from './realtime-frames';

/** A socket without a channel is closed after this time. */
const IDLE_MS = 60_000;
/** The time between the poller's looks for published tables. */
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

/** Speaks Supabase Realtime's protocol over real WebSockets, and fails in every way that has been observed. */
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

  /** Ends all failures. Open sockets stay. */
  reset(): void {
    Object.assign(this, new RealtimeFaults());
    this.#held.length = 0;
  }

  announce(row: Row): void {
    if (this.holdEvents) this.#held.push(row);
    else for (const channel of this.#channels) this.#announceTo(channel, row);
  }

  /** Sends the held events, the last one first. */
  release(): void {
    this.holdEvents = false;
    for (const row of this.#held.splice(0).reverse()) this.announce(row);
  }

  /** Registers the subscriptions. */
  attach(): void {
    this.detached = false;
    for (const channel of this.#channels) this.#subscribe(channel);
  }

  /** Removes the table from the publication. Open channels are not told. */
  unpublish(): void {
    this.isPublished = false;
    this.isPolled = false;
  }

  /** Adds the table to the publication. Channels can subscribe, and get events once the poller has looked. */
  publish(): void {
    this.isPublished = true;
    setTimeout(() => this.lookForTables(), TABLES_MS).unref();
  }

  /** Lets the poller look for published tables now instead of within a minute. */
  lookForTables(): void {
    this.isPolled = this.isPublished;
  }

  /** Terminates every socket without a closing handshake. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate();
    for (const socket of this.#refused) socket.destroy();
  }

  /** Closes every socket as a restarting server (1001) or one that moves its clients (1012) does. */
  closeSockets(code: 1001 | 1012): void {
    for (const channel of this.#channels) {
      if (code === 1012) sendSystem(channel, 'ok', 'Server requested disconnect', 'system');
    }
    for (const socket of this.#server.clients) socket.close(code);
  }

  /** Lets the worker die: channels joined so far get no more events and are not told. */
  killWorker(): void {
    for (const channel of this.#channels) channel.isDead = true;
  }

  /** Ends every channel as an expired token does. No join succeeds on these sockets afterwards. */
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

  /** Returns the channels of a socket, or those of them with a topic. */
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
    // One after another, as in the socket's own process.
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
    // The older of two joins of one topic is closed.
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
      // Not tried again, like a table that isn't published.
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
