import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useAnswers } from '../../../app/ui/history/span-answers';
import { useArrivals } from '../../../app/ui/history/use-history';
import { reading } from '../../support/readings/readings';

const FROM = Date.parse('2026-01-02T00:00:00Z');

/** The number in the server's answers; null while it can't be reached. */
let answer: number | null;
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  [answer, asked] = [1, []];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    if (answer === null) throw new TypeError('fetch failed');
    return Response.json(answer);
  });
  return () => vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Asks for the numbers of a day. */
async function ask() {
  const { result, rerender } = renderHook(
    ({ from }) => {
      const arrivals = useArrivals();
      return { arrivals, answers: useAnswers('Kitchen', { from, to: from + 86_400_000 }, FROM, arrivals) };
    },
    { initialProps: { from: FROM } },
  );
  await pass(0);
  return {
    shown: () => {
      const { summary, pattern, lastPattern, problem } = result.current.answers;
      return [summary, pattern, lastPattern].map((one) => one?.answer ?? null).concat(problem as never);
    },
    arrive: (sensor = 'Kitchen') => act(() => result.current.arrivals.publish([reading(1, { sensor })])),
    turn: (from: number) => act(() => rerender({ from })),
  };
}

test('asks again 15 s after a request if readings of its sensor arrive', async () => {
  const { shown, arrive } = await ask();
  expect(shown()).toEqual([1, 1, 1, undefined]);
  answer = 2;
  await pass(3000);
  arrive('Bedroom');
  await pass(15_000);
  expect(asked).toHaveLength(2);
  arrive();
  await pass(0);
  expect([asked.length, shown()]).toEqual([4, [2, 2, 2, undefined]]);
  arrive();
  await pass(14_999);
  expect(asked).toHaveLength(4);
  await pass(1);
  expect(asked).toHaveLength(6);
});

test('retries 3 s after a failure, even while readings arrive', async () => {
  answer = null;
  const { shown, arrive } = await ask();
  expect(shown()).toEqual([null, null, null, "The server can't be reached."]);
  answer = 2;
  for (let second = 0; second < 2; second++) {
    await pass(1000);
    arrive();
  }
  await pass(999);
  expect(asked).toHaveLength(2);
  await pass(1);
  expect(shown()).toEqual([2, 2, 2, undefined]);
});

test("keeps a span's numbers for 400 ms while the next span loads, and its pattern for longer", async () => {
  const { shown, turn } = await ask();
  answer = null;
  await turn(FROM - 86_400_000);
  await pass(399);
  expect(shown().slice(0, 3)).toEqual([1, 1, 1]);
  await pass(1);
  expect(shown().slice(0, 3)).toEqual([null, null, 1]);
});
