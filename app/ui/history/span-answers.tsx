import { useLocation } from '@remix-run/react';
import { useCallback } from 'react';
import { serverTimeAt } from '../../live/browser/server-clock';
import type { LiveReadings } from '../../live/browser/use-readings';
import { type AskedSpan, dateOf, unitAround } from '../../readings/history-span';
import { patternOf } from '../../readings/pattern-span';
import { withSpan } from '../../readings/span-address';
import type { Thresholds } from '../../readings/threshold';
import { withShownSensor } from '../sensors/sensor-address';
import type { Arrivals } from './arrivals';
import { Patterns } from './patterns';
import { SpanNumbers } from './span-numbers';
import type { ShownSpan } from './use-span';
import { useSpanAnswers } from './use-span-answers';

interface SpanAnswersProps {
  readings: LiveReadings;
  shown: ShownSpan;
  thresholds: Thresholds;
  arrivals: Arrivals;
}

/** The numbers of a span, when the air was worst, and the typical day. */
export function SpanAnswers({ readings, shown: { resolved }, thresholds, arrivals }: SpanAnswersProps) {
  const { summary, pattern, problem } = useSpanAnswers(readings.sensor, resolved, arrivals);
  const search = withShownSensor(useLocation().search, readings);
  const hrefOf = useCallback(
    (from: number, to: number) => `/history${withSpan(search, spanBetween(from, to))}#chart`,
    [search],
  );
  // Uses the answer's time, so later seconds don't count as time without readings.
  const timeOf = (answered: { arrivedAt: number } | null) =>
    serverTimeAt(readings.clock, answered?.arrivedAt ?? null);
  const { span, by, isLonger } = pattern?.known ?? patternOf(resolved ?? NO_SPAN);
  return (
    <>
      {problem && (
        <p role="status" className="text-center text-muted">
          Can't load all numbers yet. {problem} Trying again…
        </p>
      )}
      <SpanNumbers
        summary={summary?.answer ?? null}
        view={summary?.known ?? resolved ?? NO_SPAN}
        now={timeOf(summary)}
        thresholds={thresholds}
      />
      {resolved && (
        <Patterns
          pattern={pattern?.answer ?? null}
          by={by}
          view={span}
          isLonger={isLonger}
          now={timeOf(pattern)}
          thresholds={thresholds}
          hrefOf={hrefOf}
        />
      )}
    </>
  );
}

/** Stands for a span until the viewer's time zone is known. */
const NO_SPAN = { from: 0, to: 0 };

/** Returns the local day, week, month or year from one time to another, if there is one. */
function spanBetween(from: number, to: number): AskedSpan {
  for (const name of ['day', 'month'] as const) {
    const unit = unitAround(name, new Date(from));
    if (unit.from === from && unit.to === to) return { name, date: dateOf(from) };
  }
  return { name: 'part', from, to };
}
