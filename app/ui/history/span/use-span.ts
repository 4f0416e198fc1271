import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useMemo, useState } from 'react';
import type { ShownSensor } from '../../../readings/sensor';
import {
  type AskedSpan,
  isLastDays,
  isSameSpan,
  isWithin,
  LAST_DAYS,
  neighbourOf,
  presentOf,
  resolveSpan,
  type Span,
  type SpanContext,
} from '../../../readings/time/history-span';
import { hasAddress, roundPart, spanInAddress, withSpan } from '../../../readings/time/span-address';
import { withShownSensor } from '../../sensors/sensor-address';

/** The span in a page's address, and functions to change it. */
export interface ShownSpan {
  asked: AskedSpan;
  /** The start and end in the viewer's time zone; null until that is known. */
  resolved: Span | null;
  /** The time in view: `resolved`, or where the viewer has moved the chart. */
  span: Span | null;
  inView: AskedSpan;
  isMoving: boolean;
  earlier: AskedSpan | null;
  later: AskedSpan | null;
  present: AskedSpan | null;
  /** The page's query, with its sensor if there are several. The base of other spans' addresses. */
  search: string;
  /** Goes to another span. Adds a browser-history entry unless `isReplaced`. */
  go(asked: AskedSpan, isReplaced?: boolean): void;
  move(span: Span): void;
  /** Like `go`, for the span at which the moved chart has come to rest. */
  rest(span: Span, isReplaced?: boolean): void;
}

const UNKNOWN: SpanContext = { now: 0, first: null, last: null };

/** Keeps a page's span in its address. `context` is null until the time zone is known. */
export function useSpan(context: SpanContext | null, sensor: ShownSensor): ShownSpan {
  const { search, key } = useLocation();
  const navigate = useNavigate();
  const asked = spanInAddress(search, context ?? UNKNOWN);
  const { from, to } = (context && resolveSpan(asked, context)) ?? {};
  // Memoized, so that the same time is the same object.
  const resolved = useMemo(() => (from === undefined || to === undefined ? null : { from, to }), [from, to]);
  // With the location's key, so that going to another address ends the movement.
  const [movedAt, setMoved] = useState<{ key: string; span: Span } | null>(null);
  const moved = movedAt?.key === key ? movedAt.span : null;
  // Back can leave an address before it renders, so `popstate` ends a movement too.
  useEffect(() => {
    const end = () => setMoved(null);
    window.addEventListener('popstate', end);
    return () => window.removeEventListener('popstate', end);
  }, []);
  const ownSearch = withShownSensor(search, sensor);
  const go = (next: AskedSpan, isReplaced = false) =>
    navigate({ search: withSpan(ownSearch, next) }, { replace: isReplaced, preventScrollReset: true });
  const span = moved ?? resolved;
  const inView: AskedSpan = moved ? { name: 'part', ...moved } : asked;
  return {
    asked,
    resolved,
    span,
    inView,
    isMoving: moved !== null,
    ...turnsFrom(inView, span, context),
    search: ownSearch,
    go,
    move: (span) => setMoved({ key, span }),
    rest(span, isReplaced) {
      // A chart that was moved away and back keeps its address.
      if (resolved && isSameSpan(span, resolved)) setMoved(null);
      else go(roundPart(span), isReplaced);
    },
  };
}

function turnsFrom(inView: AskedSpan, span: Span | null, context: SpanContext | null) {
  if (!span || !context || inView.name === 'all') return { earlier: null, later: null, present: null };
  const neighbour = (direction: 'earlier' | 'later') => {
    const asked = neighbourOf(inView, direction, context);
    return hasAddress(asked) ? asked : null;
  };
  return {
    earlier: neighbour('earlier'),
    later: span.to > context.now ? null : neighbour('later'),
    present: isPresent(inView, span, context.now) ? null : presentOf(inView, context.now),
  };
}

/** Returns true if a span is the present one. The current calendar week isn't, because the last 7 days are. */
function isPresent(asked: AskedSpan, span: Span, now: number): boolean {
  const isOfCalendar = asked.name in LAST_DAYS && !isLastDays(asked);
  return isWithin(now, span) && !isOfCalendar;
}
