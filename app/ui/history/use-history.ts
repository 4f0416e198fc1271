import { useEffect, useRef, useState } from 'react';
import type { Span } from '../../readings/history-span';
import type { Arrivals } from './arrivals';
import { type HistoryLoader, loadHistory, type ShownHistory } from './load-history';

/** A narrow screen has no room for more points. */
const [POINTS, NARROW_POINTS, NARROW_PX] = [700, 350, 600];

interface HistoryOptions {
  sensor: string;
  /** The span in view; null until the viewer's time zone is known. */
  span: Span | null;
  isMoving: boolean;
  /** How much later it is than the span that it is compared with, in milliseconds; null without comparison. */
  shift: number | null;
}

/** Loads the history of a sensor that is in view, and keeps it up to date. Null until there is something to show. */
export function useHistory(
  { sensor, span, isMoving, shift }: HistoryOptions,
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
    if (span) loader.current?.want({ sensor, span, shift, points, isMoving });
  }, [sensor, span, shift, isMoving]);

  return shown;
}
