import { useNavigate } from '@remix-run/react';
import { type FocusEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';

/** The time that the viewer points at in the table. */
export interface TableChoice {
  /** The time of the link under the pointer or with the focus, in milliseconds since 1970; null if there is none. */
  time: number | null;
  /** True if a finger has chosen it: the next tap opens it. */
  isTouched: boolean;
}

const NOTHING: TableChoice = { time: null, isTouched: false };

/**
 * Follows which link of a table is pointed at, and opens links without loading the page. A finger can't point without
 * tapping: the first tap chooses a time, whose value is shown, and a second one opens it.
 */
export function useTableChoice() {
  const navigate = useNavigate();
  const [choice, setChoice] = useState(NOTHING);
  const isFirstTap = useRef(false);
  const choose = (event: { target: EventTarget }) => {
    const time = timeOf(event);
    setChoice((before) => (before.time === time ? before : { time, isTouched: false }));
  };
  const handlers = {
    onPointerOver: (event: PointerEvent) => event.pointerType !== 'touch' && choose(event),
    onPointerLeave: (event: PointerEvent) => event.pointerType !== 'touch' && setChoice(NOTHING),
    onPointerDown: (event: PointerEvent) => {
      const time = timeOf(event);
      isFirstTap.current = event.pointerType === 'touch' && time !== null && time !== choice.time;
    },
    onFocus: (event: FocusEvent) => choose(event),
    onBlur: () => setChoice(NOTHING),
    onClick: (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link || event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
        return;
      event.preventDefault();
      if (isFirstTap.current) setChoice({ time: timeOf(event), isTouched: true });
      else navigate(link.getAttribute('href') ?? '', { preventScrollReset: true });
      isFirstTap.current = false;
    },
  };
  return [choice, handlers] as const;
}

function linkOf({ target }: { target: EventTarget }): HTMLAnchorElement | null {
  return (target as Element).closest('a');
}

function timeOf(event: { target: EventTarget }): number | null {
  const time = linkOf(event)?.dataset.time;
  return time === undefined ? null : Number(time);
}
