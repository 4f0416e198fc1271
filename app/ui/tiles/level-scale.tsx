import { LEVELS, type Level, severityOf, type Threshold } from '../../readings/level/level';
import { FORCED_FILL } from '../level-look';

interface LevelScaleProps {
  /** Where the mark stands; without a value there is none. */
  value: number | undefined;
  threshold: Threshold;
  /** True if the value is that of the air now. Others have no colours. */
  isLive: boolean;
}

/** The poor zone has no end: half as wide as the others, it ends at 2500 PPM. */
const SCALE_END = 2.5;

const ZONE_SHAPE: Record<Level, string> = {
  good: 'grow-2 rounded-l-full',
  moderate: 'grow-2',
  poor: 'grow rounded-r-full',
};

const ZONE_COLOR: Record<Level, string> = {
  good: 'bg-good-ink/55',
  moderate: 'bg-moderate-ink/55',
  poor: 'bg-poor-ink/55',
};

/** The zones of the levels, with a mark where a value stands. The tile says the same in words. */
export function LevelScale({ value, threshold, isLive }: LevelScaleProps) {
  return (
    <div aria-hidden="true" className="relative my-1 flex h-2 gap-0.5">
      {LEVELS.map((level) => (
        <span
          key={level}
          data-zone={level}
          className={`basis-0 border border-transparent ${ZONE_SHAPE[level]} ${FORCED_FILL[level]} ${isLive ? ZONE_COLOR[level] : 'bg-line'}`}
        />
      ))}
      {value !== undefined && (
        // The Content-Security-Policy allows no inline style, but attributes of an SVG.
        <svg aria-hidden="true" data-mark className="absolute inset-x-0 -top-1 h-4 w-full overflow-visible">
          <Mark
            at={positionOf(value, threshold)}
            className="hidden stroke-[Canvas] stroke-[0.5rem] forced-colors:inline"
          />
          <Mark
            at={positionOf(value, threshold)}
            className={`stroke-[0.25rem] forced-colors:stroke-[Highlight] ${isLive ? 'stroke-ink' : 'stroke-muted'}`}
          />
        </svg>
      )}
    </div>
  );
}

function Mark({ at, className }: { at: string; className: string }) {
  return <line x1={at} x2={at} y1="12.5%" y2="87.5%" strokeLinecap="round" className={className} />;
}

/** Returns where a value stands on the scale, one beyond an end stands at that end: `40%`. */
function positionOf(value: number, threshold: Threshold): string {
  const share = Math.min(1, Math.max(0, severityOf(value, threshold) / SCALE_END));
  return `${(share * 100).toFixed(2)}%`;
}
