import { useEffect, useMemo, useRef, useState } from 'react';
import type { Span } from '../../readings/history-span';
import type { Arrivals } from './arrivals';
import { chartPoints } from './chart-points';
import { type HistoryLoader, loadHistory, readyHistory, type ShownHistory } from './load-history';

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
    if (span) loader.current?.want({ sensor, span, shift, points: chartPoints(), isMoving });
  }, [sensor, span, shift, isMoving]);

  // The first chart doesn't wait for another rendering.
  const isFirst = shown === null;
  const ready = useMemo(
    () => (isFirst && span ? readyHistory({ sensor, span, shift, points: chartPoints(), isMoving }) : null),
    [isFirst, sensor, span, shift, isMoving],
  );
  return shown ?? ready;
}
