import { useEffect, useRef, useState } from 'react';
import { askServer } from '../../../live/browser/ask-server';
import { sensorOf } from '../../../readings/reading';
import type { Arrivals } from './arrivals';
import { latestRequest } from './latest-request';

/** An answer is fetched again at most this often while readings arrive. */
const LIVE_MS = 15_000;
const RETRY_MS = 5000;
/** The answer to the question before is shown for this long at most. */
const HOLD_MS = 400;

/** An address of the API, and what the page needs to know of its answer. */
export interface Question<Known> {
  address: string;
  sensor: string;
  known: Known;
}

/** An answer with its question: while another one is fetched, the page shows both as they belong together. */
export interface Answered<T, Known> {
  answer: T;
  known: Known;
  /** When it arrived, by `performance.now()`. */
  arrivedAt: number;
}

/**
 * Returns the JSON answer to a question, and the one before for a moment. Null until it is there. It is fetched again when
 * readings of the sensor arrive, and after a failure, whose reason it returns too until there is an answer.
 *
 * @param question null to ask nothing yet
 */
export function useAnswer<T, Known>(
  question: Question<Known> | null,
  arrivals: Arrivals,
): [answered: Answered<T, Known> | null, problem: string | null] {
  const [answered, setAnswered] = useState<Answered<T, Known> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asker = useRef<Asker<Known>>();

  useEffect(() => {
    const own = createAsker<T, Known>(setAnswered, setProblem);
    asker.current = own;
    const unsubscribe = arrivals.subscribe((arrived) => {
      if (!arrived || arrived.some((reading) => sensorOf(reading) === own.sensor())) own.askAgain();
    });
    return () => {
      unsubscribe();
      own.stop();
    };
  }, [arrivals]);

  useEffect(() => {
    if (question) asker.current?.ask(question);
  });
  return [answered, problem];
}

interface Asker<Known> {
  sensor(): string | undefined;
  /** Asks a question, unless it is the one that was asked last. */
  ask(question: Question<Known>): void;
  askAgain(): void;
  stop(): void;
}

function createAsker<T, Known>(
  onAnswer: (answered: Answered<T, Known> | null) => void,
  onProblem: (problem: string | null) => void,
): Asker<Known> {
  const request = latestRequest();
  let question: Question<Known> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let holdTimer: ReturnType<typeof setTimeout> | undefined;
  let askedAt = 0;
  let isOutdated = false;
  let hasFailed = false;

  function load(cache: RequestCache): void {
    if (!question) return;
    const { address, known } = question;
    clearTimeout(timer);
    askedAt = performance.now();
    isOutdated = false;
    hasFailed = false;
    request.run(
      async (signal) => (await askServer<T>(address, { signal, cache, timeoutMs: 20_000 })).value,
      (answer) => {
        clearTimeout(holdTimer);
        onAnswer({ answer, known, arrivedAt: performance.now() });
        onProblem(null);
        if (isOutdated) loadLater();
      },
      ({ message }) => {
        onProblem(message);
        hasFailed = true;
        timer = setTimeout(() => load('no-cache'), RETRY_MS);
      },
    );
  }

  function loadLater(): void {
    clearTimeout(timer);
    // The browser may have an answer from before the readings arrived.
    timer = setTimeout(() => load('no-cache'), Math.max(0, askedAt + LIVE_MS - performance.now()));
  }

  return {
    sensor: () => question?.sensor,
    ask(next) {
      const isSame = next.address === question?.address;
      question = next;
      if (isSame) return;
      clearTimeout(holdTimer);
      holdTimer = setTimeout(() => onAnswer(null), HOLD_MS);
      load('default');
    },
    askAgain() {
      isOutdated = true;
      // A failed request is repeated sooner.
      if (question && !request.isRunning() && !hasFailed) loadLater();
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(holdTimer);
      request.abort();
    },
  };
}
