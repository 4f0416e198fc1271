import { formatValue, roundTo } from '../../readings/format/format-value';
import { type JudgedValue, LEVELS, type Level, levelOf, severityOf } from '../../readings/level/level';
import { isFaulty, type MetricField, metricOf, type Threshold } from '../../readings/metric';
import type { Freshness } from '../../readings/now/stale';
import type { ReadingInput } from '../../readings/reading';
import { FAULT_TEXT, FAULT_TITLE, FORCED_FILL, PANEL_LOOK } from '../level-look';
import { bandText } from './small-tile';

export interface MetricCardProps {
  name: string;
  /** The latest reading, in `new`; null without readings. */
  currentReading: { new: ReadingInput } | null;
  previousReading: ReadingInput | null;
  dataParam: MetricField;
  /** Missing for a metric without levels; the tile then shows no scale and no change. */
  threshold?: Threshold;
  /** True if the verdict says that this metric's sensor has to be checked. An impossible value counts anyway. */
  hasFault?: boolean;
  unit: string;
  format?: (value: number) => string;
  /** The newest value by the sensor's own limits of comfort, for a metric without a threshold. */
  comfort?: JudgedValue | null;
  /** True until a reading is known; the tile then shows "Getting Reading". */
  loading: boolean;
  /** Only a live value has a level and a change. Other values are grey. */
  freshness?: Freshness;
  age?: string;
  /** True for the wall layout, whose figures take a fifth of the screen's height. */
  isWall?: boolean;
  /** True to leave room for a row of small tiles on a wall. */
  isLow?: boolean;
}

/** The look of a tile without a level. The tile's text also tells the states apart. */
const FRESHNESS_LOOK: Record<Freshness, string> = {
  live: 'border-line bg-surface text-ink',
  none: 'border-dotted border-line bg-surface text-muted',
  ahead: 'border-dotted border-muted bg-canvas text-muted',
  slow: 'border-line bg-canvas text-muted',
  stale: 'border-muted bg-canvas text-muted',
  checking: 'border-muted bg-canvas text-muted',
  disconnected: 'border-dashed border-muted bg-canvas text-muted',
};

/** A tile for one metric. Every state has the same rows, so that nothing moves when the first reading arrives. */
export function MetricCard(props: MetricCardProps) {
  const { name, currentReading, previousReading, dataParam, threshold, unit, loading, age } = props;
  const { freshness = 'live', hasFault = false, isWall = false, isLow = false } = props;
  const { format = (value) => formatValue(value, threshold) } = props;
  const reading = loading ? undefined : currentReading?.new;
  const value = reading?.[dataParam] ?? undefined;
  const isAbsent = !!reading && value === undefined;
  const isLive = value !== undefined && freshness === 'live';
  const hasFaultNow = isLive && isFaulty(value, metricOf(dataParam));
  const comfort = threshold ? null : props.comfort;
  const judged =
    isLive && !hasFaultNow ? (threshold ? levelOf(value, threshold) : (comfort?.level ?? null)) : null;
  const level = judged === 'good' && hasFault ? null : judged;
  const own = judged
    ? level
      ? (comfort?.words ?? level)
      : 'check'
    : isLive
      ? bandText(value, metricOf(dataParam))
      : null;
  const word = hasFaultNow ? FAULT_TEXT : own;
  const look = level
    ? `border-transparent ${PANEL_LOOK[level]}`
    : FRESHNESS_LOOK[isAbsent ? 'none' : freshness];
  const shown = value === undefined ? '–' : format(value);
  // A wall has no titles of cards, which are one level above.
  const Heading = isWall ? 'h2' : 'h3';

  return (
    <article
      aria-label={name}
      data-level={level ?? undefined}
      data-freshness={freshness}
      className={`min-w-0 rounded-2xl border-2 px-2.5 -outline-offset-4 sm:px-4 ${isWall ? 'py-[0.4vh] tablet:px-2.5' : 'py-2 sm:py-3'} ${look}`}
    >
      <div
        data-wide={(isWall && !isLow) || undefined}
        className={`measured flex h-full flex-col gap-1 text-sm ${shareOf(isWall, isLow)}`}
      >
        <div className="flex min-h-11 flex-col justify-between gap-x-3 tile-md:min-h-6 tile-md:flex-row tile-md:items-baseline">
          <Heading className="text-base font-semibold">
            {/* In a text of its own, Chromium doesn't read the space: "CO2PPM". */}
            {`${name} `}
            {/* On a wall, the unit doesn't fit beside the value. */}
            {isWall && <span className="font-normal">{unit}</span>}
          </Heading>
          {loading ? (
            <p className="noscript:hidden">Getting Reading</p>
          ) : (
            word && (
              <p className="font-semibold" title={hasFaultNow ? FAULT_TITLE : undefined}>
                {word}
              </p>
            )
          )}
        </div>
        <p
          className={`my-auto flex ${isWall ? '' : 'min-h-16'} flex-col justify-center gap-x-2 leading-none font-bold wrap-anywhere tile-sm:flex-row tile-sm:items-baseline tile-sm:justify-start`}
        >
          <span className={isWall ? wallFigureSize(shown, isLow) : figureSize(shown)}>{shown}</span>{' '}
          {!isWall && !isAbsent && <span className="text-base font-semibold">{unit}</span>}
        </p>
        {threshold && <LevelScale value={value} threshold={threshold} isLive={level !== null} />}
        <div className="flex min-h-10 flex-col justify-between gap-x-3 tile-lg:min-h-5 tile-lg:flex-row">
          {isLive && threshold && <Change change={percentageChange(value, previousReading?.[dataParam])} />}
          {isAbsent && <p>not in the newest reading</p>}
          {age && !isAbsent && <p className="tile-lg:ml-auto">{age}</p>}
        </div>
      </div>
    </article>
  );
}

