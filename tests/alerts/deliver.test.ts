import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DeliveryClock, type RunningDelivery, startDelivery } from '../../app/alerts/deliver.server';
import type { AlertAddress, AlertEvent, SendOutcome } from '../../app/providers/alert-event';
import { alertEvent, changeOf, outboxMessage, watched } from '../support/alerts/alert-changes';
import { MemoryAlertStore } from '../support/alerts/memory-alert-store';

/** A clock that the test moves. */
class ManualClock implements DeliveryClock {
  /** The lengths of all waits, in milliseconds. */
  readonly waits: number[] = [];
  #now: number;
  #sleepers = new Set<{ until: number; wake: () => void }>();

  constructor(start = '2026-03-01T10:00:00.000Z') {
    this.#now = Date.parse(start);
  }

  now = () => this.#now;
  random = () => 0.5;

  wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.waits.push(ms);
      const sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', sleeper.wake);
      if (signal.aborted) sleeper.wake();
    });

  /** Sets the clock back. Timers continue. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const sleeper of this.#sleepers) sleeper.until -= ms;
  }

  /** Moves the clock forward, and lets each timer in between run at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = [...this.#sleepers].sort((a, b) => a.until - b.until)[0];
      if (!next || next.until > end) break;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets all promises settle that don't wait for I/O. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

const OK: SendOutcome = { isDelivered: true, text: 'HTTP 200' };
const BUSY: SendOutcome = { isDelivered: false, text: 'HTTP 500' };
const SECOND = 1000;
const HOUR = 3600 * SECOND;

let clock: ManualClock;
let store: MemoryAlertStore;
let running: RunningDelivery[] = [];
let isQuiet = false;

beforeEach(() => {
  clock = new ManualClock();
  store = new MemoryAlertStore();
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.map((delivery) => delivery.stop()));
  running = [];
  isQuiet = false;
});

/** An address that answers with `answer` and records the id of each event, and its time in seconds. */
class Receiver implements AlertAddress {
  readonly label = 'a receiver';
  readonly got: [string, number][] = [];
  readonly #start = clock.now();

  constructor(
    readonly key: string,
    public answer: (event: AlertEvent, signal: AbortSignal) => SendOutcome | Promise<SendOutcome>,
  ) {}

