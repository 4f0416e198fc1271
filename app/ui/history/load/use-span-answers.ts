import { useMemo } from 'react';
import type { PatternAnswer, SummaryAnswer } from '../../../readings/history/history-answer';
import { type PatternSpan, patternOf } from '../../../readings/history/pattern-span';
import type { Span } from '../../../readings/time/history-span';
import { formatTime } from '../../../readings/time/span-address';
import type { Arrivals } from './arrivals';
import { useAnswer } from './use-answer';

/** The time of the sensor's first reading when the server was asked; null if there was none. */
interface WithFirst {
  first: number | null;
}

/**
 * Fetches the numbers and the pattern of a span, each with the span that it is of and the first reading of that time, and
 * says why one of them can't be fetched.
 *
 * @param span null until the viewer's time zone is known
 * @param first the time of the sensor's first reading in milliseconds since 1970; null if there is none
 */
export function useSpanAnswers(sensor: string, span: Span | null, first: number | null, arrivals: Arrivals) {
  const questions = useMemo(() => {
    if (!span) return { summary: null, pattern: null };
    const pattern = patternOf(span);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
      summary: { address: addressOf('summary', sensor, span), sensor, known: { ...span, first } },
      pattern: {
        address: addressOf('pattern', sensor, pattern.span, { zone, by: pattern.by }),
        sensor,
        known: { ...pattern, first },
      },
    };
  }, [sensor, span, first]);
  const [summary, numbersProblem] = useAnswer<SummaryAnswer, Span & WithFirst>(questions.summary, arrivals);
  const [pattern, patternProblem] = useAnswer<PatternAnswer, PatternSpan & WithFirst>(
    questions.pattern,
    arrivals,
  );
  return { summary, pattern, problem: numbersProblem ?? patternProblem };
}

function addressOf(
  what: string,
  sensor: string,
  { from, to }: Span,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ from: formatTime(from), to: formatTime(to), sensor, ...more });
  return `/api/${what}?${String(query).replaceAll('%3A', ':')}`;
}
