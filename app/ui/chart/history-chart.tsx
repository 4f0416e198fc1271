import type { Chart, Plugin, Scale } from 'chart.js';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import { MAIN_METRICS, type Metric, type Thresholds } from '../../readings/metric';
import type { Note } from '../../readings/note';
import type { Reading } from '../../readings/reading';
import type { AiringAnswer } from '../../readings/room/ventilation-answer';
import type { Span } from '../../readings/time/history-span';
import type { AxisScale } from './axis-scale';
import { ChartFrame } from './chart-frame';
import { CHART_PLUGINS, chartOptions } from './chart-options';
import { activate, watchActivePoint } from './chart-tooltip';
import {
  type ComparedHistory,
  comparedNotes,
  moveToPieces,
  nameCompared,
  piecesUntil,
} from './compared-time';
import { historyDrawings, historyGround } from './draw/draw-history';
import { fontOf } from './draw/draw-over';
import type { MetricChoice } from './drawn-metrics';
import { type HistoryModel, historyModel, historyModelOf, holdScale, nowIn } from './history-model';
import { type HistoryPoints, historyPoints } from './history-points';
import { historyZoom, type ViewFollower, viewOf } from './history-zoom';
import { type TimeTicks, timeTicks } from './time-ticks';
import { useZoom } from './use-zoom';
import { MovingHint } from './zoom-bar';

interface HistoryChartProps extends ViewFollower {
  view: Span;
  /** The newest answer, which may have another span or step than the view; null before the first answer. */
  answer: HistoryAnswer | null;
  /** The answer's span. If given, time without readings at its ends is drawn as a gap too. */
  answered?: Span;
  /** The answer for the earlier time; null without a comparison. */
  compared: ComparedHistory | null;
  /** The newest reading, to end the line exactly there. */
  newest?: Reading | null;
  thresholds: Thresholds;
  /** The metrics to draw. Another list creates a new chart. */
  drawn?: readonly Metric[];
  choice?: MetricChoice;
  now: number;
  /** The time of the first reading, before which there are no gaps; null without readings. */
  first: number | null;
  /** True while the page shows a view from `onMove`. When it becomes false, the gesture ends. */
  isMoving: boolean;
  airings?: readonly AiringAnswer[];
  notes?: readonly Note[];
  /** Called with the time in milliseconds of a point that was clicked or tapped. */
  onChoose?(time: number): void;
  className: string;
  ofSensor: string;
  scale?: number;
  legend?: ReactNode;
  /** The line below the chart, on a page. */
  footer?: ReactNode;
}

const NOTHING: HistoryPoints = { points: [], positions: [], gaps: [] };

/** The chart of a sensor's history. A new view or answer updates it in place. */
export function HistoryChart(props: HistoryChartProps) {
  const { view, answer, answered, compared, newest, first, thresholds, choice, scale } = props;
  const { drawn = MAIN_METRICS, airings, notes, legend, footer, className, onChoose } = props;
  const now = nowIn(view, props.now);
  // Numbers as dependencies, because the span is a new object at each render.
  const [from, to] = [answered?.from, answered?.to];

  const before = useMemo(() => compared && comparedPoints(compared, view.from), [compared, view.from]);
  const history = useMemo(() => {
    if (!answer) return NOTHING;
    const span = from === undefined || to === undefined ? undefined : { from, to };
    // Before the first reading there are no gaps.
    const found = historyPoints(answer, { now, first: first ?? now, answered: span, newest });
    const stepMs = answer.step_seconds * 1000;
    return before ? comparedNotes(found, before, { ...before, stepMs }, drawn) : found;
  }, [answer, now, first, from, to, before, newest, drawn]);
  const step = answer?.step_seconds ?? 60;
  // Below the tiles, the legend says which of the drawn metrics isn't measured.
  const namesAll = newest !== undefined && scale === undefined;
  const model = useMemo(() => {
    const parts = { history, compared: before, view, thresholds, drawn, now, first, step, airings, notes };
    const model = historyModel(parts);
    return namesAll ? { ...model, named: drawn } : model;
  }, [history, before, view, thresholds, drawn, now, first, step, airings, notes, namesAll]);
  return (
    <TimeChart
      {...{ model, choice, footer, className, scale, onChoose }}
      {...{ limits: props.limits, isMoving: props.isMoving, onMove: props.onMove, onRest: props.onRest }}
      step={answer?.step_seconds}
      ofSensor={answer ? props.ofSensor : `${props.ofSensor}, still loading,`}
      legend={before ? <ComparedEntry name={before.name} /> : legend}
    />
  );
}

interface TimeChartProps
  extends ViewFollower,
    Pick<HistoryChartProps, 'isMoving' | 'choice' | 'onChoose' | 'className' | 'ofSensor' | 'scale'> {
  model: HistoryModel;
  /** The length of a step in seconds, once it is known. */
  step: number | undefined;
  legend?: ReactNode;
  footer?: ReactNode;
}