  send = async (event: AlertEvent, signal: AbortSignal) => {
    this.got.push([event.id, (clock.now() - this.#start) / SECOND]);
    return this.answer(event, signal);
  };

  get ids() {
    return this.got.map(([id]) => id);
  }
}

function start(...addresses: AlertAddress[]): RunningDelivery {
  const delivery = startDelivery(store, addresses, { isQuietAt: () => isQuiet, publicUrl: null }, clock);
  running.push(delivery);
  return delivery;
}

/** Commits messages with the current time. */
function commit(ids: string[], addresses = ['a']): Promise<void> {
  const messages = ids.map((id) => outboxMessage(id, new Date(clock.now()).toISOString(), addresses));
  return store.commit({ cursor: 1, sensors: [], transitions: [], messages });
}

test('delivers the outbox of the start and later commits, in order', async () => {
  const a = new Receiver('a', () => OK);
  await commit(['1', '2']);
  const delivery = start(a);
  await settle();
  expect(a.ids).toEqual(['1', '2']);
  await commit(['3']);
  await settle();
  expect(a.ids).toEqual(['1', '2']);
  delivery.wake();
  await settle();
  expect(a.ids).toEqual(['1', '2', '3']);
  expect(store.attempts.map(({ outcome, answer, retryAt }) => ({ outcome, answer, retryAt }))).toEqual(
    Array(3).fill({ outcome: 'delivered', answer: 'HTTP 200', retryAt: null }),
  );
});

test('loses no wake-up that arrives while the store is queried', async () => {
  const a = new Receiver('a', () => OK);
  const next = store.waiting.bind(store);
  const delivery = start(a);
  await settle();
  vi.spyOn(store, 'waiting').mockImplementationOnce(async (address) => {
    const answer = await next(address);
    await commit(['1']);
    delivery.wake();
    return answer;
  });
  delivery.wake();
  await settle();
  expect(a.ids).toEqual(['1']);
});

test('retries for a day, with delays that grow to an hour and a half, and then sends the next message', async () => {
  const a = new Receiver('a', ({ id }) => (id === '1' ? BUSY : OK));
  await commit(['1', '2']);
  start(a);
  await clock.advance(25 * HOUR);
  const times = a.got.filter(([id]) => id === '1').map(([, seconds]) => seconds);
  // Each delay is a quarter longer, which is the middle of its random range.
  expect(times.slice(0, 5)).toEqual([0, 6.25, 18.75, 43.75, 93.75]);
  const delays = times.slice(1).map((time, i) => time - (times[i] as number));
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays.at(-1)).toBe(4500);
  expect(times.at(-1)).toBeGreaterThan(22 * 3600);
  expect(times.at(-1)).toBeLessThanOrEqual(24 * 3600);
  expect(store.attemptsOf('1', 'a').map(({ outcome }) => outcome)).toEqual([
    ...times.slice(1).map(() => 'retry'),
    'failed',
  ]);
  expect(a.got.at(-1)).toEqual(['2', times.at(-1)]);
});

test('sends a message at least once, even if the server was off for days', async () => {
  const a = new Receiver('a', () => BUSY);
  await commit(['1', '2']);
  await clock.advance(72 * HOUR);
  start(a);
  await settle();
  expect(a.ids).toEqual(['1', '2']);
  expect(store.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
});

test('an address that never answers delays no other', async () => {
  const slow = new Receiver(
    'slow',
    (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(BUSY))),
  );
  const failing = new Receiver('failing', () => BUSY);
  const fast = new Receiver('fast', () => OK);
  await commit(['1', '2', '3'], ['slow', 'failing', 'fast']);
  start(slow, failing, fast);
  await settle();
  expect([slow.ids, failing.ids, fast.ids]).toEqual([['1'], ['1'], ['1', '2', '3']]);
});

test('waits for Retry-After or its own delay, whichever is longer, before the next message too', async () => {
  const a = new Receiver('a', ({ id }) => ({
    ...BUSY,
    isDelivered: false,
    retryAfterSeconds: id === '1' ? 100 : 1,
  }));
  await commit(['1']);
  start(a);
  await clock.advance(99 * SECOND);
  expect(a.got).toEqual([['1', 0]]);
  await clock.advance(2 * SECOND);
  expect(a.got).toEqual([
    ['1', 0],
    ['1', 100],
  ]);
  a.answer = ({ id }) =>
    id === '1' ? { isDelivered: false, text: 'HTTP 429', retryAfterSeconds: 30 * 3600 } : OK;
  await commit(['2']);
  await clock.advance(23 * HOUR);
  expect(a.ids).toEqual(['1', '1', '1']);
  expect(store.attemptsOf('1', 'a').at(-1)).toMatchObject({ outcome: 'failed', answer: 'HTTP 429' });
  await clock.advance(2 * HOUR);
  expect(a.ids).toEqual(['1', '1', '1', '2']);
});

test('makes no attempt in quiet hours, and sends pending messages in order afterwards', async () => {
  const a = new Receiver('a', () => BUSY);
  await commit(['1']);
  start(a);
  await clock.advance(7 * SECOND);
  expect(a.ids).toEqual(['1', '1']);
  isQuiet = true;
  a.answer = () => OK;
  await commit(['2']);
  await clock.advance(9 * HOUR);
  expect(a.ids).toEqual(['1', '1']);
  isQuiet = false;
  await clock.advance(60 * SECOND);
  expect(a.ids).toEqual(['1', '1', '1', '2']);
});

test('a clock that is set back by years delays nothing', async () => {
  const a = new Receiver('a', () => ({ ...BUSY, isDelivered: false }));
  await commit(['1']);
  start(a);
  await settle();
  clock.setBack(3 * 365 * 24 * HOUR);
  await clock.advance(7 * SECOND);
  expect(a.ids).toHaveLength(2);
});

test('keeps its own delay if Retry-After is shorter', async () => {
  const a = new Receiver('a', () => ({ isDelivered: false, text: 'HTTP 429', retryAfterSeconds: 0.5 }));
  await commit(['1']);
  start(a);
  await clock.advance(6 * SECOND);
  expect(a.ids).toHaveLength(1);
  await clock.advance(SECOND);
  expect(a.ids).toHaveLength(2);
});

test('410 ends a message, and the next one is sent', async () => {
  const a = new Receiver('a', ({ id }) =>
    id === '1' ? { isDelivered: false, isPermanent: true, text: 'HTTP 410' } : OK,
  );
  await commit(['1', '2']);
  start(a);
  await settle();
  expect(store.attempts.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
    ['1', 'failed'],
    ['2', 'delivered'],
  ]);
});

test('continues after a restart with the stored delay and number of attempts', async () => {
  const a = new Receiver('a', () => BUSY);
  await commit(['1']);
  const first = start(a);
  await clock.advance(20 * SECOND);
  await first.stop();
  expect(a.got.map(([, seconds]) => seconds)).toEqual([0, 6.25, 18.75]);
  start(a);
  await clock.advance(30 * SECOND);
  expect(a.got.slice(3)).toEqual([['1', 43.75]]);
});

test('stops at once, and leaves an unfinished message for the next start', async () => {
  const a = new Receiver(
    'a',
    (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(BUSY))),
  );
  const waiting = new Receiver('b', () => BUSY);
  const idle = new Receiver('c', () => OK);
  await commit(['1'], ['a', 'b']);
  const delivery = start(a, waiting, idle);
  await settle();
  await delivery.stop();
  expect(store.attemptsOf('1', 'a')).toEqual([]);
  delivery.wake();
  await clock.advance(HOUR);
  expect([a.ids, waiting.ids, idle.ids]).toEqual([['1'], ['1'], []]);
  a.answer = () => OK;
  start(a);
  await settle();
  expect(a.ids).toEqual(['1', '1']);
});

