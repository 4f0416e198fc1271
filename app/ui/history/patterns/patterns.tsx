import { useState } from 'react';
import type { PatternAnswer } from '../../../readings/history/history-answer';
import type { PatternUnit } from '../../../readings/history/pattern-cells';
import {
  CO2,
  type Metric,
  type MetricField,
  measuredMetrics,
  type Thresholds,
} from '../../../readings/metric';
import type { Span } from '../../../readings/time/history-span';
import { segmentLook } from '../../controls';
import { useMetrics } from '../../page-contexts';
import { nameDays } from '../span/span-title';
import { TypicalDay } from './typical-day';
import { WhenWorst } from './when-worst';

interface PatternsProps {
  /** The pattern of `view`; null while it loads, which keeps the space. */
  pattern: PatternAnswer | null;
  /** The last pattern, which keeps the metric buttons while the next one loads. */
  last: PatternAnswer | null;
  by: PatternUnit;
  view: Span;
  /** True if the pattern covers more days than the span; the cards then name the days. */
  isLonger: boolean;
  /** The start of the span in milliseconds since 1970. `view` may start earlier, but no earlier time is called the worst. */
  worstFrom?: number;
  now: number;
  first: number | null;
  thresholds: Thresholds;
  hrefOf(from: number, to: number): string;
}

/** Two cards for a metric that the viewer chooses: the worst times and the typical day. */
export function Patterns({ pattern, last, thresholds, isLonger, ...rest }: PatternsProps) {
  const all = useMetrics();
  const [field, setField] = useState<MetricField | null>(null);
  // The last pattern keeps the choice while another span loads.
  const metrics = measuredMetrics((pattern ?? last)?.cells ?? [], all);
  const metric = metrics.find((one) => one.field === field) ?? metrics[0] ?? CO2;
  const choice = metrics.length > 1 && <MetricChoice metrics={metrics} chosen={metric} onChoose={setField} />;
  const days = isLonger ? nameDays(rest.view, new Date(rest.now)) : null;
  const shown = { pattern, metric, thresholds, days };
  return (
    <>
      <WhenWorst {...shown} {...rest} aside={choice} />
      <TypicalDay {...shown} />
    </>
  );
}

function MetricChoice({
  metrics,
  chosen,
  onChoose,
}: {
  metrics: readonly Metric[];
  chosen: Metric;
  onChoose(field: MetricField): void;
}) {
  return (
    <fieldset className="flex flex-wrap rounded-xl bg-canvas p-[3px]">
      <legend className="sr-only">Metric</legend>
      {metrics.map((metric) => (
        <button
          key={metric.field}
          type="button"
          aria-pressed={metric === chosen}
          onClick={() => onChoose(metric.field)}
          className={`${segmentLook(metric === chosen)} min-w-12 cursor-pointer`}
        >
          {metric.name}
        </button>
      ))}
    </fieldset>
  );
}
