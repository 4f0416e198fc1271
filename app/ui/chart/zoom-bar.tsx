import { useRef } from 'react';
import { Button } from '../controls';

/** Half of the bar takes the room that the card leaves below. */
export const ZOOM_BAR_ROOM = '-mb-2 sm:-mb-4';

/** The line below a chart: how to use it, or the button that ends a zoom, in the same room. */
export function ZoomBar({ isZoomed, onReset }: { isZoomed: boolean; onReset(): void }) {
  const bar = useRef<HTMLDivElement>(null);
  const reset = () => {
    onReset();
    // The button is about to disappear: the next Tab continues from here.
    bar.current?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={bar}
      tabIndex={-1}
      className={`${ZOOM_BAR_ROOM} grid min-h-11 place-content-center rounded-md text-center text-sm text-muted`}
    >
      {isZoomed ? (
        <Button onClick={reset}>Reset zoom</Button>
      ) : (
        <Hints wheel="Turn the wheel to zoom, then drag to move" />
      )}
    </div>
  );
}

export function MovingHint() {
  return (
    <p className={`${ZOOM_BAR_ROOM} grid min-h-11 place-content-center text-center text-sm text-muted`}>
      <Hints wheel="Turn the wheel to zoom, drag to move" />
    </p>
  );
}

function Hints({ wheel }: { wheel: string }) {
  return (
    <>
      <span className="pointer-coarse:hidden">{wheel}</span>
      <span className="hidden pointer-coarse:inline">Tap for values, pinch to zoom</span>
    </>
  );
}
