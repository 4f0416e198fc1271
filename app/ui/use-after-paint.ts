import { useEffect, useState } from 'react';
import { afterPaint } from './after-paint';

/**
 * Returns true once a frame has been painted since something was rendered. Work that can wait until then doesn't delay that
 * frame, as it would in a transition.
 *
 * @param isRendered true from the rendering on that is to be painted
 */
export function useAfterPaint(isRendered: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (isRendered) return afterPaint(() => setPainted(true));
  }, [isRendered]);
  return isPainted;
}