/** The tile's width in per cent of the window's, for browsers without container queries. */
function shareOf(isWall: boolean, isLow: boolean): string {
  if (!isWall) return '[--share:0.38vw] md:[--share:0.24vw]';
  return `landscape:[--share:0.44vw] ${isLow ? '[--share:0.4vw]' : '[--share:0.85vw] tablet:[--share:0.42vw]'}`;
}

function figureSize(value: string): string {
  if (value.length <= 4) return 'text-[clamp(1.75rem,30*var(--cqi),4rem)]';
  return value.length <= 7
    ? 'text-[clamp(1.25rem,18*var(--cqi),3rem)]'
    : 'text-[clamp(1rem,10*var(--cqi),2rem)]';
}

/** Font sizes on a wall, by the value's width in digits. Chosen so that even DejaVu Sans Bold, a wide font, fits. */
const WALL_SIZES: [digits: number, size: string][] = [
  [4, 'text-[length:min(var(--height),38*var(--cqi))]'],
  [4.6, 'text-[length:min(var(--height),32*var(--cqi))]'],
  [5.6, 'text-[length:min(var(--height),26.5*var(--cqi))]'],
  [7.2, 'text-[length:min(var(--height),20.5*var(--cqi))]'],
  [13, 'text-[length:min(var(--height),11.5*var(--cqi))]'],
  [Number.POSITIVE_INFINITY, 'text-[min(12vh,8*var(--cqi))]'],
];

function wallFigureSize(value: string, isLow: boolean): string {
  const digits = value.length - 0.4 * (value.split('.').length - 1);
  const [, size] = WALL_SIZES.find(([most]) => digits <= most) ?? [];
  // In portrait orientation, the tiles are stacked.
  const height = isLow
    ? '[--height:8vh] landscape:[--height:14vh]'
    : '[--height:12vh] landscape:[--height:29vh]';
  return `${height} leading-[0.8] tracking-[-0.04em] ${size}`;
}

interface LevelScaleProps {
  value: number | undefined;
  threshold: Threshold;
  /** True if the value describes the air now. Other values have no colours. */
  isLive: boolean;
}

