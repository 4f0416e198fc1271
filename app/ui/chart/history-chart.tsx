import type { Chart, Plugin } from 'chart.js';
import { useMemo, useRef, useState } from 'react';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import type { Thresholds } from '../../readings/level/level';
import type { Span } from '../../readings/time/history-span';
import { activate, watchActivePoint } from './active-point';
import { ChartFrame } from './chart-frame';
import { chartOptions } from './chart-options';
import { type ComparedHistory, comparedNotes, moveToPieces, piecesUntil } from './compared-time';
import { type HistoryModel, historyModel, historyModelOf, holdScale, nowIn } from './history-model';
import { HISTORY_PLUGINS } from './history-plugins';
import { type HistoryPoints, historyPoints } from './history-points';
import { MovingHint } from './moving-hint';
import { timeAxis } from './time-axis';
import { useMovedView } from './use-moved-view';

interface HistoryChartProps {
  /** The time in view, in milliseconds since 1970. */
  view: Span;
  /** The newest answer, perhaps of another span or step than the view; null before the first. */
  answer: HistoryAnswer | null;
  /** The span that the answer is of. With it, time without readings at its ends is drawn as a gap too. */
  answered?: Span;
  /** The answer for the time before; null without comparison. */
  compared: ComparedHistory | null;
  thresholds: Thresholds;
  /** The viewer's clock, ms; draws "now" if in view. */
  now: number;
  /** The time of the first reading; null if there is none. Nothing is missing before it. */
  first: number | null;
  /** How far the view may move. */
  limits: Span;
  /** True while the page shows a view that `onMove` has told it. */
  isMoving: boolean;
  /** Called at every step of a zoom or pan. */
  onMove(view: Span): void;
  /** Called once a zoom or pan rests. */
  onRest(view: Span): void;
  /** The height of the chart. */
  className: string;
  /** The sensor for the description: ` of Bedroom`, or nothing. */
  ofSensor: string;
  /** How much larger the chart is shown than it is drawn. Such a chart is for looking only. */
  scale?: number;
}

const NOTHING: HistoryPoints = { points: [], positions: [], gaps: [] };

/** The chart of a history with a true time axis. Another view or answer updates it in place. */
export function HistoryChart(props: HistoryChartProps) {
  const { answer, answered, compared, first, thresholds, className, ofSensor, scale } = props;
  const chart = useRef<Chart<'line'>>(null);
  const [chartParts] = useState(() => createChart(scale));
  const [view, isMoving] = useMovedView(chart, props, scale !== undefined);
  const now = nowIn(view, props.now);
  // A span is a new object at each rendering of the page.
  const [from, to] = [answered?.from, answered?.to];

  const before = useMemo(() => compared && comparedPoints(compared, view.from), [compared, view.from]);
  const history = useMemo(() => {
    if (!answer) return NOTHING;
    const span = from === undefined || to === undefined ? undefined : { from, to };
    // Nothing is missing before there was a reading.
    const found = historyPoints(answer, { now, first: first ?? now, answered: span });
    const stepMs = answer.step_seconds * 1000;
    return before ? comparedNotes(found, before, { ...before, stepMs }) : found;
  }, [answer, now, first, from, to, before]);
  const step = answer?.step_seconds ?? 60;
  const next = useMemo(
    () => historyModel({ history, compared: before, view, thresholds, now, first, step }),
    [history, before, view, thresholds, now, first, step],
  );
  const held = useRef<HistoryModel | null>(null);
  const model = useMemo(
    () => (isMoving ? { ...next, scale: holdScale(held.current?.scale ?? null, next.scale) } : next),
    [next, isMoving],
  );
  held.current = model;

  return (
    <div data-step={answer?.step_seconds}>
      <ChartFrame
        {...chartParts}
        {...{ chart, model, className, scale }}
        ofSensor={answer ? ofSensor : `${ofSensor}, still loading,`}
        legend={compared && <ComparedEntry name={`${compared.unit} before`} />}
      >
        {!scale && <MovingHint />}
      </ChartFrame>
    </div>
  );
}

function ComparedEntry({ name }: { name: string }) {
  return (
    <span className="flex min-h-[28px] items-center gap-[0.6em] text-muted">
      <span aria-hidden className="w-[2em] flex-none border-t border-muted" />
      {name}
    </span>
  );
}

/** @param end the time before ends here, where the span in view begins */
function comparedPoints({ answer, unit, pieces }: ComparedHistory, end: number) {
  const shown = piecesUntil(pieces, end);
  return {
    ...moveToPieces(historyPoints(answer, { now: Number.POSITIVE_INFINITY }), shown),
    unit,
    pieces: shown,
  };
}

/** Creates what a chart keeps for its whole life. */
function createChart(scale: number | undefined) {
  const { plugin, store: activePoint } = watchActivePoint(
    (chart, index) => historyModelOf(chart).positions[index] ?? Number.NaN,
  );
  const options = {
    ...chartOptions(timeAxis()),
    devicePixelRatio: scale && scale * window.devicePixelRatio,
  };
  return {
    options,
    plugins: [...HISTORY_PLUGINS, keepActiveTime(), plugin],
    activePoint,
  };
}

/** Keeps the active point on its time when the points change. Chart.js would keep its index. */
function keepActiveTime(): Plugin<'line'> {
  let shown: readonly number[] = [];
  let time: number | undefined;
  return {
    id: 'keep-active-time',
    beforeUpdate(chart) {
      const { positions } = historyModelOf(chart);
      const active = chart.getActiveElements()[0];
      time = active && positions !== shown ? shown[active.index] : undefined;
      shown = positions;
    },
    afterUpdate(chart) {
      if (time === undefined) return;
      const distances = shown.map((position) => Math.abs(position - (time as number)));
      const nearest = distances.indexOf(Math.min(...distances));
      activate(chart, nearest < 0 ? null : nearest);
    },
  };
}
