import type { Gap, PlacedGap } from '../../readings/chart/gap';
import { useHydrated } from '../use-hydrated';
import { gapLength, gapsLength, gapTimes } from './point-text';

/** More gaps than this are folded. */
const MOST_SHOWN = 3;

/** Says when readings are missing: strips of a chart whose points are equally far apart don't show how long. */
export function GapList({ gaps: placed }: { gaps: readonly PlacedGap[] }) {
  // The server doesn't know the viewer's time zone.
  if (!useHydrated() || placed.length === 0) return null;
  const gaps = placed.map(({ gap }) => gap);
  const now = new Date();
  const describe = (gap: Gap) => `${gapTimes(gap, now)} (${gapLength(gap)})`;
  const look = 'mt-2 text-center text-sm text-muted sm:mt-4';
  if (gaps.length <= MOST_SHOWN)
    return <p className={look}>Without readings: {gaps.map(describe).join(', ')}</p>;
  return (
    <details className={look}>
      <summary className="cursor-pointer py-2">
        Without readings {gaps.length} times, {gapsLength(gaps)} in all
      </summary>
      <ul className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
        {gaps.map((gap) => (
          <li key={gap.from}>{describe(gap)}</li>
        ))}
      </ul>
    </details>
  );
}
