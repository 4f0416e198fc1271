import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askResponse, askServer, ServerError } from '../../../app/live/browser/ask-server';

afterEach(() => vi.unstubAllGlobals());

/** Lets the server answer with these responses in turn, repeating the last one. Returns the requests. */
function answerWith(...answers: (() => Response | Promise<Response>)[]) {
  const requests = vi.fn(async (_address: string, _options: RequestInit) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) throw new Error('No answer is left.');
    return answer();
  });
  vi.stubGlobal('fetch', requests);
  return requests;
}

const json = () => Response.json({ readings: 1 }, { headers: { Date: 'Thu, 01 Jan 2026 10:00:00 GMT' } });

test('returns an answer in JSON, and the time of the server', async () => {
  answerWith(json);
  expect(await askServer('/api/summary')).toEqual({
    value: { readings: 1 },
    clock: { serverTime: Date.parse('2026-01-01T10:00:00Z'), viewerTime: expect.any(Number) },
  });
});

const busy = { detail: 'The store is busy.', mayBeStored: true };

test.each([
  ['the server’s reason', () => Response.json(busy, { status: 500 }), 'The store is busy.', 500, busy],
  ['the status without a reason', () => new Response('', { status: 502 }), /with status 502/, 502, undefined],
  [
    'that the answer is from something else',
    () => new Response('<html>login</html>', { headers: { 'Content-Type': 'text/html' } }),
    "Something other than airboard has answered, such as a network's sign-in page.",
    200,
    undefined,
  ],
  [
    "that the server can't be reached",
    () => Promise.reject(new TypeError('fetch failed')),
    "The server can't be reached.",
    undefined,
    undefined,
  ],
  [
    'that a server whose answer breaks off can’t be reached',
    () => new Response('[{"id":', { headers: { 'Content-Type': 'application/json' } }),
    "The server can't be reached.",
    undefined,
    undefined,
  ],
])('throws %s', async (_what, answer, message, status, problem) => {
  answerWith(answer);
  const error = await askServer('/api/summary').catch((error) => error);
  expect(error).toBeInstanceOf(ServerError);
  expect(error.message).toMatch(message);
  expect([error.status, error.problem]).toEqual([status, problem]);
});

test('sends the write key, and rejects one that no header can carry', async () => {
  const requests = answerWith(json);
  await askServer('/api/notifications', { writeKey: 'open sesame'.replace(' ', '-') });
  expect(new Headers(requests.mock.lastCall?.[1].headers).get('Authorization')).toBe('Bearer open-sesame');
  await expect(askServer('/api/notifications', { writeKey: 'offen für alle' })).rejects.toMatchObject({
    status: 401,
  });
  expect(requests).toHaveBeenCalledTimes(1);
});

describe('with a stopped clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Never answers, and rejects when aborted, like `fetch`. */
  function answerNever(): void {
    vi.stubGlobal(
      'fetch',
      (_address: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => {
          if (signal?.aborted) reject(new Error());
          signal?.addEventListener('abort', () => reject(new Error()));
        }),
    );
  }

  test('times out', async () => {
    answerNever();
    const failure = askServer('/api/data', { timeoutMs: 3000 }).catch(({ message }) => message);
    await vi.advanceTimersByTimeAsync(2999);
    expect(await Promise.race([failure, 'waiting'])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toBe("The server can't be reached.");
  });

  /** Answers with the parts of a body, each `ms` after the one before. Rejects when aborted, like `fetch`. */
  function answerSlowly(parts: readonly string[], ms: number): void {
    vi.stubGlobal('fetch', async (_address: string, { signal }: RequestInit) => {
      const body = new ReadableStream({
        async start(stream) {
          signal?.addEventListener('abort', () => stream.error(new Error()));
          for (const part of parts) {
            await new Promise((resolve) => setTimeout(resolve, ms));
            if (signal?.aborted) return;
            stream.enqueue(new TextEncoder().encode(part));
          }
          stream.close();
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'application/json' } });
    });
  }

  test('waits for an answer of any length while it goes on', async () => {
    answerSlowly(['["K', 'ü', 'che', '"]'], 2900);
    const answer = askServer('/api/data', { timeoutMs: 3000 });
    await vi.advanceTimersByTimeAsync(4 * 2900);
    expect((await answer).value).toEqual(['Küche']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('times out when an answer stops in the middle', async () => {
    answerSlowly(['[1', ']'], 3300);
    const stopped = askServer('/api/data', { timeoutMs: 3200 }).catch(({ message }) => message);
    await vi.advanceTimersByTimeAsync(3300);
    expect(await stopped).toBe("The server can't be reached.");
  });

  test('stops when aborted, and leaves no timer', async () => {
    answerNever();
    const own = new AbortController();
    const failure = askServer('/api/data', { signal: own.signal }).catch(({ message }) => message);
    own.abort();
    expect(await failure).toBe("The server can't be reached.");
    expect(vi.getTimerCount()).toBe(0);
  });

  const refusal =
    (retryAfter: string, status = 503) =>
    () =>
      Response.json(busy, {
        status,
        headers: { 'Retry-After': retryAfter, Date: 'Thu, 01 Jan 2026 10:00:00 GMT' },
      });

  test.each([
    ['503 with seconds', refusal('7')],
    ['429 with seconds', refusal('7', 429)],
    ['503 with a date', refusal('Thu, 01 Jan 2026 10:00:07 GMT')],
  ])('does not retry before %s allows', async (what, refuse) => {
    const requests = answerWith(refuse, json);
    const path = `/api/${encodeURIComponent(what)}`;
    await expect(askServer(`${path}?limit=1`)).rejects.toThrow('The store is busy.');
    const answer = askServer(`${path}?limit=2`);
    await vi.advanceTimersByTimeAsync(6999);
    expect(requests).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answer).value).toEqual({ readings: 1 });
  });

  test('retries after 10 s at the latest', async () => {
    const requests = answerWith(refusal('60'), json);
    await expect(askServer('/api/broken')).rejects.toThrow('The store is busy.');
    const answer = askServer('/api/broken');
    await vi.advanceTimersByTimeAsync(9999);
    expect(requests).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answer).value).toEqual({ readings: 1 });
  });

  test('requests other paths, and sends posts, without waiting', async () => {
    const requests = answerWith(refusal('7'), json);
    await expect(askServer('/api/paused')).rejects.toThrow('The store is busy.');
    await askServer('/api/other');
    await askServer('/api/paused', { method: 'POST' });
    await askResponse('/api/paused', { method: 'HEAD' });
    expect(requests).toHaveBeenCalledTimes(4);
  });

  test('does not retry after an abort during the wait', async () => {
    answerWith(refusal('7'), json);
    await expect(askServer('/api/left')).rejects.toThrow('The store is busy.');
    const own = new AbortController();
    answerNever();
    const failure = askServer('/api/left', { signal: own.signal }).catch(({ message }) => message);
    own.abort();
    expect(await failure).toBe("The server can't be reached.");
    expect(vi.getTimerCount()).toBe(0);
  });
});
