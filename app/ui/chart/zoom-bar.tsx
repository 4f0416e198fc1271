import { memo, useRef } from 'react';
import { Button } from '../controls';

/** A negative margin: half of the bar uses the card's bottom padding. */
export const ZOOM_BAR_ROOM = '-mb-2 sm:-mb-4';

interface ZoomBarProps {
  isZoomed: boolean;
  onReset(): void;
}

/** The line below a chart: usage hints, or the button that ends a zoom. A reading doesn't render it. */
export const ZoomBar = memo(function ZoomBar({ isZoomed, onReset }: ZoomBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const reset = () => {
    onReset();
    // The button is about to disappear. Focus the bar, so that the next Tab continues from here.
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
});

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
      <span className="pointer-coarse:hidden print:hidden">{wheel}</span>
      <span className="hidden pointer-coarse:inline print:hidden">Tap for values, pinch to zoom</span>
    </>
  );
}
