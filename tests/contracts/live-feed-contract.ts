import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { until } from '../support/until';

/** A call that a listener received. */
export interface Call {
  method: 'onInsert' | 'onConnected' | 'onDisconnected';
  reading?: Reading | null;
}

export interface Subscription {
  /** The listener's calls so far, in order. */
  calls(): Promise<Call[]>;
  stop(): Promise<void>;
}

/** A `LiveFeed` under test, wherever it runs. */
export interface SubscribableFeed {
  /** How often it calls `onConnected` until no insert is missed: Realtime's first call comes too early. */
  connectedCalls: number;
  subscribe(): Promise<Subscription>;
  /** Subscribes, stops and subscribes again in one turn, as React's strict mode may. */
  subscribeTwice(): Promise<Subscription>;
}

/** A feed and the store whose inserts it delivers. */
export interface FeedUnderTest extends SubscribableFeed {
  /** Stores a reading and returns it as the API does. */
  insert(): Promise<Reading>;
  /** Takes the other end down and up again; null if a test can't. */
  outage: { begin(): Promise<void>; end(): Promise<void> } | null;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** Tests that every `LiveFeed` passes. */
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

  test('connects, and then delivers each insert as the API does', async () => {
    subscription = await feed.subscribe();
    await callsOf('onConnected', feed.connectedCalls);
    const stored = [await feed.insert(), await feed.insert()];
    const calls = await callsOf('onInsert', 2);
    expect(calls.map(({ reading }) => reading)).toEqual(stored);
  });

  test('a listener that stopped gets no more calls, and the next one does', async () => {
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

  test('delivers an insert once after subscribing twice in one turn', async () => {
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
