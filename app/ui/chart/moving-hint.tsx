import { ZOOM_BAR_ROOM } from './zoom-bar';

/** Says how to move the chart. */
export function MovingHint() {
  return (
    <p className={`${ZOOM_BAR_ROOM} grid min-h-11 place-content-center text-center text-sm text-muted`}>
      <span className="pointer-coarse:hidden">Turn the wheel to zoom, drag to move</span>
      <span className="hidden pointer-coarse:inline">Tap for values, pinch to zoom</span>
    </p>
  );
}
