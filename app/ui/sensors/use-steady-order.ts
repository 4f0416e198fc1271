import { type RefObject, useEffect, useRef, useState } from 'react';
import { useBeforePaint } from '../use-before-paint';

/** The order is kept for this long after a person has done something with the list. */
const HOLD_MS = 3000;

const ACTIONS = ['pointermove', 'pointerdown', 'pointerup', 'scroll', 'keydown', 'focusin'] as const;

/**
 * Returns the names in their order, except while a person is about to choose one: with the pointer on the list, the
 * keyboard's focus in it, or shortly after a touch. New names then come last.
 *
 * @param list the list that shows them
 * @param now changes every second, so that the order follows once nobody is about to choose
 */
export function useSteadyOrder(
  list: RefObject<HTMLElement>,
  names: readonly string[],
  now: number,
): readonly string[] {
  const [order, setOrder] = useState(names);
  const lastAction = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const listening = new AbortController();
    const note = () => {
      lastAction.current = performance.now();
    };
    for (const type of ACTIONS) list.current?.addEventListener(type, note, { signal: listening.signal });
    return () => listening.abort();
  }, [list]);

  const wanted = JSON.stringify(names);
  // With time, the order is no longer held.
  useBeforePaint(() => {
    const names: string[] = JSON.parse(wanted);
    const isHeld = isBeingUsed(list.current, lastAction.current);
    setOrder((before) => {
      const kept = isHeld ? before.filter((name) => names.includes(name)) : [];
      const next = [...kept, ...names.filter((name) => !kept.includes(name))];
      return JSON.stringify(next) === JSON.stringify(before) ? before : next;
    });
  }, [wanted, now, list]);

  return order;
}

function isBeingUsed(list: HTMLElement | null, lastAction: number): boolean {
  if (!list) return false;
  return (
    performance.now() - lastAction < HOLD_MS ||
    // After a touch an element stays hovered.
    (matchMedia('(hover: hover)').matches && list.matches(':hover')) ||
    list.querySelector(':focus-visible') !== null
  );
}
