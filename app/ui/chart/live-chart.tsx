import { type ReactNode, useMemo } from 'react';
import { isImpaired } from '../../live/browser/page-state';
import type { LiveReadings } from '../../live/browser/use-readings';
import { at } from '../../readings/at';
import { chartSeries } from '../../readings/chart/chart-series';
import { type Range, rangeMs } from '../../readings/chart/range';
import type { Freshness } from '../../readings/now/stale';
import type { Reading } from '../../readings/reading';
import { ofSensor } from '../../readings/sensor';
import { formatDuration, formatLongDuration, HOUR_MS } from '../../readings/time/durations';
import {
  clockTime,
  clockTimeToSecond,
  formatTimeSpan,
  formatWithDay,
  withEnglishDays,
} from '../../readings/time/local-time';
import { useHydrated } from '../hydration';
import { NoReadingsYet } from '../no-readings-yet';
import { useNotes } from '../notes/use-notes';
import { useShownReadings, useThresholds } from '../page-contexts';
import { useAirings } from '../room/use-room-answers';
import { type DatedReadings, useFreshness } from '../use-freshness';
import { useDrawnMetrics } from './drawn-metrics';
import { ReadingsChart } from './readings-chart';
import { ZOOM_BAR_ROOM } from './zoom-bar';

type ChartReadings = Pick<LiveReadings, 'history' | 'count' | 'connection'>;

interface LiveChartProps {
  range: Range;
  className: string;
  /** The factor by which CSS enlarges the chart. Its canvas gets a matching resolution. */
  scale?: number;
  whenEmpty?: ReactNode;
}

const TEXT_LOOK = 'grid place-content-center text-center text-muted';

/** The chart of the newest readings, as many as a range counts, or a text if there is nothing to show. */
export function LiveChart({ range, className, scale, whenEmpty }: LiveChartProps) {
  const readings = useShownReadings();
  const thresholds = useThresholds();
  const { history, count, hasLoaded, connection } = readings;
  const { drawn, choice } = useDrawnMetrics(history);
  const isDrawn = isDrawable({ history, count, connection }, range);
  const points = useMemo(
    () => (isDrawn ? chartSeries(history, range, count) : []),
    [isDrawn, history, range, count],
  );
  // Loads notes and airings for all ranges, from a full hour on, so that a new range or reading causes no new request.
  const first = history[0];
  const from = first && isDrawn ? hourOf(first.created_at) : null;
  const { notes } = useNotes(readings.sensor, from);
  const airings = useAirings(readings, from === null ? null : { from }) ?? undefined;
  if (points.length > 0)
    return (
      <ReadingsChart
        key={`${range.name} ${readings.sensor}`}
        {...{ points, thresholds, drawn, choice, notes, airings, className, scale }}
        ofSensor={ofSensor(readings)}
        legend={
          // Only on a wall: pages show `ShownRange` instead.
          scale && (
            <span data-shown-range className="text-muted">
              {describeShownRange(history, range, new Date())}
            </span>
          )
        }
      />
    );
  if (history.length < count) return <LoadingChart className={className} />;
  const emptyText = whenEmpty ?? (hasLoaded ? <NoReadingsYet /> : "Can't load readings yet.");
  return <p className={`${TEXT_LOOK} min-h-40`}>{emptyText}</p>;
}

const hourOf = (time: string) => Math.floor(Date.parse(time) / HOUR_MS) * HOUR_MS;

/** Returns false while more readings are loading, because drawing the first ones alone would make the chart jump. */
function isDrawable({ history, count, connection }: ChartReadings, range: Range): boolean {
  return history.length >= Math.min(count, range.maxPoints) || isImpaired(connection);
}

export function LoadingChart({ className }: { className: string }) {
  return <p className={`${TEXT_LOOK} ${ZOOM_BAR_ROOM} box-content pb-11 ${className}`}>Loading readings…</p>;
}

/** Describes the readings in the chart. */
export function CountedRange({ range }: { range: Range }) {
  const readings = useShownReadings();
  const isKnown = useHydrated() && isDrawable(readings, range);
  return <RangeText>{isKnown && describeShownRange(readings.history, range, new Date())}</RangeText>;
}

/** The text above a chart. Reserves its space until the readings and the viewer's time zone are known. */
export function RangeText({ children }: { children: ReactNode }) {
  return (
    <p data-shown-range className="min-h-8 text-xs text-muted sm:min-h-5 sm:text-sm">
      {children}
    </p>
  );
}

const TO_MINUTE = withEnglishDays(clockTime);
const TO_SECOND = withEnglishDays(clockTimeToSecond);

/** The covered time is shown if it differs from the range's nominal length by more than this share. */
const TOLERANCE = 0.1;

/** Returns `7 Nov 13:23 to 21 Nov 11:40, 5,760 readings, 14 d 2 h`, with the duration only if it differs from the range's name. */
export function describeShownRange(readings: readonly Reading[], range: Range, now: Date): string {
  const used = readings.slice(-range.maxPoints);
  if (used.length === 0) return '';
  const from = new Date(at(used, 0).created_at);
  const to = new Date(at(used, used.length - 1).created_at);
  if (used.length === 1) return `${formatWithDay(to, now, TO_MINUTE)}, 1 reading`;
  const coveredMs = to.getTime() - from.getTime();
  const namedMs = rangeMs(range);
  const isAsNamed = Math.abs(coveredMs - namedMs) <= TOLERANCE * namedMs;
  const inMinutes = formatTimeSpan([from, to], now, TO_MINUTE, ' to ');
  const isWithinMinute = coveredMs < 60_000 && clockTime(from) === clockTime(to);
  const span = isWithinMinute ? formatTimeSpan([from, to], now, TO_SECOND, ' to ') : inMinutes;
  const covered = isAsNamed ? '' : `, ${formatLongDuration(coveredMs)}`;
  return `${span}, ${groupDigits(used.length)} readings${covered}`;
}

function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Greys the chart, except with forced colours, which are the viewer's own. */
const GREY_LOOK =
  'not-forced-colors:[&_canvas]:opacity-60 not-forced-colors:[&_canvas]:[filter:grayscale(1)]';

/** Shows the newest reading's age above a chart, and greys the chart if that reading isn't current. */
export function ChartAge({ readings, children }: { readings: DatedReadings; children: ReactNode }) {
  const { freshness, ageMs, isSilent } = useFreshness(readings);
  const isGrey = ageMs !== null && freshness !== 'live';
  return (
    <div data-freshness={freshness} className={isGrey ? GREY_LOOK : ''}>
      <p className={`mb-2 min-h-5 text-sm ${isGrey ? 'font-semibold' : 'text-muted'}`}>
        {ageMs !== null && formatAge(freshness, formatDuration(ageMs), isSilent)}
      </p>
      {children}
    </div>
  );
}

function formatAge(freshness: Freshness, age: string, isSilent: boolean): string {
  if (freshness === 'ahead') return 'The newest reading has a time in the future.';
  if (freshness === 'stale')
    return `No reading for ${age}${isSilent ? ': the sensor has stopped sending' : ''}.`;
  if (freshness === 'checking') return `No reading for ${age}. Checking the connection…`;
  if (freshness === 'disconnected')
    return `Newest known reading: ${age} ago. New ones don't reach this page.`;
  return `Newest reading: ${age} ago`;
}
