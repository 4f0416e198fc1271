import { RealtimeClient } from '@supabase/supabase-js';
import { at } from '../../readings/at';
import { readingOf } from '../../store/supabase/reading-row';
import { type FeedListener, HOSTED_LOOKBACK, type LiveFeed } from './live-feed';

const FIRST_PART = 1000;
/** A connection that died silently is noticed after at most two heartbeats. */
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = [500, 1000, 2000, 5000];
/** The delays before a closed or unpublished channel is replaced. */
const REOPEN_MS = [1000, 2000, 5000, 10_000, 30_000];
/**
 * After this long without a connection, the channel and its socket are replaced, even if the library still tries to
 * reconnect.
 */
const RESET_MS = 30_000;
/**
 * After Realtime has reported that it sends no events, the channel is trusted again if this much time passes without
 * another report.
 */
const SILENCE_MS = 8000;
/**
 * Realtime looks for newly published tables at this interval, and may report a subscription before it has found them.
 */
const PUBLICATION_MS = 60_000;

/** The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** One client for each project and page, because a client never removes its listeners from the window. */
interface Project {
  client: RealtimeClient;
  /** Resolves once the client's last socket is closed. Until then, the client silently opens no other socket. */
  closed: Promise<unknown>;
}

const projects = new Map<string, Project>();

/**
 * Creates the hosted store's feed: INSERT events of the table `data` on the channel `public:data`. Supports one
 * subscription at a time.
 */
export function createSupabaseFeed({ url, key }: { url: string; key: string }): LiveFeed {
  return {
    lookback: HOSTED_LOOKBACK,
    firstPart: FIRST_PART,
    deliversEveryInsert: false,
    silentReason:
      'Supabase Realtime is connected but delivers no inserts. The public key may not read the table data, or ' +
      'Realtime has lost its place in the database: apply supabase/migrations, and restart the project if this lasts.',
    subscribe: (listener) => listen(projectAt(url, key), listener),
  };
}

function projectAt(url: string, key: string): Project {
  const id = `${url} ${key}`;
  const known = projects.get(id);
  if (known) return known;
  const client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: key },
    heartbeatIntervalMs: HEARTBEAT_MS,
    // `close` disconnects. Another disconnection, some seconds after the last channel is gone, would end the socket of the next.
    disconnectOnEmptyChannelsAfterMs: NEVER_MS,
    reconnectAfterMs: (tries) => delay(RECONNECT_MS, tries - 1) * (0.75 + Math.random() / 2),
  });
  const project = { client, closed: Promise.resolve() };
  projects.set(id, project);
  return project;
}

