import type { Connection } from '../../live/browser/connection';
import { type ServerClock, serverTimeAt } from '../../live/browser/server-clock';
import { formatDuration } from '../../readings/format-duration';
import { type Freshness, freshnessOf, isAhead } from '../../readings/freshness';
import { readingLevel } from '../../readings/level';
import { METRICS } from '../../readings/metric';
import type { Reading } from '../../readings/reading';
import type { Thresholds } from '../../readings/threshold';
import { verdictOf } from '../../readings/verdict';
import { formatLocalTime, LocalTime } from '../local-time';
import { Notice } from '../notice';
import { useNow } from '../use-now';
import { MetricCard } from './metric-card';

interface AirNowProps {
  /** Oldest first. */
  history: readonly Reading[];
  /** False until the store has been read: it isn't known whether it has readings. */
  hasLoaded: boolean;
  /** The reading that may describe the air now, also while loading. */
  last: Reading | null;
  current: Reading | null;
  previous: Reading | null;
  loading: boolean;
  connection: Connection;
  clock: ServerClock;
  thresholds: Thresholds;
}

const VERDICT_LOOK = {
  good: 'bg-good text-good-ink',
  moderate: 'bg-moderate text-moderate-ink',
  poor: 'bg-poor text-poor-ink',
};

/** Unlike the time of day, nobody can set this clock. */
const readClock = () => performance.now();

/** The verdict and the tiles: how good the air is now, and how old that is. */
export function AirNow(props: AirNowProps) {
  const { history, hasLoaded, last, current, previous, loading, connection, clock, thresholds } = props;
  const newest = history.at(-1);
  const serverNow = serverTimeAt(clock, useNow(readClock));
  const isDisconnected = !hasLoaded || connection.state === 'disconnected';
  const freshness = freshnessOf({ last, readings: history, isDisconnected }, serverNow);
  const verdict = verdictOf(last && readingLevel(last, thresholds), freshness);
  const ageMs = last && serverNow - Date.parse(last.created_at);

  return (
    <div className="grid gap-4">
      <p
        role="status"
        data-verdict={verdict.level ?? 'unknown'}
        className={`flex flex-col gap-x-3 rounded-lg sm:flex-row sm:items-baseline px-4 py-3 ${verdict.level ? VERDICT_LOOK[verdict.level] : 'bg-canvas text-ink'}`}
      >
        <strong className="text-2xl">{verdict.text}</strong> <span>{verdict.advice}</span>
      </p>
      {newest && isAhead(newest, serverNow) && (
        <Notice>
          The server's clock was changed: the newest reading has the time{' '}
          <LocalTime time={newest.created_at} />, which is still to come.
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-3 sm:gap-4">
        {METRICS.map(({ field, name, unit }) => (
          <MetricCard
            key={field}
            name={name}
            currentReading={current && { new: current }}
            previousReading={previous}
            dataParam={field}
            threshold={thresholds[field]}
            unit={unit}
            loading={loading}
            storedReading={last}
            freshness={freshness}
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
  return freshness === 'stale' ? `no reading for ${formatDuration(ageMs)}` : `${formatDuration(ageMs)} ago`;
}

function formatConnection(connection: Connection): string {
  if (connection.state !== 'disconnected') return 'not known yet';
  return `reconnecting… since ${formatLocalTime(new Date(connection.since))}`;
}