/** The end of the scale, as a severity. The poor zone is half as wide as the others, so for CO2 it ends at 2500 PPM. */
const SCALE_END = 2.5;

const ZONE_SHAPE: Record<Level, string> = {
  good: 'grow-2 rounded-l-full',
  moderate: 'grow-2',
  poor: 'grow rounded-r-full',
};

const ZONE_COLOR: Record<Level, string> = {
  good: 'bg-good-ink',
  moderate: 'bg-moderate-ink',
  poor: 'bg-poor-ink',
};

/** The zones of the levels with a mark at the value. Hidden from screen readers, because the tile says the same in words. */
function LevelScale({ value, threshold, isLive }: LevelScaleProps) {
  return (
    <div aria-hidden="true" className="relative my-1 flex h-2 gap-0.5">
      {LEVELS.map((level) => (
        <span
          key={level}
          data-zone={level}
          className={`basis-0 border border-transparent ${ZONE_SHAPE[level]} ${FORCED_FILL[level]} ${isLive ? `not-forced-colors:opacity-55 ${ZONE_COLOR[level]}` : 'bg-line'}`}
        />
      ))}
      {value !== undefined && (
        // An SVG, because the Content-Security-Policy forbids inline styles but allows SVG attributes.
        <svg
          aria-hidden="true"
          data-mark
          width="100%"
          height="16"
          className="absolute inset-x-0 -top-1 h-4 w-full overflow-visible"
        >
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

/** Returns a value's position on the scale, such as `40%`, limited to its ends. */
function positionOf(value: number, threshold: Threshold): string {
  const share = Math.min(1, Math.max(0, severityOf(value, threshold) / SCALE_END));
  return `${(share * 100).toFixed(2)}%`;
}

/** The length of `+12.34%`, which fits the narrowest tile on a screen 320 px wide. */
const LENGTH_THAT_FITS = 7;

/** The change: green if rising, red if falling, and shortened if the exact form doesn't fit. */
function Change({ change }: { change: number | null }) {
  const look = !change ? 'text-ink' : change > 0 ? 'text-rise' : 'text-fall';
  const exact = formatChange(change);
  const isLong = change !== null && exact.length > LENGTH_THAT_FITS;
  const isBeyond = isLong && isBeyondPercent(change);
  return (
    <p className={`font-semibold ${look}`} title={isLong ? exact : undefined}>
      <span className="sr-only">change: </span>
      {!!change && <span aria-hidden="true">{change > 0 ? '▲ ' : '▼ '}</span>}
      <span className={isBeyond ? 'sr-only' : isLong ? '@max-[7.5rem]:sr-only' : ''}>{exact}</span>
      {isLong && (
        <span aria-hidden="true" className={isBeyond ? '' : 'uncontained:hidden @min-[7.5rem]:hidden'}>
          {formatShortChange(change)}
        </span>
      )}
    </p>
  );
}

/**
 * Returns (value - previous) / previous * 100, rounded to 2 decimals; null if not finite, and unless the previous value is
 * positive: from -10 to 5 is no change of -150 %.
 */
export function percentageChange(value: number, previous: number | null | undefined): number | null {
  if (previous === null || previous === undefined || previous <= 0) return null;
  const change = roundTo(((value - previous) / previous) * 100, 2);
  // Adding 0 turns -0 into 0.
  return Number.isFinite(change) ? change + 0 : null;
}

export function formatChange(change: number | null): string {
  if (change === null) return '–';
  return `${change > 0 ? '+' : ''}${change.toFixed(2)}%`;
}

/** Above this percentage, the value is more than 1000 times the previous one. */
const THOUSANDFOLD = 99_900;

/** Formats a change in a short form: `+627%`, `more than ×1000`. */
export function formatShortChange(change: number): string {
  if (isBeyondPercent(change)) return 'more than ×1000';
  return `${change > 0 ? '+' : ''}${Math.round(change)}%`;
}

function isBeyondPercent(change: number): boolean {
  return Math.abs(change) > THOUSANDFOLD;
}