function listen(project: Project, listener: FeedListener): () => void {
  const { client } = project;
  let channel: ReturnType<RealtimeClient['channel']> | undefined;
  let attempt = 0;
  let reopened = 0;
  let connectedAt: number | undefined;
  /** True after Realtime says it can't deliver, until something proves otherwise. */
  let isUnpublished = false;
  const timers: { next?: Timer; reset?: Timer } = {};

  async function open(): Promise<void> {
    const own = ++attempt;
    await project.closed;
    if (own !== attempt) return;
    const opened = client.channel('public:data');
    channel = opened;
    const ifCurrent =
      <T extends unknown[]>(handle: (...values: T) => void) =>
      (...values: T) => {
        if (channel === opened) handle(...values);
      };
    opened
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'data' }, ifCurrent(onInsert))
      .on('system', {}, ifCurrent(onSystem))
      .subscribe(ifCurrent(onStatus));
  }

  function close(): void {
    attempt++;
    const removed = channel;
    // Cleared first, because removing a channel reports CLOSED at once, which isn't a failure here.
    channel = undefined;
    if (removed) client.removeChannel(removed);
    // Drops unsent messages, which the next socket doesn't need.
    client.sendBuffer.length = 0;
    project.closed = Promise.all([project.closed, client.disconnect()]);
  }

  function replace(): void {
    // Both timers may be due at once, and the second one would close what the first one opened.
    stopTimers();
    close();
    open();
  }

  function replaceLater(): void {
    schedule(replace, delay(REOPEN_MS, reopened++));
  }

  function schedule(act: () => void, ms: number): void {
    clearTimeout(timers.next);
    timers.next = setTimeout(act, ms);
  }

  function stopTimers(): void {
    for (const timer of Object.values(timers)) clearTimeout(timer);
    timers.reset = undefined;
  }

  function connected(): void {
    stopTimers();
    connectedAt = Date.now();
    isUnpublished = false;
    listener.onConnected();
  }

  function disconnected(reason: string): void {
    timers.reset ??= setTimeout(() => {
      timers.reset = undefined;
      replace();
    }, RESET_MS);
    // A channel that lasted long enough resets the back-off.
    if (connectedAt !== undefined && Date.now() - connectedAt > RESET_MS) reopened = 0;
    connectedAt = undefined;
    listener.onDisconnected(reason);
  }

  function onStatus(status: string, error?: Error): void {
    // SUBSCRIBED comes seconds before replication is attached. The later system message calls `connected` again.
    if (status === 'SUBSCRIBED' && isUnpublished) schedule(connected, SILENCE_MS);
    if (status === 'SUBSCRIBED' && !isUnpublished) connected();
    if (status === 'CHANNEL_ERROR') disconnected(describeChannelError(error, client.isConnected()));
    if (status === 'TIMED_OUT') disconnected('Supabase Realtime does not answer.');
    if (status === 'CLOSED') {
      disconnected('Supabase closed the live channel.');
      replaceLater();
    }
  }

  function onSystem(message: { extension?: string; status?: string; message?: string }): void {
    if (message.extension !== 'postgres_changes') return;
    if (message.status === 'ok') isUnpublished ? published() : connected();
    if (message.status !== 'error') return;
    isUnpublished = true;
    disconnected(
      'Supabase sends no live readings. Add the table data to the publication supabase_realtime, as ' +
        `supabase/migrations does. (Supabase says: ${message.message?.slice(0, 80)})`,
    );
    // The server may report this only once, so a new channel checks if it is still true.
    replaceLater();
  }

  /**
   * Called when Realtime has subscribed after an error. The page polls until the first insert, or until events must
   * arrive.
   */
  function published(): void {
    clearTimeout(timers.reset);
    timers.reset = undefined;
    listener.onDisconnected('Supabase is about to send live readings, which can take a minute.');
    schedule(connected, PUBLICATION_MS);
  }

  function onInsert(event: { new: unknown; commit_timestamp: string | null }): void {
    if (isUnpublished) connected();
    // An event without values still means that a row was inserted. The role may lack the permission to select them.
    listener.onInsert(readingOf(event.new), Date.parse(event.commit_timestamp ?? '') || undefined);
  }

  // The socket of an earlier subscription may have died while the page slept.
  close();
  open();
  return () => {
    stopTimers();
    close();
  };
}

type Timer = ReturnType<typeof setTimeout>;

function delay(delaysMs: readonly number[], retry: number): number {
  return at(delaysMs, Math.min(retry, delaysMs.length - 1));
}

/** Advice by the error code at the beginning of the reason for a refused join. */
const ADVICE: [RegExp, string][] = [
  [/RateLimit|TooMany/, "The project's limit is reached: close other pages, or raise it in the dashboard."],
  [/Restarting|Initializing|Starting/, 'This is usually over soon.'],
  [/Database/, "Check the project's database in the dashboard."],
  [/Disabled|Suspended/, 'Enable Realtime in the dashboard.'],
  [/JWT|Token|Unauthorized|key/i, "Compare SUPABASE_PUBLISHABLE_KEY with the project's API keys."],
];

export function describeRefusal(reason: string): string {
  const [, advice = ''] = ADVICE.find(([pattern]) => pattern.test(reason)) ?? [];
  return `Supabase refuses the live channel: ${reason}. ${advice}`.trim();
}

function describeChannelError(error: Error | undefined, isSocketOpen: boolean): string {
  const { reason } = (error?.cause ?? {}) as { reason?: unknown };
  if (isSocketOpen && typeof reason === 'string') return describeRefusal(reason);
  if (isSocketOpen) return 'The live channel was interrupted.';
  // A browser gives no reason for a failed handshake, which a wrong key also causes.
  return (
    "Supabase Realtime can't be reached. If this lasts, the project may be paused, or SUPABASE_PUBLISHABLE_KEY isn't " +
    "one of the project's API keys: check supabase.com/dashboard."
  );
}
