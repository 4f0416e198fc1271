import type { Chart } from 'chart.js';
import { at } from '../../readings/at';
import type { ChartPoint } from '../../readings/chart/chart-series';
import type { PlacedGap } from '../../readings/chart/gap';
import { STEPS } from '../../readings/history/history-step';
import { MAIN_METRICS, type Metric, measuredMetrics, type Thresholds } from '../../readings/metric';
import type { Note } from '../../readings/note';
import type { AiringAnswer } from '../../readings/room/ventilation-answer';
import { MINUTE_MS } from '../../readings/time/durations';
import { type Outside, outsideOf, type Span } from '../../readings/time/history-span';
import { placeAirings } from './airings';
import { type AxisScale, axisScale } from './axis-scale';
import { type ChartModel, modelOf } from './chart-model';
import type { HistoryPoints } from './history-points';
import { placeNotes } from './notes';
import { localTimeFormat, timeMarks } from './time-ticks';

interface ComparedPoints {
  points: readonly ChartPoint[];
  positions: readonly number[];
  /** The name, with the coverage if that is low: `month before, readings on 3 of 30 days`. */
  name: string;
}

/** The content of a chart with a time axis. Positions are milliseconds since 1970. */
export interface HistoryModel extends ChartModel {
  view: Span;
  now: number;
  /** The parts of the view that can't have readings. */
  outside: Outside;
  compared: ComparedPoints | null;
}

interface HistoryParts {
  history: HistoryPoints;
  compared: ComparedPoints | null;
  view: Span;
  thresholds: Thresholds;
  drawn?: readonly Metric[];
  now: number;
  /** The time of the first reading; null if there is none. */
  first: number | null;
  step: number;
  airings?: readonly AiringAnswer[];
  notes?: readonly Note[];
}

export function historyModel(parts: HistoryParts): HistoryModel {
  const {
    history,
    compared,
    view,
    thresholds,
    drawn = MAIN_METRICS,
    now,
    first,
    step,
    airings = [],
    notes = [],
  } = parts;
  const { points, positions, gaps } = history;
  const halfMs = step * 500;
  const inView = points.filter((_, i) => {
    const time = at(positions, i);
    return time + halfMs > view.from && time - halfMs < view.to;
  });
  const shown = [...pointsIn(view, history), ...(compared ? pointsIn(view, compared) : [])];
  return {
    points,
    inView,
    labels: positions,
    positions,
    thresholds,
    // Without points, the measured metrics are unknown.
    drawn,
    measured: inView.length > 0 ? measuredMetrics(inView, drawn) : drawn,
    named: inView.length > 0 ? measuredMetrics([...inView, ...(compared?.points ?? [])], drawn) : drawn,
    scale: axisScale(shown, thresholds, drawn),
    gaps: gapsIn(view, gaps, step),
    hasEdgePoints: false,
    marks: timeMarks(view),
    airings: placeAirings(airings, (time) => time, view, now),
    notes: placeNotes(notes, (time) => time, view),
    newest: now >= view.from && now <= view.to ? points.length - 1 : -1,
    isAveraged: inView.some(({ readings }) => readings > 1),
    timeFormat: localTimeFormat(step < 60 ? 'second' : 'minute'),
    view,
    now,
    outside: outsideOf(view, { now, first }),
    compared,
  };
}

/** Rounds the current time up to about a pixel, at most a minute, so that the chart is drawn less often. */
export function nowIn({ from, to }: Span, now: number): number {
  const pixelMs = Math.min((to - from) / 1000, MINUTE_MS);
  const stepMs = 1000 * (STEPS.findLast((step) => step * 1000 <= pixelMs) ?? 1);
  const next = Math.ceil(now / stepMs) * stepMs;
  return now <= to ? Math.min(next, to) : next;
}

export function historyModelOf(chart: Chart): HistoryModel {
  // Charts with a time axis only get models from `historyModel`.
  return modelOf(chart) as HistoryModel;
}

/** Returns the held scale while a view moves, if all values fit it, because a scale that jumps is hard to follow. */
export function holdScale(
  held: AxisScale | null,
  next: AxisScale,
  drawn: readonly Metric[] = MAIN_METRICS,
): AxisScale {
  if (!held) return next;
  const fits = drawn.every((metric) => {
    const [before, after] = [held.axisOf(metric), next.axisOf(metric)];
    return before.min <= after.min && before.max >= after.max;
  });
  return fits ? held : next;
}

function pointsIn({ from, to }: Span, { points, positions }: Omit<ComparedPoints, 'name'>): ChartPoint[] {
  return points.filter((_, i) => (positions[i + 1] ?? from) >= from && (positions[i - 1] ?? to) <= to);
}

/** Returns the gaps in view, cut at its ends. Answers reach one step beyond the view. */
function gapsIn({ from, to }: Span, gaps: readonly PlacedGap[], step: number): PlacedGap[] {
  return gaps
    .filter(({ start, end }) => start < to && end > from)
    .map((placed) => {
      const [start, end] = [Math.max(placed.start, from), Math.min(placed.end, to)];
      if (start === placed.start && end === placed.end) return placed;
      const [since, until] = [start, end].map((time) => new Date(time).toISOString());
      return { start, end, gap: { from: since ?? '', to: until ?? '', withinMs: step * 1000 } };
    });
}
