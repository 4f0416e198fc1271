import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { formatTime, type Row } from './postgrest-double';

type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown];

interface Channel {
  socket: WebSocket;
  joinRef: string;
  topic: string;
  bindingId: number;
}

/** Speaks Supabase Realtime's protocol over real WebSockets, and fails in every way that has been observed. */
export class RealtimeDouble {
  /** The error that joins are answered with. */
  refuseJoins: string | null = null;
  /** The error of a system message that follows a successful join; no event comes then. */
  systemError: string | null = null;
  /** Answers nothing, not even heartbeats. */
  mute = false;
  /** Joins succeed but replication isn't attached: no event is sent until `attach()`. */
  detached = false;
  /** Events carry `errors` and no values. */
  emptyEvents = false;
  /** Events are lost silently, as above a project's rate limit. */
  loseEvents = false;
  /** How many times each event is sent. */
  copies = 1;
  /** Events are held until `release()`. */
  holdEvents = false;
  /** Refuses WebSockets. */
  refuseSockets = false;
  /** The number of joins so far. */
  joins = 0;
  readonly joinPayloads: unknown[] = [];

  readonly #server = new WebSocketServer({ noServer: true });
  readonly #channels = new Set<Channel>();
  readonly #held: Row[] = [];

  constructor(
    private readonly http: Server,
    private readonly keys: { publicKey: string },
  ) {
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
    this.refuseJoins = null;
    this.systemError = null;
    this.mute = false;
    this.detached = false;
    this.emptyEvents = false;
    this.loseEvents = false;
    this.copies = 1;
    this.holdEvents = false;
    this.refuseSockets = false;
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

  /** Attaches replication. */
  attach(): void {
    this.detached = false;
    for (const channel of this.#channels) this.#system(channel, 'ok', 'Subscribed to PostgreSQL');
  }

  /** Terminates every socket without a closing handshake. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  /** Ends every channel with `phx_close`, which is final. */
  closeChannels(): void {
    this.#end('phx_close');
  }

  /** Ends every channel with `phx_error`, after which a client joins again. */
  breakChannels(): void {
    this.#end('phx_error');
  }

  #end(event: string): void {
    for (const channel of this.#channels) {
      this.#channels.delete(channel);
      send(channel.socket, [channel.joinRef, channel.joinRef, channel.topic, event, {}]);
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://double');
    const isKnown =
      url.pathname === '/realtime/v1/websocket' && url.searchParams.get('apikey') === this.keys.publicKey;
    if (!isKnown || this.refuseSockets || !this.http.listening) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      opened.on('message', (data) => this.#receive(opened, JSON.parse(String(data))));
      opened.on('close', () => {
        for (const channel of this.#channels) if (channel.socket === opened) this.#channels.delete(channel);
      });
    });
  }

  #receive(socket: WebSocket, [joinRef, ref, topic, event, payload]: Frame): void {
    if (this.mute) return;
    const reply = (status: string, response: unknown) =>
      send(socket, [joinRef, ref, topic, 'phx_reply', { status, response }]);
    if (event === 'heartbeat') reply('ok', {});
    if (event === 'phx_join') this.#join({ socket, joinRef: joinRef ?? '', topic }, payload, reply);
    if (event === 'phx_leave') {
      for (const channel of this.#channels) {
        if (channel.socket === socket && channel.topic === topic) this.#channels.delete(channel);
      }
      reply('ok', {});
      send(socket, [joinRef, joinRef, topic, 'phx_close', {}]);
    }
  }

  #join(
    joined: Omit<Channel, 'bindingId'>,
    payload: unknown,
    reply: (status: string, response: unknown) => void,
  ): void {
    this.joins++;
    this.joinPayloads.push(payload);
    if (this.refuseJoins) {
      reply('error', { reason: this.refuseJoins });
      return;
    }
    const { postgres_changes: asked } = (payload as { config: { postgres_changes: object[] } }).config;
    const channel = { ...joined, bindingId: 84_217_563 };
    reply('ok', { postgres_changes: asked.map((binding) => ({ id: channel.bindingId, ...binding })) });
    this.#channels.add(channel);
    if (this.systemError) this.#system(channel, 'error', this.systemError);
    else if (!this.detached) this.#system(channel, 'ok', 'Subscribed to PostgreSQL');
  }

  #system({ socket, joinRef, topic }: Channel, status: string, message: string): void {
    const channel = topic.replace('realtime:', '');
    const payload = { message, status, extension: 'postgres_changes', channel };
    send(socket, [joinRef, null, topic, 'system', payload]);
  }

  #announceTo({ socket, topic, bindingId }: Channel, row: Row): void {
    if (this.detached || this.loseEvents || this.mute || this.systemError) return;
    const data = {
      schema: 'public',
      table: 'data',
      commit_timestamp: new Date().toISOString(),
      type: 'INSERT',
      errors: this.emptyEvents ? ['Error 401: Unauthorized'] : null,
      columns: this.emptyEvents ? [] : COLUMNS,
      record: this.emptyEvents
        ? {}
        : { id: row.id, created_at: formatTime(row.micros, 'hosted'), co2: row.co2, voc: row.voc },
    };
    for (let i = 0; i < this.copies; i++) {
      send(socket, [null, null, topic, 'postgres_changes', { ids: [bindingId], data }]);
    }
  }
}

const COLUMNS = [
  { name: 'id', type: 'int8' },
  { name: 'created_at', type: 'timestamptz' },
  { name: 'co2', type: 'numeric' },
  { name: 'voc', type: 'numeric' },
];

function send(socket: WebSocket, frame: Frame): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
}
