import { act, render, renderHook } from '@testing-library/react';
import { Suspense, startTransition } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useLive } from '../../../app/live/browser/use-live';

interface Asked {
  address: string;
  cache?: RequestCache;
  signal: AbortSignal;
}

let asked: Asked[];
/** Answers a request. */
let answer: (address: string) => Response | Promise<Response>;
let isHidden: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  [asked, isHidden] = [[], false];
  answer = (address) => Response.json(`${address} ${asked.length}`);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  vi.stubGlobal('fetch', async (address: string, { cache, signal }: Asked) => {
    asked.push({ address, cache, signal });
    return answer(address);
  });
  return () => vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const EVERY_MS = 20_000;

async function ask(address: string | null) {
  const { result, rerender, unmount } = renderHook(
    (address: string | null) => useLive<string>(address === null ? null : { address }, { everyMs: EVERY_MS }),
    { initialProps: address },
  );
  await pass(0);
  return {
    shown: () => result.current.answered?.answer,
    live: () => result.current,
    ask: (address: string | null) => act(() => rerender(address)),
    unmount,
  };
}

function show(state: 'hidden' | 'visible'): void {
  isHidden = state === 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
}

test('asks at once and then at intervals, past the cache of the browser', async () => {
  const { shown } = await ask('/a');
  expect(shown()).toBe('/a 1');
  await pass(EVERY_MS);
  expect([shown(), asked.map(({ cache }) => cache)]).toEqual(['/a 2', ['default', 'no-cache']]);
});

test('asks nothing without a question, and keeps the last answer', async () => {
  const { shown, live, ask: askFor } = await ask(null);
  expect(asked).toEqual([]);
  askFor('/a');
  await pass(0);
  askFor(null);
  live().again(0);
  await pass(60_000);
  expect([shown(), asked.length]).toEqual(['/a 1', 1]);
});

test('keeps the answer after a failure, and retries after 3 s', async () => {
  const { shown, live } = await ask('/a');
  answer = () => Response.json({ detail: 'The store is busy.' }, { status: 500 });
  await pass(EVERY_MS);
  expect([shown(), live().failure?.message]).toEqual(['/a 1', 'The store is busy.']);
  answer = () => Response.json('again');
  await pass(2999);
  expect(asked).toHaveLength(2);
  await pass(1);
  expect([shown(), live().failure]).toEqual(['again', null]);
});

test('asks again 30 s after a refusal', async () => {
  answer = () => new Response('Sign in', { status: 403 });
  const { shown } = await ask('/a');
  answer = () => Response.json('signed in');
  await pass(29_999);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(shown()).toBe('signed in');
});

test('waits for as long as `Retry-After` says', async () => {
  const headers = { 'Retry-After': '8' };
  answer = () => Response.json({ detail: 'Busy.' }, { status: 503, headers });
  const { shown } = await ask('/busy');
  answer = () => Response.json('free');
  await pass(7999);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(shown()).toBe('free');
});

test('asks nothing while the page is hidden, and at once when it becomes visible', async () => {
  const { shown } = await ask('/a');
  show('hidden');
  await pass(10 * EVERY_MS);
  expect(asked).toHaveLength(1);
  show('visible');
  await pass(0);
  expect(shown()).toBe('/a 2');
});

test('asks again after an answer if it was told to during the request', async () => {
  let send = (_: Response) => {};
  const { live, shown } = await ask('/a');
  answer = () =>
    new Promise((resolve) => {
      send = resolve;
    });
  act(() => live().again(0));
  await pass(0);
  act(() => live().again(0));
  await pass(1000);
  expect(asked).toHaveLength(2);
  answer = () => Response.json('last');
  send(Response.json('outdated'));
  await pass(0);
  expect([shown(), asked.length]).toEqual(['last', 3]);
});

test("keeps the answer while another question's loads, and drops the answer of a former question", async () => {
  const { shown, live, ask: askFor } = await ask('/a');
  const late: ((response: Response) => void)[] = [];
  answer = () => new Promise((resolve) => late.push(resolve));
  askFor('/b');
  await pass(0);
  askFor('/c');
  await pass(0);
  expect([shown(), asked[1]?.signal.aborted]).toEqual(['/a 1', true]);
  late[1]?.(Response.json('c'));
  await pass(0);
  late[0]?.(Response.json('b'));
  await pass(0);
  expect(live().answered).toMatchObject({ answer: 'c', question: { address: '/c' } });
});

test('stops when its page is left', async () => {
  answer = () => new Promise(() => {});
  const { unmount } = await ask('/a');
  unmount();
  await pass(60_000);
  expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, true]);
});

test('an answer keeps its question while React discards a rendering without one', async () => {
  const shown: unknown[] = [];
  function Asking({ isDiscarded = false }) {
    const { answered } = useLive<string>(isDiscarded ? null : { address: '/a' }, { everyMs: EVERY_MS });
    if (isDiscarded) throw new Promise(() => {});
    shown.push(answered && [answered.answer, answered.question]);
    return null;
  }
  const pageOf = (isDiscarded: boolean) => (
    <Suspense fallback={null}>
      <Asking isDiscarded={isDiscarded} />
    </Suspense>
  );
  const { rerender } = render(pageOf(false));
  await pass(0);
  act(() => startTransition(() => rerender(pageOf(true))));
  await pass(EVERY_MS);
  expect(shown.at(-1)).toEqual(['/a 2', { address: '/a' }]);
});
