import { useMemo } from 'react';
import type { Connection } from '../../live/browser/connection';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { Thresholds } from '../../readings/level/threshold';
import { METRICS, measuredMetrics } from '../../readings/metric';
import { type Freshness, isAhead } from '../../readings/now/freshness';
import { mentionedSensor } from '../../readings/sensor';
import { formatDuration } from '../../readings/time/format-duration';
import { formatLocalTime, LocalTime } from '../local-time';
import { Notice } from '../notice';
import { useFreshness } from '../use-freshness';
import { useTabTitle } from '../use-tab-title';
import { MetricCard } from './metric-card';
import { tabTitle } from './tab-title';
import { verdictOf } from './verdict';
import { VerdictPanel } from './verdict-panel';

interface AirNowProps extends Omit<LiveReadings, 'count'> {
  thresholds: Thresholds;
  /** True if the page is read from across a room: the verdict stands above two tiles that fill half the screen. */
  isWall?: boolean;
}

const ONE_ROW =
  'grid grid-cols-2 gap-2.5 md:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)_minmax(0,1fr)] md:gap-3.5';
const WALL_ROWS = 'grid gap-[1.6vh] tablet:grid-cols-2 landscape:grid-cols-2';

/** The verdict and the tiles: how good the air is now, and how old that is. */
export function AirNow(props: AirNowProps) {
  const { history, hasLoaded, last, previous, connection, thresholds, isWall = false } = props;
  const newest = history.at(-1);
  const { freshness, ageMs, serverNow } = useFreshness(props);
  const age = freshness === 'slow' ? formatDuration(ageMs ?? 0) : undefined;
  const verdict = useMemo(
    () => verdictOf({ readings: history, last, thresholds, age }, freshness),
    [history, last, thresholds, age, freshness],
  );
  const sensor = mentionedSensor(props);
  useTabTitle(tabTitle({ last, level: verdict.level, freshness, ageMs, thresholds, sensor }));
  const measured = useMemo(() => measuredMetrics(history), [history]);

  return (
    <div className="grid gap-3">
      {newest && isAhead(newest, serverNow) && (
        <Notice>
          The newest reading has the time <LocalTime time={newest.created_at} />, which is still to come: the
          server's clock was changed, or the sensor's is wrong.
        </Notice>
      )}
      <div className={isWall ? WALL_ROWS : ONE_ROW}>
        <VerdictPanel verdict={verdict} isWall={isWall} />
        {METRICS.map((metric) => (
          <MetricCard
            key={metric.field}
            name={metric.name}
            currentReading={last && { new: last }}
            previousReading={previous}
            dataParam={metric.field}
            threshold={thresholds[metric.field]}
            unit={metric.unit}
            loading={last === null}
            freshness={freshness}
            isMeasured={measured.includes(metric)}
            isWall={isWall}
            age={hasLoaded ? formatAge(freshness, ageMs, connection) : formatConnection(connection)}
          />
        ))}
      </div>
    </div>
  );
}

function formatAge(freshness: Freshness, ageMs: number | null, connection: Connection): string {
  if (connection.state === 'disconnected') return formatConnection(connection);
  if (ageMs === null) return 'no readings yet';
  if (freshness === 'ahead') return 'time not known';
  const age = formatDuration(ageMs);
  if (freshness === 'stale') return `no reading for ${age}`;
  return freshness === 'slow' ? `last reading ${age} ago` : `${age} ago`;
}

function formatConnection(connection: Connection): string {
  if (connection.state !== 'disconnected') return 'not known yet';
  return `reconnecting… since ${formatLocalTime(new Date(connection.since))}`;
}
