import type { PatternUnit } from '../../../readings/history/pattern-cells';
import { LEVELS, type Level, type Threshold } from '../../../readings/level/level';
import type { Metric } from '../../../readings/metric';
import { SHADES } from './shade';
import { EMPTY_LOOK, SPARSE_LOOK, shadeLook } from './shade-look';

interface ShadeLegendProps {
  metric: Metric;
  threshold: Threshold;
  by: PatternUnit;
  /** True if some cells are pale. */
  hasSparse: boolean;
  /** True if the page says how to open a cell elsewhere. */
  hasHint: boolean;
}

const DEPTHS = Array.from({ length: SHADES }, (_, i) => i + 1);

/** The shades of each level with its limits. */
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
