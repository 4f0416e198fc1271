import { Link } from '@remix-run/react';
import { type ReactNode, useMemo } from 'react';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { Thresholds } from '../../readings/metric';
import type { Note } from '../../readings/note';
import type { Reading } from '../../readings/reading';
import type { AiringAnswer } from '../../readings/room/ventilation-answer';
import { ofSensor, type ShownSensor } from '../../readings/sensor';
import {
  type AskedSpan,
  dateOf,
  isLastDays,
  isSameSpan,
  isWithin,
  LAST_DAYS,
  type Span,
  type SpanContext,
  unitAround,
  whyEmpty,
} from '../../readings/time/history-span';
import { formatDay } from '../../readings/time/local-time';
import { withSpan } from '../../readings/time/span-address';
import { useDrawnMetrics } from '../chart/drawn-metrics';
import { HistoryChart } from '../chart/history-chart';
import { MovingHint } from '../chart/zoom-bar';
import { NoReadingsYet } from '../no-readings-yet';
import type { ShownHistory } from './load-history';
import type { ShownSpan } from './span/use-span';

interface SpanChartProps {
  shown: Pick<ShownSpan, 'inView' | 'resolved' | 'span' | 'isMoving' | 'search' | 'move' | 'rest'>;
  context: SpanContext | null;
  history: ShownHistory | null;
  thresholds: Thresholds;
  readings: ShownSensor & Pick<LiveReadings, 'history'>;
  notes?: readonly Note[];
  onChoose?(time: number): void;
  /** Covers at least the span in view; null if unknown. */
  airings: readonly AiringAnswer[] | null;
  className: string;
  scale?: number;
  /** The newest reading, to end the line exactly there. */
  newest?: Reading | null;
  legend?: ReactNode;
  footer?: ReactNode;
  /** Replaces the text for a span without readings. */
  whenEmpty?: ReactNode;
  /** The limits of zoom and movement; by default the days with readings, and today. */
  limits?: Span;
}

/** The chart of a span, or a message if there is nothing to draw. */
export function SpanChart(props: SpanChartProps) {
  const { shown, context, history, readings, airings, whenEmpty, limits, ...look } = props;
  const { inView, resolved, isMoving } = shown;
  const known = readings.history;
  const steps = history?.answer?.steps;
  const rows = useMemo(() => [...known, ...(steps ?? [])], [known, steps]);
  const { drawn, choice } = useDrawnMetrics(rows);
  const now = context?.now ?? 0;
  const [start, end] = [context?.first ?? now, now].map((time) => unitAround('day', new Date(time)));
  const earliest = Math.min(start?.from ?? 0, resolved?.from ?? now);
  const latest = Math.max(end?.to ?? 0, resolved?.to ?? now);
  const days = useMemo(() => ({ from: earliest, to: latest }), [earliest, latest]);
  // While another sensor's history loads, the chart stays, to keep its hidden lines and the focus.
  if (!context || !history?.wasAnswered)
    return (
      <figure>
        <p className={`grid place-content-center text-center text-muted ${look.className}`}>
          {textWithout(history)}
        </p>
        {!look.scale && (look.footer ?? <MovingHint />)}
      </figure>
    );
  if (context.first === null)
    return (
      <p role="status" className="grid min-h-40 place-content-center text-center text-muted">
        <NoReadingsYet />
      </p>
    );
  const { span, sensor, answer, answered, compared, isLoaded } = history;
  const isEmpty = !hasSteps(history) && !(look.newest && isWithin(Date.parse(look.newest.created_at), span));
  const isShown = shown.span !== null && isSameSpan(span, shown.span) && sensor === readings.sensor;
  return (
    <div className={look.scale ? 'relative h-full' : 'relative'} aria-busy={!isLoaded || !isShown}>
      <HistoryChart
        view={isMoving && shown.span ? shown.span : span}
        answer={answer}
        answered={answered ?? undefined}
        compared={compared}
        {...{ drawn, choice }}
        airings={(sensor === readings.sensor && airings) || undefined}
        ofSensor={ofSensor({ ...readings, sensor })}
        now={now}
        first={context.first}
        limits={limits ?? days}
        isMoving={isMoving}
        onMove={shown.move}
        onRest={shown.rest}
        {...look}
      />
      {isLoaded && isEmpty && (
        <Over>
          {whenEmpty ?? <SpanMessage asked={inView} span={span} context={context} search={shown.search} />}
        </Over>
      )}
      {!isLoaded && !isMoving && isEmpty && <Over>{textWithout(history)}</Over>}
    </div>
  );
}

function textWithout(history: ShownHistory | null): string {
  return history?.problem ? "Can't load readings yet." : 'Loading readings…';
}

/** A message in the upper half of the chart, between its axes and above the text of a gap. */
function Over({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="absolute inset-x-0 top-[18%] grid place-content-center px-14 text-center text-balance"
    >
      <span className="rounded-lg bg-surface px-4 py-2 text-muted">{children}</span>
    </p>
  );
}

function hasSteps({ span: { from, to }, answer }: ShownHistory): boolean {
  if (!answer) return false;
  const length = answer.step_seconds * 1000;
  return answer.steps.some(({ start }) => Date.parse(start) < to && Date.parse(start) + length > from);
}

/** The reason why a span has no readings, with a link to some. */
function SpanMessage({
  asked,
  span,
  context,
  search,
}: {
  asked: AskedSpan;
  span: Span;
  context: SpanContext;
  search: string;
}) {
  const { now, first, last } = context;
  switch (whyEmpty(span, context)) {
    case 'future':
      return <>This is in the future.</>;
    case 'before':
      return (
        <>
          The first reading is from <DayLink time={first ?? now} {...{ now, search }} />.
        </>
      );
    case null:
      return (
        <>
          No readings {nameSpan(asked)}.{' '}
          {last !== null && last < span.from && (
            <>
              The newest is from <DayLink time={last} {...{ now, search }} />.
            </>
          )}
        </>
      );
  }
}

function nameSpan(asked: AskedSpan): string {
  if (asked.name === 'all' || asked.name === 'part') return 'in this time';
  if (isLastDays(asked)) return `in these ${LAST_DAYS[asked.name]} days`;
  return asked.name === 'day' ? 'on this day' : `in this ${asked.name}`;
}

function DayLink({ time, now, search }: { time: number; now: number; search: string }) {
  return (
    <Link
      to={{ search: withSpan(search, { name: 'day', date: dateOf(time) }) }}
      preventScrollReset
      className="text-accent underline"
    >
      {formatDay(new Date(time), new Date(now))}
    </Link>
  );
}