test('sends once if the store fails after a message was read, and continues when it is back', async () => {
  const a = new Receiver('a', () => {
    store.isAvailable = false;
    return OK;
  });
  await commit(['1', '2']);
  start(a);
  await clock.advance(10 * 60 * SECOND);
  expect(a.ids).toEqual(['1']);
  expect(Math.max(...clock.waits)).toBe(60 * SECOND);
  a.answer = () => OK;
  store.isAvailable = true;
  await clock.advance(61 * SECOND);
  expect(a.ids).toEqual(['1', '2']);
  expect(store.attempts).toHaveLength(2);
});

test('sends nothing after another process has taken the lease, until it is woken', async () => {
  const a = new Receiver('a', () => {
    store.isHeldByOther = true;
    return OK;
  });
  await commit(['1', '2']);
  const delivery = start(a);
  await clock.advance(HOUR);
  expect(a.ids).toEqual(['1']);
  store.isHeldByOther = false;
  a.answer = () => OK;
  delivery.wake();
  await settle();
  expect(a.ids).toEqual(['1', '1', '2']);
});

test('logs an unexpected error of the store, and continues', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(store, 'waiting').mockRejectedValueOnce(new TypeError('a fault'));
  const a = new Receiver('a', () => OK);
  await commit(['1']);
  start(a);
  await clock.advance(2 * SECOND);
  expect(log).toHaveBeenCalledOnce();
  expect(a.ids).toEqual(['1']);
  log.mockRestore();
});

