import { useEffect, useRef, useState } from 'react';

/**
 * Announces another sensor or span to screen readers, once it is at rest. Says nothing when the page opens, because
 * they read its title then.
 *
 * @param text undefined until the span is known
 */
export function SpanAnnouncement({ text, isMoving }: { text: string | undefined; isMoving: boolean }) {
  const shown = useRef<string>();
  const [announced, announce] = useState('');
  useEffect(() => {
    if (text === undefined || isMoving || text === shown.current) return;
    if (shown.current !== undefined) announce(text);
    shown.current = text;
  }, [text, isMoving]);
  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}
