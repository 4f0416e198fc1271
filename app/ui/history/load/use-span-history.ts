import { useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useState } from 'react';
import type { Connection } from '../../../live/browser/page-state';
import { type ServerClock, serverTimeAt } from '../../../live/browser/server-clock';
import type { LiveReadings } from '../../../live/browser/use-readings';
import { comparedUnit, type SpanContext } from '../../../readings/time/history-span';
import { useBeforePaint } from '../../hydration';
import { type ShownSpan, useSpan } from '../span/use-span';
import type { Arrivals } from './requests';
import { type ShownHistory, useHistory } from './use-history';

export interface SpanHistory {
  shown: ShownSpan;
  context: SpanContext | null;
  history: ShownHistory | null;
  /** The connection of the readings, with the reason if the history can't be fetched. */
  connection: Connection;
  isCompared: boolean;
  compare(isCompared: boolean): void;
}

/** Shows the span that the page's address names, of the sensor whose readings it follows. */
export function useSpanHistory(readings: LiveReadings, arrivals: Arrivals): SpanHistory {
  const { sensor, clock } = readings;
  const now = useServerNow(clock);
  const summary = summaryOf(readings);
  const first = summary ? Date.parse(summary.first_heard) : null;
  const last = summary ? Date.parse(summary.last_heard) : null;
  const context = now === null ? null : { now, first, last };
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

function summaryOf({ sensor, sensors }: Pick<LiveReadings, 'sensor' | 'sensors'>) {
  return sensors.find(({ name }) => name === sensor);
}

/** Keeps in the page's address whether the span is compared with the one before, as `?compare=before`. */
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

/** Returns the server's time in ms, every second; null on the server, which doesn't know the viewer's time zone. */
export function useServerNow(clock: ServerClock): number | null {
  const [now, setNow] = useState<number | null>(null);
  useBeforePaint(() => setNow(performance.now()), []);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now === null ? null : serverTimeAt(clock, now);
}
