import { at } from '../../../readings/at';
import { formatAverage, withUnit } from '../../../readings/format/format-value';
import type { PatternUnit } from '../../../readings/history/pattern-cells';
import { LEVELS, type Level, levelOf, severityOf } from '../../../readings/level/level';
import type { Metric, Threshold } from '../../../readings/metric';
import { FORCED_FILL, FORCED_FRAME } from '../../level-look';

const SHADES = 3;

/** A shade of a level's colour, by the value's position in the level: 1 (best) to `SHADES` (worst). */
interface Shade {
  level: Level;
  depth: number;
}

/** Returns a value's shade. The poor level has no upper end, so its shades are as wide as the moderate ones. */
export function shadeOf(value: number, threshold: Threshold): Shade {
  const level = levelOf(value, threshold);
  const depth = Math.floor((severityOf(value, threshold) - LEVELS.indexOf(level)) * SHADES) + 1;
  return { level, depth: Math.min(SHADES, Math.max(1, depth)) };
}

const COLORS: Record<Level, readonly string[]> = {
  good: ['bg-shade-good-1', 'bg-shade-good-2', 'bg-shade-good-3'],
  moderate: ['bg-shade-moderate-1', 'bg-shade-moderate-2', 'bg-shade-moderate-3'],
  poor: ['bg-shade-poor-1', 'bg-shade-poor-2', 'bg-shade-poor-3'],
};

/** A dot in poor cells, for people who can't distinguish the colours. */
const DOT = 'bg-[radial-gradient(circle,var(--surface)_1.5px,transparent_2px)]';

export const EMPTY_LOOK = 'bg-[repeating-linear-gradient(135deg,var(--hatch)_0_1.5px,transparent_1.5px_6px)]';

/** Makes a cell pale if little of its time was measured. */
export const SPARSE_LOOK = 'opacity-40 hover:opacity-100 focus-visible:opacity-100';

function shadeLook({ level, depth }: Shade): string {
  return `${at(COLORS[level], depth - 1)} ${level === 'poor' ? DOT : ''} ${FORCED_FILL[level]}`;
}

/** The lowest and highest average of all cells. */
export interface ValueRange {
  lowest: number;
  highest: number;
}

/** The shades for a metric without levels, in its line's colour. Chrome before 111 and Safari before 16.2 have no `color-mix`. */
const VALUE_LOOKS = [
  'bg-[rgb(var(--metric-rgb)/14%)]',
  'bg-[rgb(var(--metric-rgb)/32%)]',
  'bg-[rgb(var(--metric-rgb)/50%)]',
  'bg-[rgb(var(--metric-rgb)/70%)]',
  'bg-[rgb(var(--metric-rgb)/92%)]',
].map((look) => `${look} ${FORCED_FRAME}`);

/** Returns a cell's classes: by level, or by the position between the lowest and highest average. */
export function cellLook(value: number, threshold: Threshold | undefined, range: ValueRange): string {
  if (threshold) return shadeLook(shadeOf(value, threshold));
  const share = (value - range.lowest) / (range.highest - range.lowest || 1);
  return at(VALUE_LOOKS, Math.min(VALUE_LOOKS.length - 1, Math.floor(share * VALUE_LOOKS.length)));
}

interface ShadeLegendProps {
  metric: Metric;
  threshold: Threshold | undefined;
  range: ValueRange;
  by: PatternUnit;
  hasSparse: boolean;
  /** True if the page shows how to open a cell elsewhere. */
  hasHint: boolean;
}

const DEPTHS = Array.from({ length: SHADES }, (_, i) => i + 1);

export function ShadeLegend({ metric, threshold, range, by, hasSparse, hasHint }: ShadeLegendProps) {
  const samples = threshold
    ? LEVELS.map((level) => shadeLook({ level, depth: 2 }))
    : [1, 2, 3].map((i) => at(VALUE_LOOKS, i));
  return (
    <div
      data-metric={metric.field}
      className="mt-3 flex flex-wrap justify-between gap-x-5 gap-y-1 text-xs text-muted"
    >
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {entriesOf(metric, threshold, range).map(({ text, looks }) => (
          <li key={text} className="flex items-center gap-1.5">
            <Samples looks={looks} />
            {text}
          </li>
        ))}
        {hasSparse && (
          <li className="flex items-center gap-1.5">
            <Samples looks={samples.map((look) => `${look} ${SPARSE_LOOK}`)} />
            pale: little measured
          </li>
        )}
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`h-3.5 w-6 rounded-xs ${EMPTY_LOOK}`} />
          no readings
        </li>
      </ul>
      <p className={`print:hidden ${hasHint ? 'invisible' : ''}`}>
        Choose {by === 'hour' ? 'an hour' : 'a day'} to see it.
      </p>
    </div>
  );
}

/** Returns the legend's entries: the levels with their thresholds, or the range of the values. */
function entriesOf(
  metric: Metric,
  threshold: Threshold | undefined,
  { lowest, highest }: ValueRange,
): { text: string; looks: string[] }[] {
  if (!threshold) {
    if (lowest > highest) return [];
    const [from, to] = [lowest, highest].map((value) => formatAverage(value, undefined, undefined, metric));
    return [{ text: `${from} to ${withUnit(metric, to ?? '')}, higher is darker`, looks: VALUE_LOOKS }];
  }
  const { good, moderate } = threshold;
  const limits: Record<Level, string> = {
    good: `below ${withUnit(metric, good)}`,
    moderate: `below ${moderate}`,
    poor: `${moderate} or more`,
  };
  return LEVELS.map((level) => ({
    text: `${level}, ${limits[level]}`,
    looks: DEPTHS.map((depth) => shadeLook({ level, depth })),
  }));
}

function Samples({ looks }: { looks: readonly string[] }) {
  return (
    <span aria-hidden="true" className="flex gap-px">
      {looks.map((look) => (
        <span key={look} className={`h-3.5 w-3 rounded-xs ${look}`} />
      ))}
    </span>
  );
}
