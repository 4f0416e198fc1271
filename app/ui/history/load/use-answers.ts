import { useEffect, useMemo, useRef, useState } from 'react';
import { askServer } from '../../../live/browser/ask-server';
import type { PatternAnswer, SummaryAnswer } from '../../../readings/history/history-answer';
import { type PatternSpan, patternOf } from '../../../readings/history/pattern-span';
import { sensorOf } from '../../../readings/reading';
import type { Span } from '../../../readings/time/history-span';
import { apiAddress } from './fetch-history';
import { type Arrivals, createRequests } from './requests';

/** The minimum time between two requests while readings arrive. */
const LIVE_MS = 15_000;

/** The time of the sensor's first reading at the time of the request; null if there was none. */
interface WithFirst {
  first: number | null;
}

/** Fetches a span's summary and pattern. `span` is null until the time zone is known; `first` is null without readings. */
export function useAnswers(sensor: string, span: Span | null, first: number | null, arrivals: Arrivals) {
  const questions = useMemo(() => {
    if (!span) return { summary: null, pattern: null };
    const pattern = patternOf(span);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
      summary: { address: apiAddress('summary', sensor, span), sensor, known: { ...span, first } },
      pattern: {
        address: apiAddress('pattern', sensor, pattern.span, { zone, by: pattern.by }),
        sensor,
        known: { ...pattern, asked: span, first },
      },
    };
  }, [sensor, span, first]);
  const [summary, numbersProblem] = useAnswer<SummaryAnswer, Span & WithFirst>(questions.summary, arrivals);
  const [pattern, patternProblem, lastPattern] = useAnswer<
    PatternAnswer,
    PatternSpan & WithFirst & { asked: Span }
  >(questions.pattern, arrivals);
  return { summary, pattern, lastPattern, problem: numbersProblem ?? patternProblem };
}

interface Question<Known> {
  address: string;
  sensor: string;
  known: Known;
}

/** An answer with the data of its question. The page needs both while it loads the next answer. */
interface Answered<T, Known> {
  answer: T;
  known: Known;
  arrivedAt: number;
}

/**
 * Fetches an answer, and fetches it again on new readings and after failures. Returns it, the last failure, and the last
 * answer.
 */
export function useAnswer<T, Known>(
  question: Question<Known> | null,
  arrivals: Arrivals,
): [answered: Answered<T, Known> | null, problem: string | null, last: Answered<T, Known> | null] {
  const [answered, setAnswered] = useState<Answered<T, Known> | null>(null);
  const [last, setLast] = useState<Answered<T, Known> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asker = useRef<Asker<Known>>();

  useEffect(() => {
    const own = createAsker<T, Known>((next) => {
      setAnswered(next);
      if (next) setLast(next);
    }, setProblem);
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
  }, [question]);
  return [answered, problem, last];
}

interface Asker<Known> {
  sensor(): string | undefined;
  /** Requests an answer, unless the last question had the same address. */
  ask(question: Question<Known>): void;
  askAgain(): void;
  stop(): void;
}

function createAsker<T, Known>(
  onAnswer: (answered: Answered<T, Known> | null) => void,
  onProblem: (problem: string | null) => void,
): Asker<Known> {
  let question: Question<Known> | undefined;
  let isOutdated = false;
  // The browser's cache may hold an answer from before the new readings.
  const requests = createRequests(() => load('no-cache'));

  function load(cache: RequestCache): void {
    if (!question) return;
    const { address, known } = question;
    isOutdated = false;
    requests.run(
      (request) => askServer<T>(address, { cache, ...request }),
      ({ value: answer }) => {
        requests.release();
        onAnswer({ answer, known, arrivedAt: performance.now() });
        onProblem(null);
        if (isOutdated) requests.again(LIVE_MS);
      },
      ({ message }) => onProblem(message),
    );
  }

  return {
    sensor: () => question?.sensor,
    ask(next) {
      const isSame = next.address === question?.address;
      question = next;
      if (isSame) return;
      requests.hold(() => onAnswer(null));
      load('default');
    },
    askAgain() {
      isOutdated = true;
      if (question && !requests.isRunning()) requests.again(LIVE_MS);
    },
    stop: requests.stop,
  };
}
