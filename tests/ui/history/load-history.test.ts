// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HistoryAnswer } from '../../../app/readings/history/history-answer';
import {
  type HistoryLoader,
  loadHistory,
  type ShownHistory,
  type WantedHistory,
} from '../../../app/ui/history/load-history';
import { reading } from '../../support/readings/readings';

const START = Date.parse('2026-11-21T10:00:00Z');
const MINUTE_MS = 60_000;

/** A request that the test answers. */
interface Asked {
  from: string | null;
  to: string | null;
  sensor: string | null;
  cache?: RequestCache;
  signal: AbortSignal;
  answer(...minutes: number[]): Promise<void>;
  fail(): Promise<void>;
}

let asked: Asked[];
let shown: ShownHistory | undefined;
let loader: HistoryLoader;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  shown = undefined;
  vi.stubGlobal(
    'fetch',
    (address: string, { cache, signal }: { cache: RequestCache; signal: AbortSignal }) => {
      const query = new URLSearchParams(address.split('?')[1]);
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        const settle = async (act: () => void) => {
          act();
          await vi.advanceTimersByTimeAsync(0);
        };
        asked.push({
          from: query.get('from'),
          to: query.get('to'),
          sensor: query.get('sensor'),
          cache,
          signal,
          answer: (...minutes) => settle(() => resolve(Response.json(answerOf(...minutes)))),
          fail: () => settle(() => reject(new TypeError('fetch failed'))),
        });
      });
    },
  );
  loader = loadHistory((next) => {
    shown = next;
  });
});

