import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { historyPoints } from '../../../readings/history/history-points';
import type { Thresholds } from '../../../readings/level/threshold';
import type { Span, SpanContext } from '../../../readings/time/history-span';
import { chartOptions } from '../chart-options';
import { type HistoryModel, historyModel, nowIn } from '../history-model';
import { HISTORY_PLUGINS } from '../history-plugins';
import { BAND_ENTRY } from '../metric-lines';
import { timeAxis } from '../time-axis';
import { drawFirstChart } from './first-chart';

/** What a first chart of a history shows. */
interface FirstHistory {
  answer: HistoryAnswer;
  /** The span that the answer is of. */
  answered: Span;
  view: Span;
  context: SpanContext;
}

/** Returns the attributes of the canvas that waits for a history, on which `drawFirstHistory` draws. None in the browser. */
export function awaitsFirstHistory(thresholds: Thresholds) {
  return import.meta.env.SSR ? { 'data-first-history': JSON.stringify(thresholds) } : {};
}

/** Draws a history on the canvas of the server's page that waits for one. */
export function drawFirstHistory({ answer, answered, view, context }: FirstHistory): void {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-first-history]');
  if (!canvas) return;
  const thresholds: Thresholds = JSON.parse(canvas.dataset.firstHistory ?? '');
  const now = nowIn(view, context.now);
  const { first } = context;
  const history = historyPoints(answer, { now, first: first ?? now, answered });
  const step = answer.step_seconds;
  const model = historyModel({ history, compared: null, view, thresholds, now, first, step });
  settleLegend(canvas, model);
  drawFirstChart(canvas, model, chartOptions(timeAxis()), HISTORY_PLUGINS);
}

/** Leaves the legend beside a canvas the entries that its chart has, which then has the room that it will keep. */
function settleLegend(canvas: HTMLCanvasElement, { named, isAveraged }: HistoryModel): void {
  const shown: string[] = named.map(({ field }) => field);
  if (isAveraged) shown.push(BAND_ENTRY);
  for (const entry of canvas.closest('figure')?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])
    entry.hidden = !shown.includes(entry.dataset.entry ?? '');
}