test('logs the first failure of an address, messages that are given up, and the recovery, each once', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  log.mockClear();
  const a = new Receiver('a', () => BUSY);
  await commit(['1', '2']);
  const delivery = start(a);
  await clock.advance(60 * SECOND);
  expect([...delivery.nextAttempts()]).toEqual([['a', '2026-03-01T10:01:33.750Z']]);
  a.answer = ({ id }) => (id === '1' ? { ...BUSY, isDelivered: false, isPermanent: true } : OK);
  await clock.advance(60 * SECOND);
  expect([...delivery.nextAttempts()]).toEqual([]);
  expect(log.mock.calls.map(([line]) => line)).toEqual([
    "[airboard] 2026-03-01T10:00:00.000Z notifications: a receiver doesn't accept messages: HTTP 500. The next attempt is at 2026-03-01T10:00:06.250Z.",
    '[airboard] 2026-03-01T10:01:33.750Z notifications: a message to a receiver was given up: HTTP 500',
    '[airboard] 2026-03-01T10:01:33.750Z notifications: a receiver accepts messages again',
  ]);
});

test('serves a hundred addresses without a warning', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => warnings.push(warning);
  process.on('warning', keep);
  const receivers = Array.from({ length: 100 }, (_, i) => new Receiver(`r${i}`, () => OK));
  const delivery = start(...receivers);
  for (let round = 0; round < 20; round++) {
    await commit(
      [`m${round}`],
      receivers.map(({ key }) => key),
    );
    delivery.wake();
    await clock.advance(12 * SECOND);
  }
  expect(receivers.every(({ ids }) => ids.length === 20)).toBe(true);
  expect(warnings).toEqual([]);
  process.off('warning', keep);
});

