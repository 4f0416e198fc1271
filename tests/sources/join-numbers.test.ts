import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Refusal } from '../../app/http/answer';
import { type JoinedReading, joinNumbers, type SentNumber } from '../../app/sources/join-numbers.server';

const AWAY: Refusal = { status: 503, detail: 'The store is away.' };

let posted: JoinedReading[];
let refusal: Refusal | null;
let numbers: ReturnType<typeof joinNumbers>;

/** Returns a number whose name is that of its metric. */
const sent = (number: Omit<SentNumber, 'name'>): SentNumber => ({ ...number, name: number.field });

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 10) });
  posted = [];
  refusal = null;
  numbers = joinNumbers(async (reading) => {
    if (!refusal) posted.push(reading);
    return refusal;
  });
});

afterEach(() => {
  vi.useRealTimers();
});

test('joins the numbers of 5 s into one reading at the time of the first, with null for missing CO2 and VOC', async () => {
  numbers.add(sent({ sensor: 'kitchen', field: 'co2', value: 612 }));
  await vi.advanceTimersByTimeAsync(4000);
  numbers.add(sent({ sensor: 'kitchen', field: 'temperature', value: 21 }));
  numbers.add(sent({ sensor: 'hall', field: 'co2', value: 500 }));
  await vi.advanceTimersByTimeAsync(5000);
  const created_at = '2026-01-02T10:00:00.000Z';
  expect(posted).toEqual([
    { sensor: 'kitchen', created_at, co2: 612, voc: null, temperature: 21 },
    { sensor: 'hall', created_at: '2026-01-02T10:00:04.000Z', co2: 500, voc: null },
  ]);
});

test('while the clock is not set, readings have no time, and get that of their first number afterwards', async () => {
  let isClockSet = false;
  const post = vi.fn(async ({ created_at }: JoinedReading) => (created_at === undefined ? AWAY : null));
  numbers = joinNumbers(post, () => isClockSet);
  vi.setSystemTime(20_000);
  numbers.add(sent({ sensor: 'kitchen', field: 'co2', value: 612 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(post.mock.calls.length).toBeGreaterThan(1);
  vi.setSystemTime(Date.UTC(2026, 0, 2, 10));
  isClockSet = true;
  await vi.advanceTimersByTimeAsync(10_000);
  const created_at = '2026-01-02T09:59:00.000Z';
  expect(post).toHaveBeenLastCalledWith({ sensor: 'kitchen', created_at, co2: 612, voc: null });
});

test('a repeated metric starts the next reading, and a stop stores the open ones', async () => {
  numbers.add(sent({ sensor: 'kitchen', field: 'co2', value: 612 }));
  await vi.advanceTimersByTimeAsync(1000);
  numbers.add(sent({ sensor: 'kitchen', field: 'co2', value: 613 }));
  await numbers.stop();
  expect(posted.map(({ co2 }) => co2)).toEqual([612, 613]);
});

test('up to 1,000 readings wait for an unavailable store, which is retried every 5 s', async () => {
  const post = vi.fn(async () => refusal);
  numbers = joinNumbers(post);
  refusal = AWAY;
  for (let n = 0; n < 1500; n += 1) {
    numbers.add(sent({ sensor: 'kitchen', field: 'co2', value: n }));
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(5000);
  expect(post.mock.calls.length).toBeLessThanOrEqual(5);
  refusal = null;
  post.mockClear();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(post).toHaveBeenCalledTimes(1000);
  expect(post).toHaveBeenLastCalledWith(expect.objectContaining({ co2: 1499 }));
});

test('an unexpected error loses one reading, and the number of open readings is limited', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const post = vi.fn(async () => null).mockRejectedValueOnce(new Error('unexpected'));
  numbers = joinNumbers(post);
  for (let n = 0; n < 1002; n += 1) numbers.add(sent({ sensor: `s${n}`, field: 'co2', value: n }));
  await vi.advanceTimersByTimeAsync(0);
  expect(post).toHaveBeenCalledTimes(2);
  expect(print).toHaveBeenCalledTimes(1);
  await numbers.stop();
  print.mockRestore();
});

test('the first of two sensors of a metric counts, until it has sent nothing for ten minutes', async () => {
  const add = (name: string, value: number) =>
    numbers.add({ sensor: 'kitchen', name, field: 'temperature', value });
  expect(add('bme280_temperature', 21)).toBe(null);
  expect(add('scd41_temperature', 24)).toBe('bme280_temperature');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(add('scd41_temperature', 24)).toBe('bme280_temperature');
  expect(add('bme280_temperature', 22)).toBe(null);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(add('scd41_temperature', 25)).toBe(null);
  await numbers.stop();
  expect(posted.map(({ temperature }) => temperature)).toEqual([21, 22, 25]);
});
