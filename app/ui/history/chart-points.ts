/** A narrow screen has no room for more points. */
const [POINTS, NARROW_POINTS, NARROW_PX] = [700, 350, 600];

/** Returns the most points that a chart of history draws. */
export function chartPoints(): number {
  return window.innerWidth < NARROW_PX ? NARROW_POINTS : POINTS;
}
