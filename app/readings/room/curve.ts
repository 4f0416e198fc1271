import { at } from '../at';
import { upperMedian } from '../quantiles';

/** The average CO2 of a minute in PPM. Minutes are counted from 1970. */
export interface CurvePoint {
  minute: number;
  co2: number;
}

/** CO2 of one sensor, oldest first, with a point for each minute that has readings. */
export type Curve = readonly CurvePoint[];

/** A gap is longer than this many usual intervals, and longer than `LEAST_GAP_MINUTES`. */
const GAP_INTERVALS = 3;
const LEAST_GAP_MINUTES = 5;

/** The longest usual interval, in minutes, for which airings and decays are found. Ten-minute sensors may be a little slow. */
export const LONGEST_INTERVAL_MINUTES = 12;

/** Returns the usual interval between points, in minutes: the median of the latest intervals. */
export function usualInterval(curve: Curve): number {
  const last = curve.slice(-120);
  return upperMedian(last.slice(1).map(({ minute }, i) => minute - at(last, i).minute)) ?? 1;
}

/** Returns true if the points are too far apart to find airings and decays. */
export function isTooSparse(curve: Curve): boolean {
  return usualInterval(curve) > LONGEST_INTERVAL_MINUTES;
}

/** Returns the time in minutes above which an interval between points is a gap. */
export function leastGap(curve: Curve): number {
  return Math.max(LEAST_GAP_MINUTES, GAP_INTERVALS * usualInterval(curve));
}

/** A straight line, and the share of the variance that it explains. */
export interface Line {
  slope: number;
  r2: number;
  at(x: number): number;
}

/** Fits a line by weighted least squares. A single point gives a horizontal line. */
export function fitLine(
  xs: readonly number[],
  ys: readonly number[],
  weights: readonly number[] = xs.map(() => 1),
): Line {
  let [total, meanX, meanY] = [0, 0, 0];
  for (const [i, weight] of weights.entries()) {
    total += weight;
    meanX += weight * at(xs, i);
    meanY += weight * at(ys, i);
  }
  meanX /= total;
  meanY /= total;
  let [xx, xy, yy] = [0, 0, 0];
  for (const [i, weight] of weights.entries()) {
    const [dx, dy] = [at(xs, i) - meanX, at(ys, i) - meanY];
    xx += weight * dx * dx;
    xy += weight * dx * dy;
    yy += weight * dy * dy;
  }
  const slope = xx === 0 ? 0 : xy / xx;
  return {
    slope,
    r2: xx === 0 || yy === 0 ? 0 : (xy * xy) / (xx * yy),
    at: (x) => meanY + slope * (x - meanX),
  };
}

/**
 * Fits an exponential decay towards `outdoor`: a line through the logarithms of the excess. Weighting by the squared
 * excess approximately minimizes the squared error of CO2 instead of its logarithm. `slope` is per hour.
 */
export function fitDecay(points: Curve, outdoor: number): Line {
  const excesses = points.map(({ co2 }) => Math.max(1, co2 - outdoor));
  const line = fitLine(
    points.map(({ minute }) => minute / 60),
    excesses.map(Math.log),
    excesses.map((excess) => excess * excess),
  );
  return { ...line, at: (minute) => outdoor + Math.exp(line.at(minute / 60)) };
}

/** Returns the average of each step of `stepMinutes`, at the average time of its points. */
export function averages(curve: Curve, stepMinutes: number): CurvePoint[] {
  const steps = new Map<number, { minutes: number; sum: number; values: number }>();
  for (const { minute, co2 } of curve) {
    const step = Math.floor(minute / stepMinutes);
    const { minutes, sum, values } = steps.get(step) ?? { minutes: 0, sum: 0, values: 0 };
    steps.set(step, { minutes: minutes + minute, sum: sum + co2, values: values + 1 });
  }
  return [...steps.values()].map(({ minutes, sum, values }) => ({
    minute: minutes / values,
    co2: sum / values,
  }));
}
