import { type ReactNode, useMemo } from 'react';
import type { Thresholds } from '../../readings/level/level';
import { ofSensor, type ShownSensor } from '../../readings/sensor';
import { isSameSpan, type SpanContext, unitAround } from '../../readings/time/history-span';
import { HistoryChart } from '../chart/history-chart';
import { MovingHint } from '../chart/zoom-bar';
import type { ShownHistory } from './load/use-history';
import type { ShownSpan } from './span/use-span';
import { SpanMessage } from './span-message';

interface SpanChartProps {
  shown: ShownSpan;
  /** Null until the viewer's time zone is known. */
  context: SpanContext | null;
  history: ShownHistory | null;
  thresholds: Thresholds;
  readings: ShownSensor;
  /** The height of the chart. */
  className: string;
  /** How much larger the chart is shown than it is drawn. */
  scale?: number;
}

/** The chart of a span, with a text over it where there is nothing to draw. */
export function SpanChart({ shown, context, history, readings, ...look }: SpanChartProps) {
  const { inView, resolved, isMoving } = shown;
  const now = context?.now ?? 0;
  const [start, end] = [context?.first ?? now, now].map((time) => unitAround('day', new Date(time)));
  const earliest = Math.min(start?.from ?? 0, resolved?.from ?? now);
  const latest = Math.max(end?.to ?? 0, resolved?.to ?? now);
  const limits = useMemo(() => ({ from: earliest, to: latest }), [earliest, latest]);
  // A chart stays while another sensor's history loads, with its hidden lines and the focus.
  if (!context || !history?.wasAnswered)
    return (
      <figure>
        <p className={`grid place-content-center text-center text-muted ${look.className}`}>
          {textWithout(history)}
        </p>
        {!look.scale && <MovingHint />}
      </figure>
    );
  const { span, sensor, answer, answered, compared, isLoaded } = history;
  const isShown = shown.span !== null && isSameSpan(span, shown.span) && sensor === readings.sensor;
  return (
    <div className="relative" aria-busy={!isLoaded || !isShown}>
      <HistoryChart
        view={isMoving && shown.span ? shown.span : span}
        answer={answer}
        answered={answered ?? undefined}
        compared={compared}
        ofSensor={ofSensor({ ...readings, sensor })}
        now={now}
        first={context.first}
        limits={limits}
        isMoving={isMoving}
        onMove={shown.move}
        onRest={shown.rest}
        {...look}
      />
      {isLoaded && !hasSteps(history) && (
        <Over>
          <SpanMessage asked={inView} span={span} context={context} search={shown.search} />
        </Over>
      )}
      {!isLoaded && !isMoving && !hasSteps(history) && <Over>{textWithout(history)}</Over>}
    </div>
  );
}

function textWithout(history: ShownHistory | null): string {
  return history?.problem ? "Can't load readings yet." : 'Loading readings…';
}

/** Text in the upper half of the chart, above the words of a gap. */
function Over({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="absolute inset-x-0 top-[18%] grid place-content-center text-center">
      <span className="rounded-lg bg-surface px-4 py-2 text-muted">{children}</span>
    </p>
  );
}

/** Returns true if there are readings in view. */
function hasSteps({ span: { from, to }, answer }: ShownHistory): boolean {
  if (!answer) return false;
  const length = answer.step_seconds * 1000;
  return answer.steps.some(({ start }) => Date.parse(start) < to && Date.parse(start) + length > from);
}
