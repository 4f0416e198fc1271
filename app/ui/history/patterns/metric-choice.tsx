import type { Metric, MetricField } from '../../../readings/metric';
import { segmentLook } from '../../chart/draw/segment-look';

interface MetricChoiceProps {
  metrics: readonly Metric[];
  chosen: Metric;
  onChoose(field: MetricField): void;
}

/** A segmented control for the metric that is shown. */
export function MetricChoice({ metrics, chosen, onChoose }: MetricChoiceProps) {
  return (
    <fieldset className="flex rounded-xl bg-canvas p-[3px]">
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
