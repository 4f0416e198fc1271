import { useCallback, useEffect, useRef, useState } from 'react';
import { askServer, type ServerError } from './ask-server';

/** The longest wait for the response, and then for each next part of its body. */
const TIMEOUT_MS = 20_000;
/** The delay before a failed request is repeated. */
const RETRY_MS = 3000;
/** The delay after a refusal, such as that of a proxy whose session has ended: it rarely changes within seconds. */
const REFUSED_MS = 30_000;

interface Question {
  address: string;
}

/** An answer with its question. A page needs both while it loads the next answer. */
interface Answered<T, Q> {
  answer: T;
  question: Q;
  /** The viewer's clock, see `ServerClock`. */
  arrivedAt: number;
}

interface Live<T, Q> {
  /** The newest answer. Belongs to an earlier question while the answer to the current one loads. */
  answered: Answered<T, Q> | null;
  /** The last failure; null once there is an answer. */
  failure: ServerError | null;
}

interface LiveOptions {
  /** The interval of requests while the page is visible. Without it, only failures and `again` repeat a request. */
  everyMs?: number;
  writeKey?: string | null;
}

/**
 * Asks the server a question, and keeps the answer fresh. Sends no request for a null question. `again` asks again `ms`
 * after the start of the last request.
 */
export function useLive<T, Q extends Question = Question>(
  question: Q | null,
  { everyMs, writeKey }: LiveOptions = {},
): Live<T, Q> & Pick<Asking, 'again'> {
  const [live, setLive] = useState<Live<T, Q>>({ answered: null, failure: null });
  const current = useRef(question);
  const asking = useRef<Asking>();
  const address = question?.address;

  // Not while rendering, because React may discard a rendering and its question.
  useEffect(() => {
    current.current = question;
  });

  useEffect(() => {
    if (address === undefined) return;
    // The browser's cache may hold an outdated answer.
    let cache: RequestCache = 'default';
    const own = keepAsking<Answered<T, Q>>({
      async ask(request) {
        const asked = current.current as Q;
        const answer = askServer<T>(address, { cache, writeKey, ...request });
        cache = 'no-cache';
        return { answer: (await answer).value, question: asked, arrivedAt: performance.now() };
      },
      onAnswer: (answered) => setLive({ answered, failure: null }),
      onFailure: (failure) => setLive(({ answered }) => ({ answered, failure })),
      everyMs,
    });
    asking.current = own;
    own.now();
    return () => {
      own.stop();
      // Without a question, nothing may be asked again.
      asking.current = undefined;
    };
  }, [address, everyMs, writeKey]);

  return { ...live, again: useCallback((ms) => asking.current?.again(ms), []) };
}

interface Asks<T> {
  /** Sends a request; null if there is nothing to ask for. */
  ask(request: { signal: AbortSignal; timeoutMs: number }): Promise<T> | null;
  onAnswer(answer: T): void;
  onFailure(error: ServerError): void;
  everyMs?: number;
  /** True to ask again while the page is hidden, too. Browsers then allow only about one request a minute. */
  isForHidden?: boolean;
}

interface Asking {
  isRunning(): boolean;
  /** Asks at once. Aborts a running request. */
  now(): void;
  /** Asks again `ms` after the start of the last request, but not before its end, or the retry of a failure. */
  again(ms: number): void;
  stop(): void;
}

const NEVER = Number.POSITIVE_INFINITY;

const TOO_MANY = 429;
const isRefusal = ({ status = 0 }: ServerError) => status >= 400 && status < 500 && status !== TOO_MANY;

/**
 * Asks again and again, one request at a time: every `everyMs`, 3 s after a failure, 30 s after a refusal, and when told
 * to. Doesn't ask before it is told to. A request that is due on a hidden page waits until the page is visible.
 */
export function keepAsking<T>({ ask, onAnswer, onFailure, everyMs = NEVER, isForHidden }: Asks<T>): Asking {
  const listening = new AbortController();
  let running: AbortController | undefined;
  let startedAt = -NEVER;
  let retryAt = -NEVER;
  let dueAt = NEVER;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    clearTimeout(timer);
    if (running || dueAt === NEVER) return;
    const askIfShown = () => {
      if (isForHidden || !document.hidden) now();
    };
    timer = setTimeout(askIfShown, dueAt - performance.now());
  }

  function now(): void {
    abort();
    const own = new AbortController();
    const answer = ask({ signal: own.signal, timeoutMs: TIMEOUT_MS });
    if (!answer) return;
    running = own;
    startedAt = performance.now();
    dueAt = startedAt + everyMs;
    const end =
      <R>(onEnd: (result: R) => void) =>
      (result: R) => {
        if (own !== running) return;
        running = undefined;
        onEnd(result);
        plan();
      };
    const fail = (error: ServerError) => {
      dueAt = retryAt = performance.now() + (isRefusal(error) ? REFUSED_MS : RETRY_MS);
      onFailure(error);
    };
    answer.then(end(onAnswer), end(fail));
  }

  function abort(): void {
    clearTimeout(timer);
    running?.abort();
    running = undefined;
    dueAt = NEVER;
  }

  document.addEventListener('visibilitychange', plan, listening);
  return {
    isRunning: () => running !== undefined,
    now,
    again(ms) {
      dueAt = Math.min(dueAt, Math.max(startedAt + ms, retryAt));
      plan();
    },
    stop() {
      listening.abort();
      abort();
    },
  };
}
