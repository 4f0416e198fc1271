import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useArrivals } from '../../../../app/ui/history/load/requests';
import { useAnswer } from '../../../../app/ui/history/load/use-answers';
import { reading } from '../../../support/readings/readings';

const QUESTION = { address: '/api/summary', sensor: 'Kitchen', known: null };

/** The server's answer; null while it can't be reached. */
let answer: number | null;
let asked: number;

beforeEach(() => {
  vi.useFakeTimers();
  [answer, asked] = [1, 0];
  vi.stubGlobal('fetch', async () => {
    asked++;
    if (answer === null) throw new TypeError('fetch failed');
    return Response.json(answer);
  });
  return () => vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Asks the question. The returned function simulates an arriving reading. */
async function ask() {
  const { result } = renderHook(() => {
    const arrivals = useArrivals();
    return { arrivals, shown: useAnswer<number, null>(QUESTION, arrivals) };
  });
  await pass(0);
  return {
    shown: () => [result.current.shown[0]?.answer ?? null, result.current.shown[1]],
    arrive: () => act(() => result.current.arrivals.publish([reading(1, { sensor: 'Kitchen' })])),
  };
}

test('asks again 15 s after a request if readings arrive', async () => {
  const { shown, arrive } = await ask();
  expect(shown()).toEqual([1, null]);
  answer = 2;
  await pass(3000);
  arrive();
  await pass(11_999);
  expect([asked, shown()]).toEqual([1, [1, null]]);
  await pass(1);
  expect([asked, shown()]).toEqual([2, [2, null]]);
});

test('retries 3 s after a failure, even while readings arrive', async () => {
  answer = null;
  const { shown, arrive } = await ask();
  expect(shown()).toEqual([null, "The server can't be reached."]);
  answer = 2;
  for (let second = 0; second < 2; second++) {
    await pass(1000);
    arrive();
  }
  await pass(999);
  expect(asked).toBe(1);
  await pass(1);
  expect(shown()).toEqual([2, null]);
});
