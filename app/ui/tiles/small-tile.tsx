import { formatValue } from '../../readings/format/format-value';
import { judgeValue } from '../../readings/level/level';
import { isFaulty, type Metric, type Thresholds } from '../../readings/metric';
import type { Freshness } from '../../readings/now/stale';
import { FAULT_TEXT, FAULT_TITLE, PANEL_LOOK } from '../level-look';
import type { Trend } from './verdict';

interface SmallTileProps {
  metric: Metric;
  thresholds: Thresholds;
  /** The newest value; null if the newest reading lacks it. */
  value: number | null;
  trend: Trend;
  freshness: Freshness;
  isWall: boolean;
  isCorrected: boolean;
  /** On a wall, true if there are many tiles. */
  isDense: boolean;
}

/** On a wall, sizes scale with the screen, and a portrait one has no room for words. */
const SIZES = {
  page: {
    frame: 'px-2 py-2 sm:px-2.5',
    name: 'text-xs sm:text-sm',
    value: 'text-xl sm:text-2xl',
    words: 'min-h-4 text-xs sm:min-h-5 sm:text-sm',
  },
  wall: {
    frame: 'px-[1.5vw] py-[0.8vh] landscape:px-2.5',
    name: 'text-[min(2.4vh,2.9vw)]',
    value: 'text-[min(4vh,5vw)]',
    words: 'min-h-[2.4vh] text-[min(2vh,2.6vw)] portrait:hidden',
  },
};
const DENSE_WALL = {
  ...SIZES.wall,
  name: `${SIZES.wall.name} tablet:text-[1.9vw]`,
  value: `${SIZES.wall.value} tablet:text-[3.2vw]`,
};

/** A tile for a metric besides the main ones. Only a level that isn't good has a colour. */
export function SmallTile({
  metric,
  thresholds,
  value,
  trend,
  freshness,
  isWall,
  isCorrected,
  isDense,
}: SmallTileProps) {
  const sizes = isWall ? (isDense ? DENSE_WALL : SIZES.wall) : SIZES.page;
  const isLive = freshness === 'live';
  const isToCheck = value !== null && isLive && isFaulty(value, metric);
  const own = value === null || isFaulty(value, metric) ? null : judgeValue(value, metric, thresholds);
  const level = isLive && own ? own.level : null;
  const isColored = level !== null && level !== 'good';
  const look = isColored
    ? `border-transparent ${PANEL_LOOK[level]}`
    : `border-line ${isLive ? 'bg-surface' : 'bg-canvas text-muted'}`;
  const quiet = isColored ? '' : 'text-muted';
  const judged = isToCheck
    ? FAULT_TEXT
    : isLive && value !== null
      ? (own?.words ?? bandText(value, metric))
      : null;
  const isRead = isLive && value !== null && !isToCheck;
  // A page says it once, above its tiles.
  const words = [judged, isRead && trend !== 'steady' && trend, isWall && isCorrected && 'corrected']
    .filter(Boolean)
    .join(', ');
  const Heading = isWall ? 'h2' : 'h3';
  return (
    <article
      aria-label={metric.name}
      data-level={level ?? undefined}
      data-freshness={freshness}
      className={`flex min-w-0 flex-col gap-0.5 rounded-xl border -outline-offset-4 ${sizes.frame} ${look}`}
    >
      <Heading className={`wrap-anywhere hyphens-auto ${sizes.name} ${quiet}`}>{metric.name}</Heading>
      <p className="flex flex-wrap items-baseline gap-x-1 leading-tight font-bold wrap-anywhere">
        <span className={sizes.value}>
          {value === null ? '–' : formatValue(value, own?.threshold, metric)}
        </span>{' '}
        {metric.unit && value !== null && (
          <span className={`font-semibold ${sizes.name} ${quiet}`}>{metric.unit}</span>
        )}
      </p>
      <p
        className={`leading-tight wrap-anywhere ${sizes.words} ${quiet}`}
        title={isToCheck ? FAULT_TITLE : undefined}
      >
        {value === null ? 'not in the newest reading' : words}
      </p>
    </article>
  );
}

/** Returns the side of the metric's comfortable band on which a value is; null if it has no band. */
export function bandText(value: number, { band }: Metric): string | null {
  if (!band) return null;
  if (value < band.from) return 'low';
  return value < band.to ? 'comfortable' : 'high';
}
