import { useLocation } from '@remix-run/react';
import { useEffect, useMemo, useState } from 'react';
import { atBase } from '../../base-path';
import { serverTimeAt } from '../../live/browser/server-clock';
import { useLive } from '../../live/browser/use-live';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { PatternAnswer, SummaryAnswer } from '../../readings/history/history-answer';
import { patternOf } from '../../readings/history/pattern-span';
import type { Thresholds } from '../../readings/metric';
import { sensorOf } from '../../readings/reading';
import {
  type AskedSpan,
  dateOf,
  type Span,
  type SpanContext,
  unitAround,
  whyEmpty,
} from '../../readings/time/history-span';
import { spanQueries } from '../../readings/time/span-address';
import { withShownSensor } from '../sensors/sensor-address';
import { apiAddress, HOLD_MS } from './load-history';
import { SpanNumbers } from './numbers/span-numbers';
import { Patterns } from './patterns/patterns';
import type { Arrivals } from './use-history';

/** The minimum time between two requests while readings arrive. */
const LIVE_MS = 15_000;

interface SpanAnswersProps {
  readings: LiveReadings;
  /** Null while there is nothing to show yet. */
  span: Span | null;
  context: SpanContext | null;
  thresholds: Thresholds;
  arrivals: Arrivals;
}

/** A span's numbers and patterns. */
export function SpanAnswers(props: SpanAnswersProps) {
  const { readings, span, context, thresholds, arrivals } = props;
  const first = context?.first ?? null;
  const { summary, pattern, lastPattern, problem } = useAnswers(readings.sensor, span, first, arrivals);
  const search = withShownSensor(useLocation().search, readings);
  const hrefOf = useMemo(() => {
    const queryOf = spanQueries(search);
    return (from: number, to: number) => `${atBase('/history')}${queryOf(spanBetween(from, to))}#chart`;
  }, [search]);
  // An answer is shown as of its arrival: it doesn't include later readings, and the time since isn't a gap.
  const timeOf = (answered: { arrivedAt: number } | null) =>
    serverTimeAt(readings.clock, answered?.arrivedAt ?? null);
  const patternShown = pattern?.question ?? patternOf(span ?? NO_SPAN);
  // Before the first reading, not even a table of empty cells is shown.
  const canHaveReadings = context && first !== null && !whyEmpty(patternShown.span, context);
  return (
    <>
      {problem && (
        <p role="status" className="text-center text-muted">
          Can't load all numbers yet. {problem} Trying again…
        </p>
      )}
      <SpanNumbers
        summary={summary?.answer ?? null}
        newest={readings.history}
        view={summary?.question.span ?? span ?? NO_SPAN}
        now={timeOf(summary)}
        first={summary ? summary.question.first : first}
        thresholds={thresholds}
      />
      {span && canHaveReadings && (
        <Patterns
          pattern={pattern?.answer ?? null}
          last={lastPattern?.answer ?? null}
          by={patternShown.by}
          view={patternShown.span}
          isLonger={patternShown.isLonger}
          worstFrom={patternShown.isLonger ? patternShown.span.from : (pattern?.question.asked ?? span).from}
          now={timeOf(pattern)}
          first={pattern ? pattern.question.first : first}
          thresholds={thresholds}
          hrefOf={hrefOf}
        />
      )}
    </>
  );
}

const NO_SPAN = { from: 0, to: 0 };

/** Fetches a span's summary and pattern. `span` is null until the time zone is known; `first` is null without readings. */
export function useAnswers(sensor: string, span: Span | null, first: number | null, arrivals: Arrivals) {
  const questions = useMemo(() => {
    if (!span) return null;
    const pattern = patternOf(span);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const address = apiAddress('pattern', sensor, pattern.span, { zone, by: pattern.by });
    return {
      summary: { address: apiAddress('summary', sensor, span), span, first },
      pattern: { address, ...pattern, asked: span, first },
    };
  }, [sensor, span, first]);
  const summary = useLive<SummaryAnswer, NonNullable<typeof questions>['summary']>(
    questions?.summary ?? null,
  );
  const pattern = useLive<PatternAnswer, NonNullable<typeof questions>['pattern']>(
    questions?.pattern ?? null,
  );
  const [againSummary, againPattern] = [summary.again, pattern.again];
  useEffect(
    () =>
      arrivals.subscribe((arrived) => {
        if (arrived && !arrived.some((reading) => sensorOf(reading) === sensor)) return;
        againSummary(LIVE_MS);
        againPattern(LIVE_MS);
      }),
    [arrivals, sensor, againSummary, againPattern],
  );
  return {
    summary: useHeld(summary.answered, questions?.summary),
    pattern: useHeld(pattern.answered, questions?.pattern),
    lastPattern: pattern.answered,
    problem: (summary.failure ?? pattern.failure)?.message,
  };
}

/** Returns an answer, or null after `HOLD_MS` of waiting for the answer to another question. */
function useHeld<A extends { question: { address: string } }>(
  answered: A | null,
  asked: { address: string } | undefined,
): A | null {
  const [isLate, setLate] = useState(false);
  const address = asked?.address;
  const isPending = answered !== null && answered.question.address !== address;
  useEffect(() => {
    if (!isPending) return setLate(false);
    const timer = setTimeout(() => setLate(address !== undefined), HOLD_MS);
    return () => clearTimeout(timer);
  }, [isPending, address]);
  return isPending && isLate ? null : answered;
}

/** Anything shorter isn't a day, even when the clocks change. */
const SHORTEST_DAY_MS = 22 * 3_600_000;

function spanBetween(from: number, to: number): AskedSpan {
  // Skips the calendar, which would take most of the time that a table of hours needs.
  if (to - from < SHORTEST_DAY_MS) return { name: 'part', from, to };
  for (const name of ['day', 'month'] as const) {
    const unit = unitAround(name, new Date(from));
    if (unit.from === from && unit.to === to) return { name, date: dateOf(from) };
  }
  return { name: 'part', from, to };
}
