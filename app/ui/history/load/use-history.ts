import { useEffect, useRef, useState } from 'react';
import type { CalendarUnit, Span } from '../../../readings/time/history-span';
import type { Arrivals } from './arrivals';
import { chartPoints } from './chart-points';
import { type HistoryLoader, loadHistory, type ShownHistory } from './load-history';

interface HistoryOptions {
  sensor: string;
  /** The span in view; null until the viewer's time zone is known. */
  span: Span | null;
  isMoving: boolean;
  /** The unit before, with which it is compared; null without comparison. */
  before: CalendarUnit | null;
}

/** Loads the history of a sensor that is in view, and keeps it up to date. Null until there is something to show. */
export function useHistory(
  { sensor, span, isMoving, before }: HistoryOptions,
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
    if (span) loader.current?.want({ sensor, span, before, points: chartPoints(span), isMoving });
  }, [sensor, span, before, isMoving]);

  return shown;
}
