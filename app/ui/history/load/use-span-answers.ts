import { useMemo } from 'react';
import type { PatternAnswer, SummaryAnswer } from '../../../readings/history/history-answer';
import { type PatternSpan, patternOf } from '../../../readings/history/pattern-span';
import type { Span } from '../../../readings/time/history-span';
import { formatTime } from '../../../readings/time/span-address';
import type { Arrivals } from './arrivals';
import { useAnswer } from './use-answer';

/**
 * Fetches the numbers and the pattern of a span, each with the span that it is of, and says why one of them can't be fetched.
 *
 * @param span null until the viewer's time zone is known
 */
export function useSpanAnswers(sensor: string, span: Span | null, arrivals: Arrivals) {
  const questions = useMemo(() => {
    if (!span) return { summary: null, pattern: null };
    const pattern = patternOf(span);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return {
      summary: { address: addressOf('summary', sensor, span), sensor, known: span },
      pattern: {
        address: addressOf('pattern', sensor, pattern.span, { zone, by: pattern.by }),
        sensor,
        known: pattern,
      },
    };
  }, [sensor, span]);
  const [summary, numbersProblem] = useAnswer<SummaryAnswer, Span>(questions.summary, arrivals);
  const [pattern, patternProblem] = useAnswer<PatternAnswer, PatternSpan>(questions.pattern, arrivals);
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
