import { Link } from '@remix-run/react';
import type { Level } from '../../readings/level/level';
import type { SensorStanding } from '../../readings/now/sensor-standing';
import { sensorLabel } from '../../readings/sensor';

interface SensorLinkProps {
  standing: SensorStanding;
  /** The page's query for this sensor. */
  search: string;
  /** True if the page shows the readings of this sensor. */
  isShown: boolean;
  /** True if it does or will. */
  isChosen: boolean;
  onChoose(): void;
}

/** Forced colours take the colours away: a worse level then has a heavier frame. */
const LEVEL_LOOK: Record<Level, string> = {
  good: 'bg-good text-good-ink',
  moderate: 'bg-moderate text-moderate-ink forced-colors:border-4 forced-colors:border-double',
  poor: 'bg-poor text-poor-ink forced-colors:border-4',
};

/** A live sensor with a fault, and one whose air isn't known. */
const FAULT_LOOK = 'bg-canvas text-ink';
const GREY_LOOK = 'border-dashed bg-canvas text-muted';

/** A value with more characters is written smaller. */
const LONG = 11;

/** A sensor of the strip: its name, newest value, level and age. Shows its readings. */
export function SensorLink({ standing, search, isShown, isChosen, onChoose }: SensorLinkProps) {
  const { name, value, level, cause, freshness, age } = standing;
  const isLive = freshness === 'live';
  const look = !isLive ? GREY_LOOK : level ? LEVEL_LOOK[level] : FAULT_LOOK;
  const frame = isChosen
    ? 'border-ink forced-colors:underline'
    : isLive && level
      ? 'border-transparent hover:border-current'
      : 'border-line hover:border-muted';
  const levelText = cause && level ? `${level} (${cause})` : (level ?? 'check');
  return (
    <Link
      to={{ search }}
      preventScrollReset
      discover="none"
      aria-current={isShown ? 'page' : undefined}
      data-level={(isLive && level) || undefined}
      data-freshness={freshness}
      onClick={onChoose}
      className={`grid min-h-11 rounded-xl border-2 px-2 py-1.5 leading-tight -outline-offset-2 ${look} ${frame}`}
    >
      <bdi title={sensorLabel(name)} className="truncate text-left text-sm">
        {sensorLabel(name)}
      </bdi>{' '}
      <span className={`truncate font-bold ${value.length > LONG ? 'text-sm/6' : 'text-lg/6'}`}>{value}</span>{' '}
      <span className="truncate text-xs">{isLive ? `${levelText}, ${age}` : age}</span>
    </Link>
  );
}
