import { at } from '../../../readings/at';
import type { PatternUnit } from '../../../readings/history/pattern-cells';
import { LEVELS, type Level, levelOf, severityOf } from '../../../readings/level/level';
import type { Metric, Threshold } from '../../../readings/metric';
import { FORCED_FILL } from '../../level-look';

const SHADES = 3;

/** A level, and how deep in it a value lies: from 1 to `SHADES`, the deepest for the worst. */
interface Shade {
  level: Level;
  depth: number;
}

/** Returns the shade of a value. The poor level has no end: its shades divide as much as the moderate level spans. */
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

/** Poor cells have a dot for those who can't tell the colours apart. */
const DOT = 'bg-[radial-gradient(circle,var(--surface)_1.5px,transparent_2px)]';

export const EMPTY_LOOK =
  'bg-[repeating-linear-gradient(135deg,color-mix(in_srgb,var(--muted)_30%,transparent)_0_1.5px,transparent_1.5px_6px)]';

/** Makes the ground of a cell pale of which little was measured. */
export const SPARSE_LOOK = 'opacity-40 hover:opacity-100 focus-visible:opacity-100';

export function shadeLook({ level, depth }: Shade): string {
  return `${at(COLORS[level], depth - 1)} ${level === 'poor' ? DOT : ''} ${FORCED_FILL[level]}`;
}

interface ShadeLegendProps {
  metric: Metric;
  threshold: Threshold;
  by: PatternUnit;
  hasSparse: boolean;
  /** True if the page says how to open a cell elsewhere. */
  hasHint: boolean;
}

const DEPTHS = Array.from({ length: SHADES }, (_, i) => i + 1);

export function ShadeLegend({ metric: { unit }, threshold, by, hasSparse, hasHint }: ShadeLegendProps) {
  const { good, moderate } = threshold;
  const limits: Record<Level, string> = {
    good: `below ${good} ${unit}`,
    moderate: `below ${moderate}`,
    poor: `${moderate} or more`,
  };
  return (
    <div className="mt-3 flex flex-wrap justify-between gap-x-5 gap-y-1 text-xs text-muted">
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {LEVELS.map((level) => (
          <li key={level} className="flex items-center gap-1.5">
            <span aria-hidden="true" className="flex gap-px">
              {DEPTHS.map((depth) => (
                <span key={depth} className={`h-3.5 w-3 rounded-xs ${shadeLook({ level, depth })}`} />
              ))}
            </span>
            {level}, {limits[level]}
          </li>
        ))}
        {hasSparse && (
          <li className="flex items-center gap-1.5">
            <span aria-hidden="true" className="flex gap-px">
              {LEVELS.map((level) => (
                <span
                  key={level}
                  className={`h-3.5 w-3 rounded-xs ${shadeLook({ level, depth: 2 })} ${SPARSE_LOOK}`}
                />
              ))}
            </span>
            pale: little measured
          </li>
        )}
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`h-3.5 w-6 rounded-xs ${EMPTY_LOOK}`} />
          no readings
        </li>
      </ul>
      <p className={hasHint ? 'invisible' : ''}>Choose {by === 'hour' ? 'an hour' : 'a day'} to see it.</p>
    </div>
  );
}
