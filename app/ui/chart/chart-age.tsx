import type { ReactNode } from 'react';
import type { Freshness } from '../../readings/now/stale';
import { formatDuration } from '../../readings/time/format-duration';
import { type DatedReadings, useFreshness } from '../use-freshness';

interface ChartAgeProps {
  readings: DatedReadings;
  /** The chart. */
  children: ReactNode;
}

/** Forced colours are the viewer's own. */
const GREY_LOOK = 'not-forced-colors:[&_canvas]:opacity-60 not-forced-colors:[&_canvas]:grayscale';

/** Says how old the newest reading of a chart is, and greys the chart while that doesn't describe the air now. */
export function ChartAge({ readings, children }: ChartAgeProps) {
  const { freshness, ageMs } = useFreshness(readings);
  const isGrey = ageMs !== null && freshness !== 'live';
  return (
    <div data-freshness={freshness} className={isGrey ? GREY_LOOK : ''}>
      <p className={`mb-2 min-h-5 text-sm ${isGrey ? 'font-semibold' : 'text-muted'}`}>
        {ageMs !== null && formatAge(freshness, formatDuration(ageMs))}
      </p>
      {children}
    </div>
  );
}

function formatAge(freshness: Freshness, age: string): string {
  if (freshness === 'ahead') return 'The newest reading has a time that is still to come.';
  if (freshness === 'stale') return `No reading for ${age}: the sensor has stopped sending.`;
  if (freshness === 'disconnected')
    return `Newest known reading: ${age} ago. New ones don't reach this page.`;
  return `Newest reading: ${age} ago`;
}