/** A chart on a true time axis, which the viewer can move. A new model updates it in place. */
export function TimeChart(props: TimeChartProps) {
  const { model: next, step, className, ofSensor, choice, legend, scale } = props;
  const { limits, isMoving, onMove, onRest, onChoose } = props;
  const { drawn } = next;
  const isWall = scale !== undefined;
  const chart = useRef<Chart<'line'>>(null);
  const { zoom, ...chartParts } = useMemo(() => createChart(drawn, scale), [drawn, scale]);
  /** The scale at the last step of a gesture. */
  const [held, setHeld] = useState<AxisScale | null>(null);
  const model = useMemo(
    () => (isMoving ? { ...next, scale: holdScale(held, next.scale, drawn) } : next),
    [next, isMoving, held, drawn],
  );

  useZoom(chart, isWall ? null : zoom);
  const frame = useChosenTime(chart, onChoose);
  useEffect(() => (chart.current && !isWall ? zoom.listen(chart.current) : undefined), [zoom, isWall]);
  useEffect(() => {
    zoom.follow({
      limits,
      onRest,
      onMove(next) {
        if (chart.current) setHeld(historyModelOf(chart.current).scale);
        onMove(next);
      },
    });
  }, [zoom, limits, onMove, onRest]);
  useEffect(() => {
    if (chart.current && !isMoving) zoom.end(chart.current);
  }, [zoom, isMoving]);

  return (
    <div ref={frame} data-step={step} className={scale ? 'h-full' : undefined}>
      <ChartFrame {...chartParts} {...{ chart, model, choice, className, scale, ofSensor, legend }}>
        {!scale && (props.footer ?? <MovingHint />)}
      </ChartFrame>
    </div>
  );
}

/** Reports the time of the active point when the chart is clicked or tapped. */
function useChosenTime(chart: RefObject<Chart<'line'>>, onChoose?: (time: number) => void) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element || !onChoose) return;
    const choose = ({ target }: Event) => {
      const drawn = chart.current;
      const [active] = drawn?.getActiveElements() ?? [];
      if (!drawn || !active || target !== drawn.canvas) return;
      const time = historyModelOf(drawn).positions[active.index];
      if (time !== undefined) onChoose(time);
    };
    element.addEventListener('click', choose);
    return () => element.removeEventListener('click', choose);
  }, [chart, onChoose]);
  return frame;
}

function ComparedEntry({ name }: { name: string }) {
  const [unit, coverage] = name.split(/(?=, )/);
  return (
    <span className="flex min-h-[28px] items-center gap-[0.6em] text-muted">
      <span aria-hidden className="w-[2em] flex-none border-t border-muted" />
      <span>
        <span>{unit}</span>
        {coverage && <span>{coverage}</span>}
      </span>
    </span>
  );
}

/** @param end the end of the earlier time: the start of the view */
function comparedPoints({ answer, unit, pieces }: ComparedHistory, end: number) {
  const shown = piecesUntil(pieces, end);
  const moved = moveToPieces(historyPoints(answer, { now: Number.POSITIVE_INFINITY }), shown);
  return { ...moved, unit, pieces: shown, name: nameCompared({ unit, pieces: shown }, moved.positions) };
}

function createChart(drawn: readonly Metric[], scale: number | undefined) {
  const { plugin, store: activePoint } = watchActivePoint(
    (chart, index) => historyModelOf(chart).positions[index] ?? Number.NaN,
  );
  const zoom = historyZoom();
  const options = {
    ...chartOptions(timeAxis(), drawn, scale === undefined ? zoom.options : undefined),
    devicePixelRatio: scale && scale * window.devicePixelRatio,
  };
  return {
    zoom,
    options,
    plugins: [historyGround, ...CHART_PLUGINS, historyDrawings, zoom.plugin, keepActiveTime(), plugin],
    activePoint,
  };
}

/** Keeps the active point's time when the points change. Chart.js would keep its index. */
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
      const before = time;
      const distances = shown.map((position) => Math.abs(position - before));
      const nearest = distances.indexOf(Math.min(...distances));
      activate(chart, nearest < 0 ? null : nearest);
    },
  };
}

const LABEL_DISTANCE = 16;

/**
 * Returns the options of a time axis: a linear scale in milliseconds with custom ticks. Ticks at the start of days, months or
 * years are `major`.
 */
function timeAxis() {
  let labels: readonly string[] = [];
  return {
    type: 'linear' as const,
    bounds: 'data' as const,
    afterDataLimits(scale: Scale) {
      const { from, to } = viewOf(scale.chart);
      Object.assign(scale, { min: from, max: to });
    },
    afterBuildTicks(scale: Scale) {
      const ticks = ticksOf(scale);
      labels = ticks.labels;
      scale.ticks = ticks.times.map((value) => ({ value, major: ticks.areDays }));
    },
    grid: { display: false, drawTicks: false },
    ticks: {
      padding: 5,
      maxRotation: 0,
      autoSkip: false,
      callback: (_: string | number, index: number) => labels[index],
    },
  };
}

function ticksOf(scale: Scale): TimeTicks {
  const { ctx, width } = scale;
  const view = viewOf(scale.chart);
  const msPerPixel = (view.to - view.from) / width;
  ctx.save();
  ctx.font = fontOf(scale.chart).plain;
  const ticks = timeTicks(view, (label) => (ctx.measureText(label).width + LABEL_DISTANCE) * msPerPixel);
  ctx.restore();
  return ticks;
}
