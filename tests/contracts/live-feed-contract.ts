import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { until } from '../support/until';

/** A call of a listener. */
export interface Call {
  method: 'onInsert' | 'onConnected' | 'onDisconnected';
  reading?: Reading | null;
}

export interface Subscription {
  /** The calls of the listener so far, in order. */
  calls(): Promise<Call[]>;
  stop(): Promise<void>;
}

/** A `LiveFeed` under test, in any environment. */
export interface SubscribableFeed {
  /** The number of `onConnected` calls until no insert is missed: Realtime's first call comes too early. */
  connectedCalls: number;
  subscribe(): Promise<Subscription>;
  /** Subscribes, stops and subscribes again in one event-loop turn, as React's strict mode does. */
  subscribeTwice(): Promise<Subscription>;
}

/** A feed, and the store whose inserts it delivers. */
export interface FeedUnderTest extends SubscribableFeed {
  /** Stores a reading and returns it as the API does. */
  insert(): Promise<Reading>;
  /** Stops and restarts the other end; null if a test can't. */
  outage: { begin(): Promise<void>; end(): Promise<void> } | null;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

export function liveFeedContract(open: () => Promise<FeedUnderTest>): void {
  let feed: FeedUnderTest;
  let subscription: Subscription;

  beforeAll(async () => {
    feed = await open();
  });

  afterEach(() => subscription?.stop());

  afterAll(() => feed.close());

  const callsOf = (method: Call['method'], least = 1) =>
    until(async () => {
      const calls = (await subscription.calls()).filter((call) => call.method === method);
      return calls.length >= least && calls;
    }, PATIENCE_MS);

  const delivered = async ({ id }: Reading) =>
    until(async () => (await subscription.calls()).some(({ reading }) => reading?.id === id), PATIENCE_MS);

  test('connects, and then delivers each insert as the API returns it', async () => {
    subscription = await feed.subscribe();
    await callsOf('onConnected', feed.connectedCalls);
    const stored = [await feed.insert(), await feed.insert()];
    const calls = await callsOf('onInsert', 2);
    expect(calls.map(({ reading }) => reading)).toEqual(stored);
  });

  test('a stopped listener gets no more calls, and the next one does', async () => {
    const first = await feed.subscribe();
    subscription = first;
    await callsOf('onConnected', feed.connectedCalls);
    await first.stop();
    const before = await first.calls();
    subscription = await feed.subscribe();
    await callsOf('onConnected', feed.connectedCalls);
    await delivered(await feed.insert());
    expect(await first.calls()).toEqual(before);
  });

  test('delivers an insert once after subscribing twice in one event-loop turn', async () => {
    subscription = await feed.subscribeTwice();
    await callsOf('onConnected', feed.connectedCalls);
    const stored = [await feed.insert(), await feed.insert()];
    await delivered(stored[1] as Reading);
    expect((await callsOf('onInsert', 2)).map(({ reading }) => reading)).toEqual(stored);
  });

  test('reports a lost connection and reconnects', async ({ skip }) => {
    if (!feed.outage) return skip("the other end can't be taken down");
    subscription = await feed.subscribe();
    const before = (await callsOf('onConnected', feed.connectedCalls)).length;
    await feed.outage.begin();
    await callsOf('onDisconnected');
    await feed.outage.end();
    await callsOf('onConnected', before + feed.connectedCalls);
    const last = async () =>
      (await subscription.calls()).filter(({ method }) => method !== 'onInsert').at(-1);
    await until(async () => (await last())?.method === 'onConnected', PATIENCE_MS);
    await delivered(await feed.insert());
  });

  test('reports that nothing answers at first, and connects once something does', async ({ skip }) => {
    if (!feed.outage) return skip("the other end can't be taken down");
    await feed.outage.begin();
    subscription = await feed.subscribe();
    await callsOf('onDisconnected');
    await feed.outage.end();
    await callsOf('onConnected', feed.connectedCalls);
    await delivered(await feed.insert());
  });
}
