import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventSourceFeed } from '../../../app/live/browser/create-live-feed';
import type { FeedListener } from '../../../app/live/browser/live-feed';
import { reading } from '../../support/readings/readings';

class FakeWorker {
  static latest: FakeWorker;
  onerror: (() => void) | null = null;
  port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: vi.fn(),
    close: vi.fn(),
  };
  constructor() {
    FakeWorker.latest = this;
  }
}

class FakeEventSource {
  addEventListener = vi.fn();
  static opened: FakeEventSource[] = [];
  close = vi.fn();
  constructor() {
    FakeEventSource.opened.push(this);
  }
}

const listener = {
  onInsert: vi.fn(),
  onConnected: vi.fn(),
  onDisconnected: vi.fn(),
} satisfies FeedListener;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  FakeEventSource.opened = [];
  vi.stubGlobal('SharedWorker', FakeWorker);
  vi.stubGlobal('EventSource', FakeEventSource);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('joins the shared worker, passes its messages on and leaves', () => {
  const stop = createEventSourceFeed().subscribe(listener);
  const { port } = FakeWorker.latest;
  port.onmessage?.({ data: { call: 'onConnected' } });
  port.onmessage?.({ data: { call: 'onInsert', argument: reading(1) } });
  expect(listener.onConnected).toHaveBeenCalledOnce();
  expect(listener.onInsert).toHaveBeenCalledExactlyOnceWith(reading(1));
  stop();
  expect(port.postMessage.mock.calls).toEqual([['join'], ['leave']]);
  expect(port.close).toHaveBeenCalled();
  expect(FakeEventSource.opened).toEqual([]);
});

test('opens its own stream if the script of the worker fails to load, and closes it', () => {
  const stop = createEventSourceFeed().subscribe(listener);
  FakeWorker.latest.onerror?.();
  // A second error must not open a second stream.
  FakeWorker.latest.onerror?.();
  expect(FakeEventSource.opened).toHaveLength(1);
  stop();
  expect(FakeEventSource.opened[0]?.close).toHaveBeenCalled();
});

test('opens no stream if the script of the worker fails to load after the page has stopped', () => {
  createEventSourceFeed().subscribe(listener)();
  FakeWorker.latest.onerror?.();
  expect(FakeEventSource.opened).toEqual([]);
});

test('opens its own stream in a browser without shared workers', () => {
  vi.stubGlobal('SharedWorker', undefined);
  createEventSourceFeed().subscribe(listener);
  expect(FakeEventSource.opened).toHaveLength(1);
});
