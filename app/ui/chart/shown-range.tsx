import type { Range } from '../../readings/chart/range';
import { useHydrated } from '../use-hydrated';
import { type ChartReadings, isDrawable } from './live-chart';
import { describeShownRange } from './range-period';

interface ShownRangeProps extends ChartReadings {
  range: Range;
}

/** Says which readings the chart shows. Its place is kept until they and the viewer's time zone are known. */
export function ShownRange({ history, count, range, connection }: ShownRangeProps) {
  const isKnown = useHydrated() && isDrawable({ history, count, connection }, range);
  return (
    <p data-shown-range className="min-h-8 text-xs text-muted sm:min-h-5 sm:text-sm">
      {isKnown && describeShownRange(history, range, new Date())}
    </p>
  );
}
