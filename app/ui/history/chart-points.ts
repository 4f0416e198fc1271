/**
 * Room for a day in 2 minutes (720), a month in hours (745) and a year in half days (733); on a narrow screen for a month
 * in 2 hours (373) and a year in days (367).
 */
const [POINTS, NARROW_POINTS, NARROW_PX] = [750, 375, 600];

/** Returns the most points that a chart of history draws. */
export function chartPoints(): number {
  return window.innerWidth < NARROW_PX ? NARROW_POINTS : POINTS;
}
