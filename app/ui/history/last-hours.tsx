import { Link, useLocation } from '@remix-run/react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LiveReadings } from '../../live/browser/use-readings';
import { GAP_LOOKBACK } from '../../readings/chart/gap';
import { type Range, rangeMs } from '../../readings/chart/range';
import { isAhead } from '../../readings/now/stale';
import { HOUR_MS, MINUTE_MS } from '../../readings/time/durations';
import { dateOf, isSameSpan, type Span } from '../../readings/time/history-span';
import { clockTime, formatWithDay, withEnglishDays } from '../../readings/time/local-time';
import { withSpan } from '../../readings/time/span-address';
import { ZoomBar } from '../chart/zoom-bar';
import { useNotes } from '../notes/use-notes';
import { useShownReadings, useThresholds } from '../page-contexts';
import { useAirings } from '../room/use-room-answers';
import { sharedSearch, withSensor } from '../sensors/sensor-address';
import { SpanChart } from './span-chart';
import { type Arrivals, timesOf, useArrivals, useHistory, useServerNow } from './use-history';

interface LastHoursProps {
  range: Range;
  /** The sensor's usual interval. */
  intervalMs: number;
  className: string;
  scale?: number;
  legend?: ReactNode;
}

/** The chart of the last 10 minutes to 24 hours until now, for a sensor whose ranges are times. */
export function LastHours({ range, intervalMs, ...look }: LastHoursProps) {
  const readings = useShownReadings();
  const thresholds = useThresholds();
  const { sensor } = readings;
  const arrivals = useArrivalsOf(readings);
  const now = useServerNow(readings.clock);
  // The last reading if the newest one is from the future.
  const last = readings.last && now !== null && !isAhead(readings.last, now) ? readings.last : null;
  const end = now && Math.max(now, last ? Date.parse(last.created_at) : 0);
  const live = useLastSpan(end, rangeMs(range));
  const { view, isMoving, isZoomed, move, rest, reset } = useZoomedView(live, `${range.name} ${sensor}`);
  const reach = useReach(view, intervalMs);
  const history = useHistory({ sensor, span: view, reach, isMoving, before: null }, arrivals);

  // From a full hour on and for all ranges, so that a new range or reading causes no new request.
  const from = end === null ? null : Math.floor(end / HOUR_MS - 24) * HOUR_MS;
  const { notes } = useNotes(sensor, from);
  const airings = useAirings(readings, from === null ? null : { from });
  // A view that waits for its next part ends a moment ago.
  const context = end === null ? null : { now: Math.min(end, history?.span.to ?? end), ...timesOf(readings) };
  const { search } = useLocation();
  return (
    <SpanChart
      shown={{
        inView: { name: 'part', ...(view ?? NO_SPAN) },
        resolved: live,
        span: view,
        isMoving,
        search,
        move,
        rest,
      }}
      {...{ context, history, readings, thresholds, notes, airings }}
      newest={last}
      limits={live ?? undefined}
      footer={<ZoomBar isZoomed={isZoomed} onReset={reset} />}
      whenEmpty={last && end !== null && <NoneInRange time={last.created_at} now={end} />}
      {...look}
    />
  );
}

const NO_SPAN: Span = { from: 0, to: 0 };

/** The share of a span by which its end moves at once: about two pixels. */
const LEAST_MOVE = 1 / 600;

/** Returns the last `lengthMs` until now. Its end moves in steps, so that the chart is drawn less often. */
function useLastSpan(end: number | null, lengthMs: number): Span | null {
  const moveMs = Math.max(1000, lengthMs * LEAST_MOVE);
  const to = end === null ? null : Math.ceil(end / moveMs) * moveMs;
  return useMemo(() => (to === null ? null : { from: to - lengthMs, to }), [to, lengthMs]);
}

/** A view that the viewer has zoomed to. If `follows`, it moves along with the present. */
interface ZoomedView {
  /** The range and sensor. Another one ends the zoom. */
  of: string;
  span: Span;
  follows: boolean;
  isMoving: boolean;
}

/** Returns the view of the chart: the live span, or a part of it that the viewer has zoomed to. */
function useZoomedView(live: Span | null, of: string) {
  const [kept, keep] = useState<ZoomedView | null>(null);
  const zoomed = kept?.of === of ? kept : null;
  const [from, to] = viewBounds(zoomed, live);
  const view = useMemo(() => live && { from, to }, [live, from, to]);
  return {
    view,
    isMoving: zoomed?.isMoving ?? false,
    isZoomed: zoomed !== null,
    move: (span: Span) => keep({ of, span, follows: false, isMoving: true }),
    rest(span: Span) {
      const isAll = live !== null && (isSameSpan(span, live) || span.to - span.from >= live.to - live.from);
      const follows = live !== null && span.to >= live.to;
      keep(isAll ? null : { of, span, follows, isMoving: false });
    },
    reset: useCallback(() => keep(null), []),
  };
}

function viewBounds(zoomed: ZoomedView | null, live: Span | null): [number, number] {
  const { from, to } = live ?? NO_SPAN;
  if (!zoomed) return [from, to];
  const { span, follows } = zoomed;
  return follows ? [to - (span.to - span.from), to] : [span.from, span.to];
}

/** The shortest time between two requests for the next part of a moving view. */
const LEAST_AHEAD_MS = MINUTE_MS;

/**
 * Returns the time to load for a view: earlier readings, which decide where gaps are, and some time ahead, so that a view
 * that moves with the present needs a new request only now and then.
 */
function useReach(view: Span | null, intervalMs: number): Span | undefined {
  const lengthMs = view ? view.to - view.from : 0;
  const aheadMs = Math.max(LEAST_AHEAD_MS, lengthMs / 4);
  const beforeMs = Math.min(lengthMs, GAP_LOOKBACK * intervalMs);
  const from = view && Math.floor((view.from - beforeMs) / aheadMs) * aheadMs;
  const to = view && Math.ceil((view.to + 1) / aheadMs) * aheadMs;
  return useMemo(() => (from === null || to === null ? undefined : { from, to }), [from, to]);
}

/** Publishes the readings that arrive in a page's history. */
function useArrivalsOf({ sensor, history }: LiveReadings): Arrivals {
  const arrivals = useArrivals();
  const seen = useRef({ sensor, id: Number.POSITIVE_INFINITY });
  useEffect(() => {
    const before = seen.current;
    const id = history.reduce((highest, reading) => Math.max(highest, reading.id), 0);
    seen.current = { sensor, id };
    if (before.sensor === sensor && id > before.id)
      arrivals.publish(history.filter((reading) => reading.id > before.id));
  }, [arrivals, sensor, history]);
  return arrivals;
}

const TO_MINUTE = withEnglishDays(clockTime);

/** The text for a range without readings, with a link to the day of the newest one. */
function NoneInRange({ time, now }: { time: string; now: number }) {
  const { sensor, sensors } = useShownReadings();
  const shared = sharedSearch(useLocation().search);
  const search = sensors.length > 1 ? withSensor(shared, sensor) : shared;
  const at = new Date(time);
  return (
    <>
      No readings in this time. The newest is from{' '}
      <Link
        to={{ pathname: '/history', search: withSpan(search, { name: 'day', date: dateOf(at.getTime()) }) }}
        className="text-accent underline"
      >
        {formatWithDay(at, new Date(now), TO_MINUTE)}
      </Link>
      .
    </>
  );
}
