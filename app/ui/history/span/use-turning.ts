import { type TouchEvent, useEffect, useRef } from 'react';
import { at } from '../../../readings/at';

/** The minimum sideways distance of a swipe. */
const SWIPE_PX = 60;

/** Swipes that start this close to the screen's edge belong to the phone, which goes back or forward. */
const EDGE_PX = 30;

/** Elements that use arrow keys and sideways movements themselves. */
const OWN_MOVES = 'figure, table, input, select, textarea, [contenteditable], nav[aria-label=Sensors]';

/** Calls `turn` on arrow keys and swipes outside charts, tables and fields. Returns touch handlers for the swiped element. */
export function useTurning(turn: (direction: 'earlier' | 'later') => void) {
  const start = useRef<{ x: number; y: number }>();

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (event.defaultPrevented || altKey || ctrlKey || metaKey || shiftKey || movesItself(target)) return;
      if (key === 'ArrowLeft') turn('earlier');
      if (key === 'ArrowRight') turn('later');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [turn]);

  return {
    onTouchStart({ touches, target }: TouchEvent) {
      const { clientX: x, clientY: y } = at(touches, 0);
      const isAtEdge = x < EDGE_PX || x > window.innerWidth - EDGE_PX;
      start.current = touches.length > 1 || isAtEdge || movesItself(target) ? undefined : { x, y };
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const { clientX, clientY } = at(changedTouches, 0);
      // On a magnified page, the same gesture scrolls sideways.
      if (!start.current || (window.visualViewport?.scale ?? 1) > 1) return;
      const [dx, dy] = [clientX - start.current.x, clientY - start.current.y];
      start.current = undefined;
      if (Math.abs(dx) >= SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) turn(dx > 0 ? 'earlier' : 'later');
    },
  };
}

function movesItself(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(OWN_MOVES) !== null;
}
