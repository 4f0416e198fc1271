import { type ComponentProps, useMemo } from 'react';
import { serverTimeAt } from '../live/browser/server-clock';
import type { LiveReadings } from '../live/browser/use-readings';
import { type Range, rangeMs, timedIntervalMs } from '../readings/chart/range';
import { clockTime, formatTimeSpan, withEnglishDays } from '../readings/time/local-time';
import { CountedRange, LiveChart, LoadingChart, RangeText } from './chart/live-chart';
import { useNow } from './hydration';
import { useShownReadings } from './page-contexts';
import { LOADING_FAILED, useLoaded } from './use-loaded';

const loadLastHours = () => import('./history/last-hours').then(({ LastHours }) => LastHours);

/**
 * Returns the usual interval of a sensor whose ranges are times; null if they count readings, as on a page that shows only
 * readings stored after it was opened.
 */
export function useTimedInterval({ history, startsEmpty }: ChartReadings): number | null {
  return useMemo(() => (startsEmpty ? null : timedIntervalMs(history)), [history, startsEmpty]);
}

type ChartReadings = Pick<LiveReadings, 'history' | 'startsEmpty'>;

/** The chart of a range: of the newest readings, or of the last hours for a sensor that sends less often. */
export function RangeChart(props: ComponentProps<typeof LiveChart>) {
  const { range, className, scale } = props;
  const intervalMs = useTimedInterval(useShownReadings());
  const isTimed = intervalMs !== null;
  const { Component: LastHours, hasFailed } = useLoaded(isTimed ? loadLastHours : undefined);
  if (!isTimed) return <LiveChart {...props} />;
  if (hasFailed) return <p className="grid min-h-40 place-content-center text-muted">{LOADING_FAILED}</p>;
  if (!LastHours) return <LoadingChart className={className} />;
  // Only on a wall: pages show it above the chart.
  const legend = scale && (
    <span data-shown-range className="text-muted">
      <TimedRange range={range} />
    </span>
  );
  return <LastHours {...{ range, intervalMs, className, scale, legend }} />;
}

/** Describes the time in the chart. */
export function ShownRange({ range }: { range: Range }) {
  const intervalMs = useTimedInterval(useShownReadings());
  if (intervalMs === null) return <CountedRange range={range} />;
  return (
    <RangeText>
      <TimedRange range={range} />
    </RangeText>
  );
}

/** Uses `performance.now()`, as the server's clock does. */
const readClock = () => performance.now();

const TO_MINUTE = withEnglishDays(clockTime);

function TimedRange({ range }: { range: Range }) {
  const { clock } = useShownReadings();
  const viewerTime = useNow(readClock);
  const to = serverTimeAt(clock, viewerTime);
  const times = [new Date(to - rangeMs(range)), new Date(to)] as const;
  return <>{viewerTime !== null && formatTimeSpan(times, new Date(to), TO_MINUTE, ' to ')}</>;
}
