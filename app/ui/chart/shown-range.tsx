import type { Connection } from '../../live/browser/connection';
import type { Range } from '../../readings/range';
import type { Reading } from '../../readings/reading';
import { describeShownRange } from '../../readings/shown-range';
import { useHydrated } from '../use-hydrated';
import { isDrawable } from './live-chart';

interface ShownRangeProps {
  /** Oldest first. */
  history: readonly Reading[];
  /** How many readings exist; `history` may not hold all of them yet. */
  count: number;
  range: Range;
  connection: Connection;
}

/** Says which readings the chart shows. Its place is kept until they and the viewer's time zone are known. */
export function ShownRange({ history, count, range, connection }: ShownRangeProps) {
  const isKnown = useHydrated() && isDrawable(range, history, count, connection);
  return (
    <p data-shown-range className="min-h-8 text-xs text-muted sm:min-h-5 sm:text-sm">
      {isKnown && describeShownRange(history, range, new Date())}
    </p>
  );
}
