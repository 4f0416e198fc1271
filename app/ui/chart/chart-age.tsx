import type { ReactNode } from 'react';
import type { Connection } from '../../live/browser/connection';
import { type ServerClock, serverTimeAt } from '../../live/browser/server-clock';
import { formatDuration } from '../../readings/format-duration';
import { type Freshness, freshnessOf } from '../../readings/freshness';
import type { Reading } from '../../readings/reading';
import { useNow } from '../use-now';

interface ChartAgeProps {
  /** Oldest first. */
  history: readonly Reading[];
  /** False until the store has been read. */
  hasLoaded: boolean;
  /** The newest reading; the one stored last if the newest is from the future. */
  last: Reading | null;
  connection: Connection;
  clock: ServerClock;
  /** The chart. */
  children: ReactNode;
}

/** Unlike the time of day, nobody can set this clock. */
const readClock = () => performance.now();

/** Forced colours are the viewer's own. */
const GREY_LOOK = 'not-forced-colors:[&_canvas]:opacity-60 not-forced-colors:[&_canvas]:grayscale';

/** Says how old the newest reading of a chart is, and greys the chart while that doesn't describe the air now. */
export function ChartAge({ history, hasLoaded, last, connection, clock, children }: ChartAgeProps) {
  const serverNow = serverTimeAt(clock, useNow(readClock));
  const isDisconnected = !hasLoaded || connection.state === 'disconnected';
  const freshness = freshnessOf({ last, readings: history, isDisconnected }, serverNow);
  const age = last && formatDuration(serverNow - Date.parse(last.created_at));
  const isGrey = last && freshness !== 'live';
  return (
    <div data-freshness={freshness} className={isGrey ? GREY_LOOK : ''}>
      <p className={`mb-2 min-h-5 text-sm ${isGrey ? 'font-semibold' : 'text-muted'}`}>
        {age && formatAge(freshness, age)}
      </p>
      {children}
    </div>
  );
}

function formatAge(freshness: Freshness, age: string): string {
  if (freshness === 'ahead') return 'The newest reading has a time that is still to come.';
  if (freshness === 'stale') return `No reading for ${age}: the sensor has gone quiet.`;
  if (freshness === 'disconnected')
    return `Newest known reading: ${age} ago. New ones don't reach this page.`;
  return `Newest reading: ${age} ago`;
}
