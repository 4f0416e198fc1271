import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import type { Connection } from '../../live/browser/page-state';
import { type ServerClock, serverTimeAt } from '../../live/browser/server-clock';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { Reading } from '../../readings/reading';
import type { ShownSensor } from '../../readings/sensor';
import {
  type CalendarUnit,
  comparedUnit,
  type Span,
  type SpanContext,
} from '../../readings/time/history-span';
import { useBeforePaint } from '../hydration';
import { chartPoints, type HistoryLoader, loadHistory, type ShownHistory } from './load-history';
import { type ShownSpan, useSpan } from './span/use-span';

export interface SpanHistory {
  shown: ShownSpan;
  context: SpanContext | null;
  history: ShownHistory | null;
  /** The state of the live connection, with a reason if the history can't be fetched. */
  connection: Connection;
  isCompared: boolean;
  compare(isCompared: boolean): void;
}

/** Loads the span in the page's address, for the sensor that the page shows. */
export function useSpanHistory(readings: LiveReadings, arrivals: Arrivals): SpanHistory {
  const { sensor, clock } = readings;
  const now = useServerNow(clock);
  const context = now === null ? null : { now, ...timesOf(readings) };
  const shown = useSpan(context, readings);
  const [isCompared, compare] = useComparison();
  const { span, isMoving } = shown;
  const before = isCompared ? comparedUnit(shown.inView) : null;
  const history = useHistory({ sensor, span, isMoving, before }, arrivals);
  const problem = history?.problem;
  const connection: Connection =
    problem && readings.connection.state === 'live'
      ? { state: 'live', reason: problem }
      : readings.connection;
  return { shown, context, history, connection, isCompared, compare };
}

/** Returns the times of the sensor's first and newest reading. */
export function timesOf({ sensor, sensors }: ShownSensor): Pick<SpanContext, 'first' | 'last'> {
  const summary = sensors.find(({ name }) => name === sensor);
  return {
    first: summary ? Date.parse(summary.first_heard) : null,
    last: summary ? Date.parse(summary.last_heard) : null,
  };
}

/** Stores the choice to compare with the previous span in the page's address, as `?compare=before`. */
function useComparison(): [boolean, (isCompared: boolean) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const isCompared = new URLSearchParams(search).get('compare') === 'before';
  const compare = (next: boolean) => {
    const query = new URLSearchParams(search);
    if (next) query.set('compare', 'before');
    else query.delete('compare');
    navigate({ search: query.size > 0 ? `?${query}` : '' }, { preventScrollReset: true });
  };
  return [isCompared, compare];
}

const TICK_MS = 1000;

/** Returns the server's time in ms, updated every second; null while rendering on the server, where the time zone is unknown. */
export function useServerNow(clock: ServerClock): number | null {
  const [now, setNow] = useState<number | null>(null);
  useBeforePaint(() => setNow(performance.now()), []);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now === null ? null : serverTimeAt(clock, now);
}

interface HistoryOptions {
  sensor: string;
  span: Span | null;
  /** The time to load, if that is more than the span. */
  reach?: Span;
  isMoving: boolean;
  before: CalendarUnit | null;
}

/** Loads a sensor's history and keeps it up to date. Null until there is something to show. */
export function useHistory(
  { sensor, span, reach, isMoving, before }: HistoryOptions,
  arrivals: Arrivals,
): ShownHistory | null {
  const [shown, show] = useState<ShownHistory | null>(null);
  const loader = useRef<HistoryLoader>();

  useEffect(() => {
    const own = loadHistory(show);
    loader.current = own;
    const unsubscribe = arrivals.subscribe(own.arrived);
    return () => {
      unsubscribe();
      own.stop();
    };
  }, [arrivals]);

  useEffect(() => {
    if (span) loader.current?.want({ sensor, span, reach, before, points: chartPoints(span), isMoving });
  }, [sensor, span, reach, before, isMoving]);

  return shown;
}

/** Newly arrived readings of any sensor; null if they are unknown. */
type Arrived = readonly Reading[] | null;

/** Notifies parts of a page about new readings. */
export interface Arrivals {
  publish(arrived: Arrived): void;
  subscribe(listener: (arrived: Arrived) => void): () => void;
}

export function useArrivals(): Arrivals {
  return useState(createArrivals)[0];
}

function createArrivals(): Arrivals {
  const listeners = new Set<(arrived: Arrived) => void>();
  return {
    publish(arrived) {
      for (const listener of listeners) listener(arrived);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
