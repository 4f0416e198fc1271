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
  openingSpan,
  presentOf,
  resolveSpan,
  type Span,
  type SpanContext,
} from '../../../readings/time/history-span';
import {
  hasAddress,
  parseSpan,
  roundPart,
  SPAN_PARAMETERS,
  withSpan,
} from '../../../readings/time/span-address';
import { withShownSensor } from '../../sensors/sensor-address';

/** The span that a page's address asks for, and how the viewer changes it. */
export interface ShownSpan {
  asked: AskedSpan;
  /** The time it covers in the viewer's time zone; null until that is known. */
  resolved: Span | null;
  /** The time in view: the same, or the one that the viewer has moved the chart to. */
  span: Span | null;
  inView: AskedSpan;
  isMoving: boolean;
  earlier: AskedSpan | null;
  later: AskedSpan | null;
  present: AskedSpan | null;
  /** The page's query, with its sensor if there are several. Addresses of other spans are made of it. */
  search: string;
  /** Goes to another span, as a new entry of the browser's history unless `isReplaced`. */
  go(asked: AskedSpan, isReplaced?: boolean): void;
  move(span: Span): void;
  /** Goes to the span at which the chart has come to rest, as `go` does. */
  rest(span: Span, isReplaced?: boolean): void;
}

const UNKNOWN: SpanContext = { now: 0, first: null, last: null };

/** Keeps the span of a page in its address. `context` is null until the time zone is known. */
export function useSpan(context: SpanContext | null, sensor: ShownSensor): ShownSpan {
  const { search, key } = useLocation();
  const navigate = useNavigate();
  const asked = askedSpan(search, context ?? UNKNOWN);
  const { from, to } = (context && resolveSpan(asked, context)) ?? {};
  // The same object for as long as it covers the same time.
  const resolved = useMemo(() => (from === undefined || to === undefined ? null : { from, to }), [from, to]);
  // Another address ends a movement.
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
      // A chart that was moved away and back still shows the day of its address.
      if (resolved && isSameSpan(span, resolved)) setMoved(null);
      else go(roundPart(span), isReplaced);
    },
  };
}

/** Returns the span of an address. The server rejects a wrong one before a page is shown. */
function askedSpan(search: string, context: SpanContext): AskedSpan {
  const query = new URLSearchParams(search);
  try {
    if (SPAN_PARAMETERS.some((name) => query.get(name))) return parseSpan(query);
  } catch {}
  return openingSpan(context);
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

/** A week, month or year of the calendar that has now in it isn't the last 7, 30 or 365 days. */
function isPresent(asked: AskedSpan, span: Span, now: number): boolean {
  const isOfCalendar = asked.name in LAST_DAYS && !isLastDays(asked);
  return isWithin(now, span) && !isOfCalendar;
}
