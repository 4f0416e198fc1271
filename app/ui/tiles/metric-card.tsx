import { formatValue } from '../../readings/format/format-value';
import { levelOf, type Threshold } from '../../readings/level/level';
import { type MetricField, NOT_MEASURED } from '../../readings/metric';
import type { Freshness } from '../../readings/now/stale';
import type { ReadingInput } from '../../readings/reading';
import { PANEL_LOOK } from '../level-look';
import { Change, percentageChange } from './change';
import { LevelScale } from './level-scale';

export interface MetricCardProps {
  name: string;
  /** The latest values, in `new`; null while there are none. */
  currentReading: { new: ReadingInput } | null;
  previousReading: ReadingInput | null;
  dataParam: MetricField;
  threshold: Threshold;
  unit: string;
  /** True until a reading is known: the tile says 'Getting Reading' instead. */
  loading: boolean;
  /** Only a live value has a level and a change. Others are grey. */
  freshness?: Freshness;
  /** True if earlier readings have this metric, should the reading lack it. */
  isMeasured?: boolean;
  /** The age of the reading, formatted. */
  age?: string;
  /** True if the value is read from across a room: its figures take a fifth of the screen's height. */
  isWall?: boolean;
}

/** The look of a tile without a level. Each state differs, and the text of the tile says which it is. */
const FRESHNESS_LOOK: Record<Freshness, string> = {
  live: 'border-line bg-surface text-ink',
  none: 'border-dotted border-line bg-surface text-muted',
  ahead: 'border-dotted border-muted bg-canvas text-muted',
  slow: 'border-line bg-canvas text-muted',
  stale: 'border-muted bg-canvas text-muted',
  disconnected: 'border-dashed border-muted bg-canvas text-muted',
};

/**
 * A tile for one metric: level, value in large figures, scale, change and age. Every state has the same rows, so that
 * nothing moves when the first reading arrives.
 */
export function MetricCard(props: MetricCardProps) {
  const { name, currentReading, previousReading, dataParam, threshold, unit, loading, age } = props;
  const { freshness = 'live', isMeasured = false, isWall = false } = props;
  const reading = loading ? undefined : currentReading?.new;
  const value = reading?.[dataParam] ?? undefined;
  const isAbsent = !!reading && value === undefined;
  const isLive = value !== undefined && freshness === 'live';
  const level = isLive ? levelOf(value, threshold) : null;
  const look = level
    ? `border-transparent ${PANEL_LOOK[level]}`
    : FRESHNESS_LOOK[isAbsent ? 'none' : freshness];
  const shown = value === undefined ? '–' : formatValue(value, threshold);

  return (
    <article
      aria-label={name}
      data-level={level ?? undefined}
      data-freshness={freshness}
      className={`min-w-0 rounded-2xl border-2 px-2.5 py-2 -outline-offset-4 sm:px-4 sm:py-3 ${isWall ? 'tablet:px-2.5' : ''} ${look}`}
    >
      <div className="@container flex h-full flex-col gap-1 text-sm">
        <div className="flex min-h-11 flex-col justify-between gap-x-3 @min-[11.5rem]:min-h-6 @min-[11.5rem]:flex-row @min-[11.5rem]:items-baseline">
          <h3 className="text-base font-semibold">
            {name}
            {/* Beside the value there is no room for it. */}
            {isWall && <span className="font-normal"> {unit}</span>}
          </h3>
          {loading ? (
            <p className="noscript:hidden">Getting Reading</p>
          ) : (
            level && <p className="font-semibold">{level}</p>
          )}
        </div>
        <p className="my-auto flex min-h-16 flex-col justify-center gap-x-2 leading-none font-bold wrap-anywhere @min-[11rem]:flex-row @min-[11rem]:items-baseline @min-[11rem]:justify-start">
          <span className={isWall ? wallFigureSize(shown) : figureSize(shown)}>{shown}</span>{' '}
          {!isWall && !isAbsent && <span className="text-base font-semibold">{unit}</span>}
        </p>
        <LevelScale value={value} threshold={threshold} isLive={isLive} />
        <div className="flex min-h-10 flex-col justify-between gap-x-3 @min-[13rem]:min-h-5 @min-[13rem]:flex-row">
          {isLive && <Change change={percentageChange(value, previousReading?.[dataParam])} />}
          {isAbsent && <p>{isMeasured ? 'not in the newest reading' : `${NOT_MEASURED} by this sensor`}</p>}
          {age && !isAbsent && <p className="@min-[13rem]:ml-auto">{age}</p>}
        </div>
      </div>
    </article>
  );
}

/** Scales a value with the width of its tile, and keeps long numbers on one line. */
function figureSize(value: string): string {
  if (value.length <= 4) return 'text-[clamp(1.75rem,30cqi,4rem)]';
  return value.length <= 7 ? 'text-[clamp(1.25rem,18cqi,3rem)]' : 'text-[clamp(1rem,10cqi,2rem)]';
}

/** The sizes of figures on a wall by how many digits wide they are: those of DejaVu Sans Bold, a wide font, fit. */
const WALL_SIZES: [digits: number, size: string][] = [
  [4, 'text-[length:min(var(--height),38cqi)]'],
  [4.6, 'text-[length:min(var(--height),32cqi)]'],
  [5.6, 'text-[length:min(var(--height),26.5cqi)]'],
  [7.2, 'text-[length:min(var(--height),20.5cqi)]'],
  [13, 'text-[length:min(var(--height),11.5cqi)]'],
  [Number.POSITIVE_INFINITY, 'text-[min(12vh,8cqi)]'],
];

function wallFigureSize(value: string): string {
  const digits = value.length - 0.4 * (value.split('.').length - 1);
  const [, size] = WALL_SIZES.find(([most]) => digits <= most) ?? [];
  // On an upright screen the tiles stand above each other.
  return `[--height:12vh] landscape:[--height:29vh] leading-[0.86] tracking-[-0.04em] ${size}`;
}
