import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { HistoryAnswer } from '../../../app/readings/history/history-answer';
import type { Thresholds } from '../../../app/readings/metric';
import type { Span } from '../../../app/readings/time/history-span';
import type { ComparedHistory } from '../../../app/ui/chart/compared-time';
import { HistoryChart } from '../../../app/ui/chart/history-chart';

/** The data of a chart on the page of `openHistoryChart`. */
export interface ShownHistory {
  view: Span;
  answer: HistoryAnswer | null;
  answered?: Span;
  compared?: ComparedHistory;
  now?: number;
  first?: number | null;
  limits?: Span;
  thresholds: Thresholds;
}

/** The number of calls from the chart to the page, and the last view. */
export interface Moves {
  moves: number;
  rests: number;
  view: Span | null;
}

const moves: Moves = { moves: 0, rests: 0, view: null };
let show: (history: ShownHistory) => void;

/** Adopts the view of each gesture, as a page does. */
function HistoryPage() {
  const [history, setHistory] = useState<ShownHistory | null>(null);
  const [moved, setMoved] = useState<Span | null>(null);
  show = setHistory;
  if (!history) return null;
  const { view, answer, answered, compared = null, limits = view, now = limits.to } = history;
  const { first = 0, thresholds } = history;
  return (
    <main className="m-4 rounded-2xl border border-line bg-surface p-4">
      <HistoryChart
        {...{ answer, answered, compared, now, first, limits, thresholds }}
        view={moved ?? view}
        isMoving={moved !== null}
        onMove={(next) => {
          setMoved(next);
          moves.moves++;
          moves.view = next;
        }}
        onRest={(next) => {
          setMoved(null);
          moves.rests++;
          moves.view = next;
          setHistory((latest) => latest && { ...latest, view: next });
        }}
        className="chart-height"
        ofSensor=" of Bedroom"
      />
      <div style={{ height: 1200 }}>below the chart</div>
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <HistoryPage />
  </StrictMode>,
);
Object.assign(window, { show: (history: ShownHistory) => show(history), moves });
