import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { until } from '../support/until';

/** What a listener has been told, in order. */
export interface Told {
  call: 'onInsert' | 'onConnected' | 'onDisconnected';
  reading?: Reading | null;
}

export interface Subscription {
  told(): Promise<Told[]>;
  stop(): Promise<void>;
}

/** A `LiveFeed` under test, wherever it runs, and the store whose inserts it tells of. */
export interface FeedUnderTest {
  overlap: number;
  /** How often it says that it is connected until no insert is missed: Realtime's first word comes too early. */
  signs: number;
  subscribe(): Promise<Subscription>;
  /** Subscribes, stops and subscribes again in one turn, as React's strict mode may. */
  subscribeTwice(): Promise<Subscription>;
  /** Stores a reading, and gives it as the API does. */
  insert(): Promise<Reading>;
  /** The other end can't be reached, and can again; null where a test has no say in that. */
  outage: { begin(): Promise<void>; end(): Promise<void> } | null;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** What every `LiveFeed` does, whatever is behind it. */
export function liveFeedContract(open: () => Promise<FeedUnderTest>): void {
  let feed: FeedUnderTest;
  let subscription: Subscription;

  beforeAll(async () => {
    feed = await open();
  });

  afterEach(() => subscription?.stop());

  afterAll(() => feed.close());

  const told = (call: Told['call'], least = 1) =>
    until(async () => {
      const calls = (await subscription.told()).filter((one) => one.call === call);
      return calls.length >= least && calls;
    }, PATIENCE_MS);

  const inserted = async (reading: Reading) =>
    until(
      async () => (await subscription.told()).some(({ reading: one }) => one?.id === reading.id),
      PATIENCE_MS,
    );

  test('says how far back a row may still appear', () => {
    expect(feed.overlap).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(feed.overlap)).toBe(true);
  });

  test('says that it is connected, and then tells of each insert, as the API gives it', async () => {
    subscription = await feed.subscribe();
    await told('onConnected', feed.signs);
    const stored = [await feed.insert(), await feed.insert()];
    const calls = await told('onInsert', 2);
    expect(calls.map(({ reading }) => reading)).toEqual(stored);
  });

  test('who stops hears nothing more, and who subscribes again hears again', async () => {
    const first = await feed.subscribe();
    subscription = first;
    await told('onConnected', feed.signs);
    await first.stop();
    const heard = await first.told();
    subscription = await feed.subscribe();
    await told('onConnected', feed.signs);
    await inserted(await feed.insert());
    expect(await first.told()).toEqual(heard);
  });

  test('subscribed twice in one turn, an insert is told once', async () => {
    subscription = await feed.subscribeTwice();
    await told('onConnected', feed.signs);
    const stored = [await feed.insert(), await feed.insert()];
    await inserted(stored[1] as Reading);
    expect((await told('onInsert', 2)).map(({ reading }) => reading)).toEqual(stored);
  });

  test('a connection that is lost is told and comes back by itself', async ({ skip }) => {
    if (!feed.outage) return skip('the other end is not ours to take down');
    subscription = await feed.subscribe();
    const before = (await told('onConnected', feed.signs)).length;
    await feed.outage.begin();
    await told('onDisconnected');
    await feed.outage.end();
    await told('onConnected', before + feed.signs);
    const last = async () => (await subscription.told()).filter(({ call }) => call !== 'onInsert').at(-1);
    await until(async () => (await last())?.call === 'onConnected', PATIENCE_MS);
    await inserted(await feed.insert());
  });

  test('where nothing answers at first, it says so and connects once something does', async ({ skip }) => {
    if (!feed.outage) return skip('the other end is not ours to take down');
    await feed.outage.begin();
    subscription = await feed.subscribe();
    await told('onDisconnected');
    await feed.outage.end();
    await told('onConnected', feed.signs);
    await inserted(await feed.insert());
  });
}