afterEach(() => {
  loader.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Returns an answer with a step at each of these minutes. */
function answerOf(...minutes: number[]): HistoryAnswer {
  const steps = minutes.map((minute) => ({
    start: new Date(START + minute * MINUTE_MS).toISOString(),
    readings: 1,
    co2: null,
    voc: null,
  }));
  return { step_seconds: 60, steps };
}

/** Requests one hour in steps of one minute, starting `minutes` after `START`. */
function want(minutes = 0, more: Partial<WantedHistory> = {}): void {
  const from = START + minutes * MINUTE_MS;
  const span = { from, to: from + 60 * MINUTE_MS };
  loader.want({ sensor: 'Kitchen', span, before: null, points: 60, isMoving: false, ...more });
}

/** The shown steps, in minutes after `START`. */
const minutes = () => shown?.answer?.steps.map(({ start }) => (Date.parse(start) - START) / MINUTE_MS);

const last = () => asked.at(-1) as Asked;

function arrive(minute: number, sensor = 'Kitchen'): void {
  const created_at = new Date(START + minute * MINUTE_MS).toISOString();
  loader.arrived([reading(1, { created_at, sensor })]);
}

test('fetches the whole steps of a span, plus one on each side', async () => {
  want();
  expect(asked).toMatchObject([
    { from: '2026-11-21T09:59:00Z', to: '2026-11-21T11:01:00Z', sensor: 'Kitchen' },
  ]);
  expect(shown).toBeUndefined();
  await last().answer(1, 2);
  expect(shown).toMatchObject({ span: { from: START }, isLoaded: true, problem: null });
  expect(minutes()).toEqual([1, 2]);
});

test('keeps the previous span until the next one has loaded', async () => {
  want();
  await last().answer(1);
  want(60);
  expect(shown?.span.from).toBe(START);
  await last().answer(61);
  expect(shown?.span.from).toBe(START + 60 * MINUTE_MS);
  expect(minutes()).toEqual([61]);
});

test('shows a new span without steps if loading takes long', async () => {
  want();
  await last().answer(1);
  want(60);
  await vi.advanceTimersByTimeAsync(500);
  expect(shown).toMatchObject({ span: { from: START + 60 * MINUTE_MS }, isLoaded: false });
  expect(minutes()).toEqual([1]);
});

test('clears the steps of another sensor if loading takes long', async () => {
  want();
  await last().answer(1);
  want(0, { sensor: 'Bedroom' });
  await vi.advanceTimersByTimeAsync(500);
  expect(shown?.answer).toBeNull();
});

test('ignores an answer that arrives after a newer request', async () => {
  want();
  const [first] = asked;
  want(60);
  expect(first?.signal.aborted).toBe(true);
  await last().answer(61);
  await first?.answer(1);
  expect(minutes()).toEqual([61]);
});

test('fetches nothing for a span that is already loaded', async () => {
  want();
  await last().answer(1);
  want();
  expect(asked).toHaveLength(1);
});

describe('while the view moves', () => {
  beforeEach(async () => {
    want();
    await last().answer(1);
  });

  test('shows the new position at once, and fetches at intervals, with a margin', async () => {
    for (let minute = 1; minute <= 20; minute++) {
      want(minute, { isMoving: true });
      expect(shown?.span.from).toBe(START + minute * MINUTE_MS);
      await vi.advanceTimersByTimeAsync(16);
    }
    expect(asked).toHaveLength(2);
    await last().answer(-20, 50);
    await vi.advanceTimersByTimeAsync(200);
    // The margin covers the view.
    expect(asked).toHaveLength(2);
    expect(minutes()).toEqual([-20, 50]);
    want(20);
    expect(asked).toHaveLength(2);
    expect(shown?.isLoaded).toBe(true);
  });

  test('does not repeat a request that covers the view at rest', async () => {
    want(5, { isMoving: true });
    await vi.advanceTimersByTimeAsync(200);
    want(6);
    expect(asked).toHaveLength(2);
    await last().answer(7);
    expect(shown?.isLoaded).toBe(true);
  });

  test('fetches again if the movement made an answer obsolete', async () => {
    want(5, { isMoving: true });
    await vi.advanceTimersByTimeAsync(200);
    want(500, { isMoving: true });
    await last().answer(7);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toHaveLength(3);
  });
});

describe('a comparison', () => {
  beforeEach(() => {
    want(0, { before: 'day' });
  });

  test('is fetched for the earlier period, with the same steps', async () => {
    expect(asked.map(({ from }) => from)).toEqual(['2026-11-21T09:59:00Z', '2026-11-20T09:59:00Z']);
    await asked[0]?.answer(1);
    expect(shown).toBeUndefined();
    await asked[1]?.answer(2);
    expect(shown?.compared).toMatchObject({ unit: 'day', answer: { steps: [{}] } });
  });

  test('can be switched off', async () => {
    await asked[0]?.answer(1);
    await asked[1]?.answer(2);
    want();
    await last().answer(1);
    expect(shown?.compared).toBeNull();
  });
});

describe('new readings', () => {
  beforeEach(async () => {
    want();
    await last().answer(1, 2, 30);
  });

  test('are fetched from their step on, immediately after a pause and then every two seconds', async () => {
    await vi.advanceTimersByTimeAsync(2000);
    arrive(30.5);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(2);
    const tail = { from: '2026-11-21T10:30:00Z', to: '2026-11-21T11:01:00Z', cache: 'no-cache' };
    expect(last()).toMatchObject(tail);
    await last().answer(30, 31);
    expect(minutes()).toEqual([1, 2, 30, 31]);
    for (let i = 0; i < 10; i++) {
      arrive(32);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(3);
  });

  test('are fetched from the oldest one on', async () => {
    arrive(31);
    arrive(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(last().from).toBe('2026-11-21T10:02:00Z');
  });

  test('are fetched again if they arrive during a request', async () => {
    await vi.advanceTimersByTimeAsync(2000);
    arrive(30);
    await vi.advanceTimersByTimeAsync(0);
    arrive(31);
    await last().answer(30);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveLength(3);
    expect(last().from).toBe('2026-11-21T10:31:00Z');
  });

  test('are fetched with the next span if it replaces their request', async () => {
    await vi.advanceTimersByTimeAsync(2000);
    arrive(30);
    await vi.advanceTimersByTimeAsync(0);
    want(30);
    expect(last().cache).toBe('no-cache');
  });

  test('are fetched as a whole if their times are unknown', async () => {
    loader.arrived(null);
    await vi.advanceTimersByTimeAsync(2000);
    expect(last()).toMatchObject({ from: '2026-11-21T09:59:00Z', cache: 'no-cache' });
  });

  test('are ignored if they are from another sensor or outside the view', async () => {
    arrive(30, 'Bedroom');
    arrive(61);
    arrive(-2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(1);
  });
});

describe('a failed request', () => {
  beforeEach(async () => {
    want();
    await last().answer(1);
  });

  test('keeps the loaded steps, reports the error and retries', async () => {
    want(60);
    await last().fail();
    expect(shown).toMatchObject({ isLoaded: false, problem: "The server can't be reached." });
    expect(minutes()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(3000);
    await last().answer(61);
    expect(shown).toMatchObject({ isLoaded: true, problem: null });
    expect(minutes()).toEqual([61]);
  });

  test('keeps readings that have arrived', async () => {
    arrive(30);
    await vi.advanceTimersByTimeAsync(2000);
    await last().fail();
    expect(minutes()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(3000);
    expect(last().from).toBe('2026-11-21T10:30:00Z');
    await last().answer(30);
    expect(shown?.problem).toBeNull();
    expect(minutes()).toEqual([1, 30]);
  });
});

test('names the sensor of the shown history while another one loads', async () => {
  want();
  await last().answer(1);
  want(0, { sensor: 'Bedroom' });
  expect([shown?.sensor, minutes()]).toEqual(['Kitchen', [1]]);
  await vi.advanceTimersByTimeAsync(400);
  expect([shown?.sensor, minutes()]).toEqual(['Bedroom', undefined]);
  await last().answer(2);
  expect([shown?.sensor, minutes()]).toEqual(['Bedroom', [2]]);
});
