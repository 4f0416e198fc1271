import { useEffect, useRef, useState } from 'react';
import type { CalendarUnit, Span } from '../../readings/history-span';
import type { Arrivals } from './arrivals';
import { type HistoryLoader, loadHistory, type ShownHistory } from './load-history';

/**
 * Room for a day in 2 minutes (720), a month in hours (745) and a year in half days (733); on a narrow screen for a month
 * in 2 hours (373) and a year in days (367).
 */
const [POINTS, NARROW_POINTS, NARROW_PX] = [750, 375, 600];

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
    const points = window.innerWidth < NARROW_PX ? NARROW_POINTS : POINTS;
    if (span) loader.current?.want({ sensor, span, before, points, isMoving });
  }, [sensor, span, before, isMoving]);

  return shown;
}
