import { useEffect, useRef, useState } from 'react';
import type { Span } from '../../readings/time/history-span';
import { chartPoints, type HistoryLoader, loadHistory, type ShownHistory } from '../history/load-history';
import type { Arrivals } from '../history/use-history';

/** The view of a chart of several rooms. */
interface RoomsView {
  span: Span | null;
  isMoving: boolean;
}

/**
 * Loads the histories of several sensors in the same steps, and keeps them up to date. A sensor is missing until there is something
 * to show of it.
 *
 * @param sensors the same list as long as no sensor changes
 */
export function useRoomHistories(
  sensors: readonly string[],
  { span, isMoving }: RoomsView,
  arrivals: Arrivals,
): ReadonlyMap<string, ShownHistory> {
  const [shown, show] = useState<ReadonlyMap<string, ShownHistory>>(new Map());
  const loaders = useRef(new Map<string, HistoryLoader>());

  useEffect(() => {
    const own = new Map(
      sensors.map((sensor) => [
        sensor,
        loadHistory((history) => show((before) => new Map(before).set(sensor, history))),
      ]),
    );
    loaders.current = own;
    show((before) => new Map([...before].filter(([sensor]) => own.has(sensor))));
    const unsubscribe = arrivals.subscribe((arrived) => {
      for (const loader of own.values()) loader.arrived(arrived);
    });
    return () => {
      unsubscribe();
      for (const loader of own.values()) loader.stop();
    };
  }, [sensors, arrivals]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other sensors have other loaders.
  useEffect(() => {
    if (!span) return;
    const wanted = { span, isMoving, before: null, points: chartPoints(span) };
    for (const [sensor, loader] of loaders.current) loader.want({ sensor, ...wanted });
  }, [sensors, arrivals, span, isMoving]);

  return shown;
}
