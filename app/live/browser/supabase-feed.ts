import { RealtimeClient } from '@supabase/supabase-js';
import { readingOf } from '../../store/supabase/reading-row';
import type { FeedListener, LiveFeed } from './live-feed';

/**
 * Ids are given before the commit, so a row may appear below newer ones. A transaction of the public key's
 * role lasts at most 3 s, and a free project takes 100 messages a second.
 */
const OVERLAP = 300;
/** A connection that died unseen is noticed after at most two of these. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = [500, 1000, 2000, 5000];
/** How long a channel that was closed, or that can't listen to the table, waits before the next one. */
const REOPEN_MS = [1000, 2000, 5000, 10_000, 30_000];
/** After this long without a connection everything is begun anew, whatever the library is waiting for. */
const RESET_MS = 30_000;
/** A channel that was told that no events come is believed again after this long without being told so. */
const SILENCE_MS = 8000;

/** One a page: a client hangs listeners on the window that it never takes off. */
interface Connection {
  client: RealtimeClient;
  /** Resolves once its last socket is closed: before that it opens no other, and never says so. */
  closed: Promise<unknown>;
}

const connections = new Map<string, Connection>();

/**
 * The hosted store's feed: INSERT events of the table, from the project's channel `public:data`. One
 * subscription at a time.
 */
export function createSupabaseFeed({ url, key }: { url: string; key: string }): LiveFeed {
  return { overlap: OVERLAP, subscribe: (listener) => listen(connectionOf(url, key), listener) };
}

function connectionOf(url: string, key: string): Connection {
  const id = `${url} ${key}`;
  const known = connections.get(id);
  if (known) return known;
  const client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: key },
    heartbeatIntervalMs: HEARTBEAT_MS,
    reconnectAfterMs: (tries) => at(RECONNECT_MS, tries - 1) * (0.75 + Math.random() / 2),
  });
  const connection = { client, closed: Promise.resolve() };
  connections.set(id, connection);
  return connection;
}

function listen(connection: Connection, listener: FeedListener): () => void {
  const { client } = connection;
  let channel: ReturnType<RealtimeClient['channel']> | undefined;
  let attempt = 0;
  let reopened = 0;
  let connectedAt = 0;
  /** A system message said that no events will come: until one comes, or one says otherwise. */
  let isUnpublished = false;
  /** What is to come: a new channel, and everything anew. */
  const timers: { next?: Timer; reset?: Timer } = {};

  async function open(): Promise<void> {
    const own = ++attempt;
    await connection.closed;
    if (own !== attempt) return;
    const opened = client.channel('public:data');
    channel = opened;
    const ifCurrent =
      <T extends unknown[]>(react: (...told: T) => void) =>
      (...told: T) => {
        if (channel === opened) react(...told);
      };
    opened
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'data' }, ifCurrent(hearInsert))
      .on('system', {}, ifCurrent(hearSystem))
      .subscribe(ifCurrent(hearStatus));
  }

  /** Leaves the channel, and the socket with it: the next channel begins with a fresh one. */
  function leave(): void {
    attempt++;
    const left = channel;
    // First forgotten, then left: leaving it reports CLOSED at once, which is no failure.
    channel = undefined;
    if (left) client.removeChannel(left);
    // What could not be sent is of no use to the next socket.
    client.sendBuffer.length = 0;
    connection.closed = Promise.all([connection.closed, client.disconnect()]);
  }

  function reopen(): void {
    leave();
    // A channel that lasted was a good one; else the next one waits longer.
    if (Date.now() - connectedAt > RESET_MS) reopened = 0;
    next(open, at(REOPEN_MS, reopened++));
  }

  function next(act: () => void, ms: number): void {
    clearTimeout(timers.next);
    timers.next = setTimeout(act, ms);
  }

  function connected(): void {
    for (const timer of [timers.next, timers.reset]) clearTimeout(timer);
    timers.reset = undefined;
    connectedAt = Date.now();
    isUnpublished = false;
    listener.onConnected();
  }

  function disconnected(reason: string): void {
    timers.reset ??= setTimeout(() => {
      timers.reset = undefined;
      reopen();
    }, RESET_MS);
    listener.onDisconnected(reason);
  }

  function hearStatus(status: string, error?: Error): void {
    // Said seconds before replication is attached; the system message after it asks to catch up again.
    if (status === 'SUBSCRIBED' && isUnpublished) next(connected, SILENCE_MS);
    if (status === 'SUBSCRIBED' && !isUnpublished) connected();
    if (status === 'CHANNEL_ERROR') disconnected(reasonOf(error, client.isConnected()));
    if (status === 'TIMED_OUT') disconnected('Supabase Realtime does not answer.');
    if (status === 'CLOSED') {
      disconnected('Supabase closed the live channel.');
      reopen();
    }
  }

  function hearSystem(message: { extension?: string; status?: string; message?: string }): void {
    if (message.extension !== 'postgres_changes') return;
    if (message.status === 'ok') connected();
    if (message.status !== 'error') return;
    isUnpublished = true;
    disconnected(
      'Supabase sends no live readings. Add the table data to the publication supabase_realtime: ' +
        `supabase/migrations does it. (It says: ${message.message?.slice(0, 80)})`,
    );
    // The server says it once; a new channel finds out whether it has been mended.
    next(reopen, at(REOPEN_MS, reopened));
  }

  function hearInsert({ new: row }: { new: unknown }): void {
    if (isUnpublished) connected();
    // An event without values (the role may not select them, say) still tells of a row.
    listener.onInsert(readingOf(row));
  }

  // A socket that an earlier subscription left may have died while the page slept.
  leave();
  open();
  return () => {
    for (const timer of Object.values(timers)) clearTimeout(timer);
    leave();
  };
}

type Timer = ReturnType<typeof setTimeout>;

function reasonOf(error: Error | undefined, isSocketOpen: boolean): string {
  const { reason } = (error?.cause ?? {}) as { reason?: unknown };
  if (isSocketOpen && typeof reason === 'string') {
    return `Supabase refuses the live channel: ${reason}. Compare SUPABASE_PUBLISHABLE_KEY with the project’s API keys.`;
  }
  if (isSocketOpen) return 'The live channel broke off.';
  return (
    'Supabase Realtime can’t be reached. If it stays so, the project may be paused or refuse the public key: ' +
    'look at supabase.com/dashboard.'
  );
}

function at(steps: readonly number[], i: number): number {
  return steps[Math.min(i, steps.length - 1)] as number;
}
