import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HistoryAnswer } from '../../../../app/readings/history/history-answer';
import type { WantedHistory } from '../../../../app/ui/history/load/fetch-history';
import {
  type HistoryLoader,
  loadHistory,
  type ShownHistory,
} from '../../../../app/ui/history/load/use-history';
import { reading } from '../../../support/readings/readings';

const START = Date.parse('2026-11-21T10:00:00Z');
const MINUTE_MS = 60_000;

/** A request that a test answers. */
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

/** Asks for one hour in steps of a minute, starting `minutes` after `START`. */
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

test('fetches the whole steps of a span, and one more on both sides', async () => {
  want();
  expect(asked).toMatchObject([
    { from: '2026-11-21T09:59:00Z', to: '2026-11-21T11:01:00Z', sensor: 'Kitchen' },
  ]);
  expect(shown).toBeUndefined();
  await last().answer(1, 2);
  expect(shown).toMatchObject({ span: { from: START }, isLoaded: true, problem: null });
  expect(minutes()).toEqual([1, 2]);
});

test('shows the span before until the next one is there, so that the chart does not flash', async () => {
  want();
  await last().answer(1);
  want(60);
  expect(shown?.span.from).toBe(START);
  await last().answer(61);
  expect(shown?.span.from).toBe(START + 60 * MINUTE_MS);
  expect(minutes()).toEqual([61]);
});

test('shows another span without its steps if they take long', async () => {
  want();
  await last().answer(1);
  want(60);
  await vi.advanceTimersByTimeAsync(500);
  expect(shown).toMatchObject({ span: { from: START + 60 * MINUTE_MS }, isLoaded: false });
  expect(minutes()).toEqual([1]);
});

test('shows nothing of another sensor if the steps of the wanted one take long', async () => {
  want();
  await last().answer(1);
  want(0, { sensor: 'Bedroom' });
  await vi.advanceTimersByTimeAsync(500);
  expect(shown?.answer).toBeNull();
});

test('drops an answer that has been overtaken', async () => {
  want();
  const [first] = asked;
  want(60);
  expect(first?.signal.aborted).toBe(true);
  await last().answer(61);
  await first?.answer(1);
  expect(minutes()).toEqual([61]);
});

test('fetches nothing for a span that is there already', async () => {
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

  test('shows where it is at once, and fetches now and then, with a margin', async () => {
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

  test('a request that has what is in view once it rests is not made again', async () => {
    want(5, { isMoving: true });
    await vi.advanceTimersByTimeAsync(200);
    want(6);
    expect(asked).toHaveLength(2);
    await last().answer(7);
    expect(shown?.isLoaded).toBe(true);
  });

  test('fetches again after an answer that has been overtaken by the movement', async () => {
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

  test('is fetched for the time before, with the same steps', async () => {
    expect(asked.map(({ from }) => from)).toEqual(['2026-11-21T09:59:00Z', '2026-11-20T09:59:00Z']);
    await asked[0]?.answer(1);
    expect(shown).toBeUndefined();
    await asked[1]?.answer(2);
    expect(shown?.compared).toMatchObject({ unit: 'day', answer: { steps: [{}] } });
  });

  test('can end', async () => {
    await asked[0]?.answer(1);
    await asked[1]?.answer(2);
    want();
    await last().answer(1);
    expect(shown?.compared).toBeNull();
  });
});

describe('readings that arrive', () => {
  beforeEach(async () => {
    want();
    await last().answer(1, 2, 30);
  });

  test('are fetched from their step on: at once after a pause, and then every two seconds', async () => {
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

  test('are fetched from the oldest of them on', async () => {
    arrive(31);
    arrive(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(last().from).toBe('2026-11-21T10:02:00Z');
  });

  test('are fetched again if they come during a request', async () => {
    await vi.advanceTimersByTimeAsync(2000);
    arrive(30);
    await vi.advanceTimersByTimeAsync(0);
    arrive(31);
    await last().answer(30);
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked).toHaveLength(3);
    expect(last().from).toBe('2026-11-21T10:31:00Z');
  });

  test('are not lost when their request gives way to another span', async () => {
    await vi.advanceTimersByTimeAsync(2000);
    arrive(30);
    await vi.advanceTimersByTimeAsync(0);
    want(30);
    expect(last().cache).toBe('no-cache');
  });

  test('are all fetched if they are not known', async () => {
    loader.arrived(null);
    await vi.advanceTimersByTimeAsync(2000);
    expect(last()).toMatchObject({ from: '2026-11-21T09:59:00Z', cache: 'no-cache' });
  });

  test('do not matter from another sensor, or outside of the view', async () => {
    arrive(30, 'Bedroom');
    arrive(61);
    arrive(-2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(1);
  });
});

describe('a request that fails', () => {
  beforeEach(async () => {
    want();
    await last().answer(1);
  });

  test('leaves what is there, says so and is repeated', async () => {
    want(60);
    await last().fail();
    expect(shown).toMatchObject({ isLoaded: false, problem: "The server can't be reached." });
    expect(minutes()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(3000);
    await last().answer(61);
    expect(shown).toMatchObject({ isLoaded: true, problem: null });
    expect(minutes()).toEqual([61]);
  });

  test('does not lose readings that have arrived', async () => {
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

test('says whose history it shows while that of another sensor loads', async () => {
  want();
  await last().answer(1);
  want(0, { sensor: 'Bedroom' });
  expect([shown?.sensor, minutes()]).toEqual(['Kitchen', [1]]);
  await vi.advanceTimersByTimeAsync(400);
  expect([shown?.sensor, minutes()]).toEqual(['Bedroom', undefined]);
  await last().answer(2);
  expect([shown?.sensor, minutes()]).toEqual(['Bedroom', [2]]);
});
