// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followReadings } from '../../../app/live/browser/follow-readings';
import type { FeedListener, LiveFeed } from '../../../app/live/browser/live-feed';
import type { Reading } from '../../../app/readings/reading';
import { reading } from '../../support/readings';

/** A feed that a test speaks for, and a server that answers with what the test stored since. */
function setUp() {
  const listeners: FeedListener[] = [];
  const missed: Reading[] = [];
  const feed: LiveFeed = {
    overlap: 0,
    subscribe(listener) {
      listeners.push(listener);
      return () => {};
    },
  };
  vi.stubGlobal('fetch', async () => Response.json(missed.splice(0)));
  const stop = followReadings(feed, {
    missing: () => ({ limit: 10, after: 0, isFullHistory: false }),
    onInsert: () => {},
    onCaughtUp: () => {},
    onLive: () => {},
    onDisconnected: () => {},
  });
  return { listeners, missed, stop };
}

let stopFollowing = () => {};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  stopFollowing();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a feed that was quiet while readings were stored is dead, and is subscribed to anew', async () => {
  const { listeners, missed, stop } = setUp();
  stopFollowing = stop;
  listeners[0]?.onConnected();
  await vi.advanceTimersByTimeAsync(0);
  missed.push(reading(7));
  await vi.advanceTimersByTimeAsync(45_000);
  expect(listeners).toHaveLength(2);
});

test('a feed that was quiet because nothing was stored stays', async () => {
  const { listeners, stop } = setUp();
  stopFollowing = stop;
  listeners[0]?.onConnected();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(listeners).toHaveLength(1);
});

test('readings found when the feed connects are what was missed before, and the feed stays', async () => {
  const { listeners, missed, stop } = setUp();
  stopFollowing = stop;
  missed.push(reading(7));
  listeners[0]?.onConnected();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(listeners).toHaveLength(1);
});
