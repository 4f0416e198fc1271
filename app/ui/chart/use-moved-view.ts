import type { Chart } from 'chart.js';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isSameSpan, type Span } from '../../readings/time/history-span';
import { historyModelOf } from './history-model';
import { followGestures } from './time-gestures';

interface MovableView {
  view: Span;
  limits: Span;
  /** Turns false when the page has gone to another view, which ends a gesture. */
  isMoving: boolean;
  onMove(view: Span): void;
  onRest(view: Span): void;
}

/**
 * Returns the view of a chart that gestures move: the given one, or the one of a gesture until the given one changes
 * after it. The page is told of every step, but the chart doesn't wait for it.
 *
 * @param isFixed true for a chart that is for looking only
 * @returns the view, and whether a gesture is under way
 */
export function useMovedView(
  chart: RefObject<Chart<'line'> | null>,
  props: MovableView,
  isFixed: boolean,
): [view: Span, isMoving: boolean] {
  const [moved, setMoved] = useState<Span | null>(null);
  const [isMoving, setMoving] = useState(false);
  const [given, setGiven] = useState(props.view);
  if (!isSameSpan(given, props.view)) {
    setGiven(props.view);
    if (!isMoving) setMoved(null);
  }
  const [wasMoving, setWasMoving] = useState(props.isMoving);
  if (wasMoving !== props.isMoving) {
    setWasMoving(props.isMoving);
    if (!props.isMoving && isMoving) {
      setMoving(false);
      setMoved(null);
    }
  }
  const view = moved ?? props.view;
  const latest = useRef({ ...props, view, isMoving });
  useEffect(() => {
    latest.current = { ...props, view, isMoving };
  });

  useEffect(() => {
    const canvas = chart.current?.canvas;
    if (!canvas || isFixed) return;
    return followGestures({
      canvas,
      edges: () => chart.current?.chartArea ?? { left: 0, right: 1 },
      view: () => latest.current.view,
      limits: () => latest.current.limits,
      active() {
        const [active] = chart.current?.getActiveElements() ?? [];
        return (active && chart.current && historyModelOf(chart.current).positions[active.index]) ?? null;
      },
      onMove(view) {
        // The next event may come before the next rendering.
        Object.assign(latest.current, { view, isMoving: true });
        setMoved(view);
        setMoving(true);
        latest.current.onMove(view);
      },
      onRest() {
        if (!latest.current.isMoving) return;
        latest.current.isMoving = false;
        setMoving(false);
        latest.current.onRest(latest.current.view);
      },
    });
  }, [chart, isFixed]);

  return [view, isMoving];
}
