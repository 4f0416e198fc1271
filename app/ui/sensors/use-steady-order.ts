import { type RefObject, useEffect, useRef } from 'react';

/** The order is kept for this long after a person has done something with the list. */
const HOLD_MS = 3000;

const ACTIONS = ['pointermove', 'pointerdown', 'pointerup', 'scroll', 'keydown', 'focusin'] as const;

/**
 * Returns the names in their order, except while a person is about to choose one: with the pointer on the list, the
 * keyboard's focus in it, or shortly after a touch. New names then come last.
 *
 * @param list a list that renders at least every few seconds
 */
export function useSteadyOrder(list: RefObject<HTMLElement>, names: readonly string[]): readonly string[] {
  const order = useRef(names);
  const lastAction = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const listening = new AbortController();
    const note = () => {
      lastAction.current = performance.now();
    };
    for (const type of ACTIONS) list.current?.addEventListener(type, note, { signal: listening.signal });
    return () => listening.abort();
  }, [list]);

  const isHeld = () =>
    performance.now() - lastAction.current < HOLD_MS ||
    // After a touch an element stays hovered.
    (matchMedia('(hover: hover)').matches && list.current?.matches(':hover')) ||
    list.current?.querySelector(':focus-visible');
  if (list.current && isHeld()) {
    const kept = order.current.filter((name) => names.includes(name));
    order.current = [...kept, ...names.filter((name) => !kept.includes(name))];
  } else {
    order.current = names;
  }
  return order.current;
}
