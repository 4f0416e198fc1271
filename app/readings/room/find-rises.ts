import { at } from '../at';
import { type Curve, fitLine, leastGap } from './curve';

/** The moment in which CO2 was rising towards a threshold, and what came of it: a forecast is judged by it later. */
export interface Rise {
  /** Minutes since 1970. */
  minute: number;
  co2: number;
  /** PPM an hour. */
  slope: number;
  /** The minutes until the threshold was reached; null if it wasn't within `LONGEST_WAIT_MINUTES`. */
  reachedAfter: number | null;
}

/** The slope is that of the last minutes, of at least so many points. */
const SLOPE_MINUTES = 10;
const SLOPE_POINTS = 4;
/** A forecast is made if a straight line reaches the threshold within this time. */
const LONGEST_LINE_MINUTES = 40;
/** A threshold that isn't reached within this time counts as never reached. */
const LONGEST_WAIT_MINUTES = 120;
/** The next rise counts after CO2 was this far below the threshold, in PPM. */
const RESET_PPM = 100;

/** Returns the rise towards the threshold at the end of a curve; null if CO2 isn't rising towards it. */
export function currentRise(curve: Curve, threshold: number): Omit<Rise, 'reachedAfter'> | null {
  const last = curve.at(-1);
  return last && last.co2 < threshold ? riseAt(curve, curve.length - 1, threshold, leastGap(curve)) : null;
}

/** Finds rises in the order of time, the first moment of each, with the minute in which its outcome was known. */
export function findRises(curve: Curve, threshold: number): (Rise & { knownAt: number })[] {
  const gap = leastGap(curve);
  const found: (Rise & { knownAt: number })[] = [];
  let isReset = true;
  let open: Omit<Rise, 'reachedAfter'> | null = null;
  for (let i = 1; i < curve.length; i++) {
    const { minute, co2 } = at(curve, i);
    const isGap = minute - at(curve, i - 1).minute > gap;
    if (open && isGap) open = null;
    if (open) {
      const waited = minute - open.minute;
      if (co2 < threshold && waited < LONGEST_WAIT_MINUTES) continue;
      found.push({ ...open, reachedAfter: co2 >= threshold ? waited : null, knownAt: minute });
      open = null;
      isReset = false;
    }
    if (co2 < threshold - RESET_PPM) isReset = true;
    if (isReset && co2 < threshold) open = riseAt(curve, i, threshold, gap);
  }
  return found;
}

function riseAt(
  curve: Curve,
  last: number,
  threshold: number,
  gap: number,
): Omit<Rise, 'reachedAfter'> | null {
  const { minute } = at(curve, last);
  const span = Math.max(SLOPE_MINUTES, gap);
  let first = last;
  while (first > 0 && minute - at(curve, first - 1).minute <= span) first--;
  const points = curve.slice(first, last + 1);
  if (points.length < SLOPE_POINTS) return null;
  const line = fitLine(
    points.map((point) => point.minute / 60),
    points.map((point) => point.co2),
  );
  const level = line.at(minute / 60);
  const isRising = line.slope > 0 && line.r2 > 0.5 && level < threshold;
  if (!isRising || ((threshold - level) / line.slope) * 60 > LONGEST_LINE_MINUTES) return null;
  return { minute, co2: level, slope: line.slope };
}