describe('many sensors at once', () => {
  const sensorsOf = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);
  const published = (receiver: Receiver) =>
    receiver.ids.map((id) => {
      const message = store.messages.find((one) => one.id === id);
      const { title } = JSON.parse(message?.event ?? '') as AlertEvent;
      return title;
    });

  /** Stores a message for each sensor. All are new except the known ones. */
  function poorAir(names: string[], addresses = ['a'], state: AlertEvent['state'] = 'poor'): Promise<void> {
    const messages = names.map((sensor) => {
      const id = `${sensor} ${state} ${clock.now()}`;
      const event = alertEvent({ id, sensor, state, title: `${sensor}: ${state} air` });
      const createdAt = new Date(clock.now()).toISOString();
      return { id, createdAt, transition: null, event: JSON.stringify(event), addresses };
    });
    return store.commit(changeOf({ sensors: names.map((name) => watched(name)), messages }));
  }

  const FLOOD = ['f0: poor air', 'f1: poor air', 'f2: poor air', 'f3: poor air', 'and 2,996 more sensors'];

  test('3,000 sensors send a handful of messages and a summary, and a known sensor comes next', async () => {
    const a = new Receiver('a', () => OK);
    await store.commit(changeOf({ sensors: [watched('Real')] }));
    await poorAir(sensorsOf(3000));
    const delivery = start(a);
    await clock.advance(SECOND);
    expect(published(a)).toEqual(FLOOD);
    await poorAir(['Real']);
    delivery.wake();
    await clock.advance(SECOND);
    expect(published(a)).toEqual([...FLOOD, 'Real: poor air']);
    await clock.advance(10 * 60 * SECOND);
    expect(a.ids).toHaveLength(FLOOD.length + 1);
    const { event = '' } = store.messages.find(({ event }) => event.includes('"summary"')) ?? {};
    expect(JSON.parse(event)).toMatchObject({
      kind: 'summary',
      sensor: '',
      state: 'poor',
      text: 'f4: poor air; f5: poor air; f6: poor air; 2,993 more.',
    });
  });

  test('names the longest-known sensors first, whatever the order of their messages', async () => {
    const a = new Receiver('a', () => OK);
    await store.commit(changeOf({ sensors: ['Kitchen', 'Bedroom'].map((name) => watched(name)) }));
    await poorAir([...sensorsOf(50), 'Bedroom', 'Kitchen']);
    start(a);
    await clock.advance(SECOND);
    expect(published(a).toSorted().slice(0, 3)).toEqual([
      'Bedroom: poor air',
      'Kitchen: poor air',
      'and 48 more sensors',
    ]);
  });

  test('sends the next wave a minute later, and limits each address separately', async () => {
    const [a, b] = [new Receiver('a', () => OK), new Receiver('b', () => OK)];
    const delivery = start(a, b);
    await poorAir(sensorsOf(100), ['a', 'b']);
    delivery.wake();
    await clock.advance(SECOND);
    await poorAir(
      Array.from({ length: 100 }, (_, i) => `second ${i}`),
      ['a', 'b'],
    );
    delivery.wake();
    await clock.advance(58 * SECOND);
    expect(published(a)).toEqual([...FLOOD.slice(0, 4), 'and 96 more sensors']);
    await clock.advance(62 * SECOND);
    expect(published(a).slice(5)).toEqual([
      ...[0, 1, 2, 3].map((i) => `second ${i}: poor air`),
      'and 96 more sensors',
    ]);
    expect(published(b)).toEqual(published(a));
  });

  test('sends up to five sensors at once, and delays more than five a minute to the next minute', async () => {
    const a = new Receiver('a', () => OK);
    const delivery = start(a);
    await poorAir(sensorsOf(5));
    delivery.wake();
    await clock.advance(SECOND);
    expect(a.ids).toHaveLength(5);
    await poorAir(['later']);
    delivery.wake();
    await clock.advance(58 * SECOND);
    expect(a.ids).toHaveLength(5);
    await clock.advance(2 * SECOND);
    expect(published(a).at(-1)).toBe('later: poor air');
  });

  test('skips a message if its sensor has a newer one', async () => {
    const a = new Receiver('a', () => OK);
    await poorAir(['Kitchen']);
    await poorAir(['Kitchen'], ['a'], 'good');
    start(a);
    await clock.advance(SECOND);
    expect(published(a)).toEqual(['Kitchen: good air']);
  });

  test('sends an undelivered summary after a restart, when the quiet hours are over', async () => {
    const a = new Receiver('a', ({ kind }) => (kind === 'summary' ? BUSY : OK));
    await poorAir(sensorsOf(3000));
    const first = start(a);
    await clock.advance(SECOND);
    await first.stop();
    const [summary = ''] = a.ids.slice(-1);
    isQuiet = true;
    a.answer = () => OK;
    start(a);
    await clock.advance(3600 * SECOND);
    isQuiet = false;
    await clock.advance(60 * SECOND);
    expect(published(a)).toEqual([...FLOOD, 'and 2,996 more sensors']);
    expect(store.attemptsOf(summary, 'a').map(({ outcome }) => outcome)).toEqual(['retry', 'delivered']);
  });

  test('an address that recovers gets one summary, not one for each attempt', async () => {
    const a = new Receiver('a', () => BUSY);
    const delivery = start(a);
    for (let hour = 0; hour < 6; hour++) {
      await poorAir(Array.from({ length: 100 }, (_, i) => `hour ${hour} ${i}`));
      delivery.wake();
      await clock.advance(3600 * SECOND);
    }
    a.answer = () => OK;
    const tried = a.ids.length;
    await clock.advance(10 * 3600 * SECOND);
    const titles = published(a).slice(tried);
    expect(titles.filter((title) => title.startsWith('and ')).length).toBeLessThanOrEqual(2);
    expect(titles.length).toBeLessThan(14);
  });

  test('Alertmanager gets the state of each sensor', async () => {
    const a = Object.assign(new Receiver('a', () => OK), { takesAll: true });
    await poorAir(sensorsOf(40));
    start(a);
    await clock.advance(SECOND);
    expect(published(a)).toEqual(sensorsOf(40).map((name) => `${name}: poor air`));
  });
});
