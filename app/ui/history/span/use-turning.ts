import { type TouchEvent, useEffect, useRef } from 'react';
import { at } from '../../../readings/at';

/** A finger that moves at least this far, mostly sideways, swipes. */
const SWIPE_PX = 60;

/** Phones go back and forward with swipes from the edge of the screen. */
const EDGE_PX = 30;

/** Parts of a page that use the arrow keys and sideways movements themselves. */
const OWN_MOVES = 'figure, table, input, select, textarea, [contenteditable], nav[aria-label=Sensors]';

/** Calls back at arrow keys and swipes outside of charts, tables and fields. Returns handlers for the swiped element. */
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
      // A page that is magnified is moved sideways.
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
