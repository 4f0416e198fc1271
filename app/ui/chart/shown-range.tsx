import type { Range } from '../../readings/chart/range';
import { useShownReadings } from '../page-contexts';
import { useHydrated } from '../use-hydrated';
import { isDrawable } from './live-chart';
import { describeShownRange } from './range-period';

/** Says which readings the chart shows. Its place is kept until they and the viewer's time zone are known. */
export function ShownRange({ range }: { range: Range }) {
  const readings = useShownReadings();
  const isKnown = useHydrated() && isDrawable(readings, range);
  return (
    <p data-shown-range className="min-h-8 text-xs text-muted sm:min-h-5 sm:text-sm">
      {isKnown && describeShownRange(readings.history, range, new Date())}
    </p>
  );
}
