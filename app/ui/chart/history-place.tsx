import type { ReactNode } from 'react';
import type { Thresholds } from '../../readings/level/threshold';
import { METRICS } from '../../readings/metric';
import { ChartBox } from './chart-box';
import { ChartLegend } from './chart-legend';
import { awaitsFirstHistory } from './first/first-history';
import { MovingHint } from './moving-hint';

interface HistoryPlaceProps {
  thresholds: Thresholds;
  /** The height of the chart. */
  className: string;
  /** False for a chart that is for looking only. */
  hasHint: boolean;
  /** A text in the place of the chart. */
  children: ReactNode;
}

/** The lines of most charts: which metrics are measured isn't known yet. */
const LINES = { named: METRICS, measured: METRICS, isAveraged: true };

/** Takes the room of a chart of a history that isn't there yet. The first one is drawn on its canvas, over the text. */
export function HistoryPlace({ thresholds, className, hasHint, children }: HistoryPlaceProps) {
  return (
    <figure>
      <ChartBox className={className} legend={<ChartLegend model={LINES} hidden={[]} onToggle={undefined} />}>
        <canvas {...awaitsFirstHistory(thresholds)} className="peer" />
        <p className="absolute inset-0 grid place-content-center text-center text-muted peer-data-drawn:hidden">
          {children}
        </p>
      </ChartBox>
      {hasHint && <MovingHint />}
    </figure>
  );
}
