import { formatValue } from '../../readings/format-value';
import type { Freshness } from '../../readings/freshness';
import { type Level, levelOf } from '../../readings/level';
import { formatChange, percentageChange } from '../../readings/percentage-change';
import type { ReadingInput } from '../../readings/reading';
import type { Threshold } from '../../readings/threshold';

export interface MetricCardProps {
  name: string;
  /** The latest values, in `new`; null while there are none. */
  currentReading: { new: ReadingInput } | null;
  previousReading: ReadingInput | null;
  /** Which field of a reading this tile shows. */
  dataParam: keyof ReadingInput;
  threshold: Threshold;
  unit: string;
  /** True until the first insert arrives: 'Getting Reading' replaces the value. */
  loading: boolean;
  /** The newest stored reading, shown in small type while loading. */
  storedReading?: ReadingInput | null;
  /** Only a live value has a level and a change. Others are grey. */
  freshness?: Freshness;
  /** The age of the reading, formatted. */
  age?: string;
}

const LEVEL_LOOK: Record<Level, string> = {
  good: 'border-good-ink bg-good text-good-ink',
  moderate: 'border-moderate-ink bg-moderate text-moderate-ink',
  poor: 'border-poor-ink bg-poor text-poor-ink',
};

/** The look of a tile without a level. Each state differs, and the text of the tile says which it is. */
const FRESHNESS_LOOK: Record<Freshness, string> = {
  live: 'border-line bg-surface text-ink',
  none: 'border-dotted border-line bg-surface text-muted',
  ahead: 'border-dotted border-muted bg-canvas text-muted',
  stale: 'border-muted bg-canvas text-muted',
  disconnected: 'border-dashed border-muted bg-canvas text-muted',
};

/** A tile for one metric: its value in large figures, level, change and age. */
export function MetricCard(props: MetricCardProps) {
  const { name, currentReading, previousReading, dataParam, threshold, unit, loading, age } = props;
  const { freshness = 'live', storedReading } = props;
  const value = loading ? undefined : currentReading?.new?.[dataParam];
  const isLive = value !== undefined && freshness === 'live';
  const level = isLive ? levelOf(value, threshold) : null;
  const look = level ? LEVEL_LOOK[level] : FRESHNESS_LOOK[freshness];
  const stored = storedReading?.[dataParam];
  const shown = value === undefined ? '–' : formatValue(value);

  return (
    <article
      aria-label={name}
      data-level={level ?? undefined}
      data-freshness={freshness}
      className={`@container flex min-h-56 flex-col rounded-xl border-2 p-3 sm:min-h-60 sm:p-5 ${look}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-lg font-semibold">{name}</h3>
        {level && <p className="font-semibold">{level}</p>}
      </div>
      {loading ? (
        <p className="my-auto py-3 text-2xl noscript:hidden">Getting Reading</p>
      ) : (
        <p className="my-auto leading-none font-bold wrap-anywhere">
          <span className={figureSize(shown)}>{shown}</span>{' '}
          <span className="mt-1 block text-lg font-semibold @3xs:inline">{unit}</span>
        </p>
      )}
      <div className="mt-2 flex min-h-7 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        {isLive && <Change change={percentageChange(value, previousReading?.[dataParam])} />}
        {loading && stored !== undefined && (
          <p className="text-sm">
            last stored: {formatValue(stored)} {unit}
          </p>
        )}
        {age && <p className={loading ? 'text-sm' : ''}>{age}</p>}
      </div>
    </article>
  );
}

/** Scales a value with the width of its tile, and keeps long numbers on one line. */
function figureSize(value: string): string {
  if (value.length <= 4) return 'text-[clamp(2.5rem,32cqi,8rem)]';
  return value.length <= 7 ? 'text-[clamp(1.75rem,20cqi,6rem)]' : 'text-[clamp(1.25rem,12cqi,3.5rem)]';
}

/** The percentage change: green if it rises, red if it falls (specification, section 4). */
function Change({ change }: { change: number | null }) {
  const look = !change ? 'text-ink' : change > 0 ? 'text-rise' : 'text-fall';
  return (
    <p className={`rounded-md bg-surface px-2 py-0.5 font-semibold wrap-anywhere ${look}`}>
      <span className="sr-only">change: </span>
      {formatChange(change)}
    </p>
  );
}
