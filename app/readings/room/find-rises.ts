import { at } from '../at';
import { upperMedian } from '../quantiles';
import { type Curve, type CurvePoint, fitLine, leastGap } from './curve';

/** A moment in which CO2 was rising towards a threshold, and the outcome. Forecasts are tested with these. */
export interface Rise {
  /** Minutes since 1970. */
  minute: number;
  co2: number;
  /** PPM an hour. */
  slope: number;
  /** True for the first moment of a rise. */
  isFirst: boolean;
  /** The minutes until the threshold was reached; null if it wasn't. */
  reachedAfter: number | null;
  /**
   * The minutes until CO2 fell, because a window was opened or people left; the rest isn't known. Null if the threshold was reached,
   * or wasn't for `LONGEST_WAIT_MINUTES`.
   */
  interruptedAfter: number | null;
}

type Moment = Pick<Rise, 'minute' | 'co2' | 'slope'>;

/** The slope is fitted to this many minutes, with at least this many points. */
const SLOPE_MINUTES = 10;
const SLOPE_POINTS = 4;
/** A forecast is made if a straight line reaches the threshold within this time. */
const LONGEST_LINE_MINUTES = 40;
/** A threshold that isn't reached within this time counts as never reached. */
const LONGEST_WAIT_MINUTES = 120;
/** A rise is interrupted once CO2 is this much below its highest value, in PPM; both are medians of these minutes. */
const INTERRUPTED_PPM = 40;
const LEVEL_MINUTES = 5;
/** The time between moments of a rise. */
const SAMPLE_MINUTES = 5;
/** After a rise, the next one counts only once CO2 has been this far below the threshold, in PPM. */
const RESET_PPM = 100;

/** The moments with a known outcome, and the moment at the end of the curve if CO2 is rising there. */
export interface FoundRises {
  ended: (Rise & { knownAt: number })[];
  current: Moment | null;
}

/**
 * Finds rises, oldest first, with the minute in which their outcome was known. Takes a moment every `SAMPLE_MINUTES`
 * during a rise, because forecasts are shown at any time and the last ones are the most accurate.
 */
export function findRises(curve: Curve, threshold: number): FoundRises {
  const gap = leastGap(curve);
  const found: FoundRises['ended'] = [];
  let isReset = true;
  let open: Omit<Rise, 'reachedAfter' | 'interruptedAfter'>[] = [];
  let highest = 0;
  for (let i = 1; i < curve.length; i++) {
    const { minute, co2 } = at(curve, i);
    const [first] = open;
    if (minute - at(curve, i - 1).minute > gap) open = [];
    else if (first) {
      const level = levelAt(curve, i);
      highest = Math.max(highest, level);
      const isReached = co2 >= threshold;
      const isInterrupted = !isReached && level <= highest - INTERRUPTED_PPM;
      if (isReached || isInterrupted || minute - first.minute >= LONGEST_WAIT_MINUTES) {
        const end = isReached ? crossingOf(at(curve, i - 1), at(curve, i), threshold) : minute;
        for (const rise of open) {
          const after = end - rise.minute;
          found.push({
            ...rise,
            reachedAfter: isReached ? after : null,
            interruptedAfter: isInterrupted ? after : null,
            knownAt: minute,
          });
        }
        open = [];
        highest = 0;
        // After an interruption, CO2 may rise again.
        isReset = isInterrupted;
      }
    }
    if (co2 < threshold - RESET_PPM) isReset = true;
    if (!isReset || co2 >= threshold) continue;
    const last = open.at(-1);
    if (last && minute - last.minute < SAMPLE_MINUTES) continue;
    const rise = riseAt(curve, i, threshold, gap);
    if (rise) open.push({ ...rise, isFirst: open.length === 0 });
  }
  const now = curve.at(-1);
  const isRising = open.length > 0 && now !== undefined && now.co2 < threshold;
  return { ended: found, current: isRising ? riseAt(curve, curve.length - 1, threshold, gap) : null };
}

/** Returns the minute at which a straight line between two points reaches the threshold. */
function crossingOf(before: CurvePoint, after: CurvePoint, threshold: number): number {
  if (before.co2 >= threshold) return after.minute;
  const share = (threshold - before.co2) / (after.co2 - before.co2);
  return before.minute + share * (after.minute - before.minute);
}

/** Returns the median of the minutes up to a point. */
function levelAt(curve: Curve, last: number): number {
  const { minute } = at(curve, last);
  let first = last;
  while (first > 0 && minute - at(curve, first - 1).minute < LEVEL_MINUTES) first--;
  return upperMedian(curve.slice(first, last + 1).map(({ co2 }) => co2)) ?? 0;
}

function riseAt(curve: Curve, last: number, threshold: number, gap: number): Moment | null {
  const { minute } = at(curve, last);
  const span = Math.max(SLOPE_MINUTES, gap);
  let first = last;
  while (first > 0 && minute - at(curve, first - 1).minute <= span) first--;
  let [lowest, highest] = [Infinity, 0];
  for (let i = first; i <= last; i++) {
    lowest = Math.min(lowest, at(curve, i).co2);
    highest = Math.max(highest, at(curve, i).co2);
  }
  // A quick check for points that are far too low: no fitted line is three times as steep as their range.
  const steepest = (3 * (highest - lowest)) / (minute - at(curve, first).minute);
  if (threshold - highest > steepest * LONGEST_LINE_MINUTES) return null;
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
