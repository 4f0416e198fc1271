import { useLocation } from '@remix-run/react';
import { useMemo } from 'react';
import { serverTimeAt } from '../../live/browser/server-clock';
import type { LiveReadings } from '../../live/browser/use-readings';
import { patternOf } from '../../readings/history/pattern-span';
import type { Thresholds } from '../../readings/metric';
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
import type { Arrivals } from './load/requests';
import { useAnswers } from './load/use-answers';
import { SpanNumbers } from './numbers/span-numbers';
import { Patterns } from './patterns/patterns';

interface SpanAnswersProps {
  readings: LiveReadings;
  /** Null while there is nothing to show yet. */
  span: Span | null;
  context: SpanContext | null;
  thresholds: Thresholds;
  arrivals: Arrivals;
}

export function SpanAnswers(props: SpanAnswersProps) {
  const { readings, span, context, thresholds, arrivals } = props;
  const first = context?.first ?? null;
  const { summary, pattern, lastPattern, problem } = useAnswers(readings.sensor, span, first, arrivals);
  const search = withShownSensor(useLocation().search, readings);
  const hrefOf = useMemo(() => {
    const queryOf = spanQueries(search);
    return (from: number, to: number) => `/history${queryOf(spanBetween(from, to))}#chart`;
  }, [search]);
  // An answer is shown as of its arrival: it doesn't include later readings, and the time since isn't a gap.
  const timeOf = (answered: { arrivedAt: number } | null) =>
    serverTimeAt(readings.clock, answered?.arrivedAt ?? null);
  const patternShown = pattern?.known ?? patternOf(span ?? NO_SPAN);
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
        view={summary?.known ?? span ?? NO_SPAN}
        now={timeOf(summary)}
        first={summary ? summary.known.first : first}
        thresholds={thresholds}
      />
      {span && canHaveReadings && (
        <Patterns
          pattern={pattern?.answer ?? null}
          last={lastPattern?.answer ?? null}
          by={patternShown.by}
          view={patternShown.span}
          isLonger={patternShown.isLonger}
          worstFrom={patternShown.isLonger ? patternShown.span.from : (pattern?.known.asked ?? span).from}
          now={timeOf(pattern)}
          first={pattern ? pattern.known.first : first}
          thresholds={thresholds}
          hrefOf={hrefOf}
        />
      )}
    </>
  );
}

const NO_SPAN = { from: 0, to: 0 };

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
