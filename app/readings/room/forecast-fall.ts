import { at } from '../at';
import { upperMedian } from '../quantiles';
import type { Curve } from './curve';
import type { Airing } from './find-airings';

/** The course of CO2 while a window stays open and the same people stay in the room. */
export interface FallForecast {
  /**
   * The least and the most minutes until the target is reached, counted from the last point. Null if it isn't known whether
   * it will be reached.
   */
  minutes: [number, number] | null;
  /** The CO2 in PPM at which the fall ends, if that is above the target; null if it probably isn't. */
  endPpm: number | null;
  /** True if CO2 has come close to the value at which it ends, above the target. */
  isAtEnd: boolean;
}

/** A curve that isn't the fall of one opening says nothing about its course. */
const BENT: FallForecast = { minutes: null, endPpm: null, isAtEnd: false };

interface FallContext {
  /** CO2 of outdoor air, and of good air, in PPM. */
  outdoor: number;
  target: number;
  /** Air changes an hour of earlier airings, the slower and the faster ones; null if unknown. */
  usual: { slow: number; fast: number } | null;
  /** The CO2 that earlier airings have usually reached; null if unknown. */
  reached: number | null;
}

/** The fewest points, and their least span in minutes. */
const LEAST_POINTS = 4;
const LEAST_MINUTES = 3;

/** Air changes an hour that are compared: from the slowest tilted window to a draught. */
const RATES = Array.from({ length: 30 }, (_, i) => 1.2 * 1.11 ** i);
/** The number of compared values at which the fall may end. */
const ENDS = 25;
/** Without earlier airings: the usual air changes with an open window, and their spread as a logarithm. */
const USUAL_RATE = 6;
const USUAL_SPREAD = 0.7;
/** The spread around the rates of earlier airings. Windows aren't opened equally wide. */
const LEAST_SPREAD = 0.35;
/**
 * The usual excess over outdoor air at which a fall ends, in PPM: without earlier airings, and at the least. With earlier ones, half
 * of the excess that they have reached, because a window is closed before the end of the fall.
 */
const USUAL_END_EXCESS = 250;
const LEAST_END_EXCESS = 40;
/** The smallest error of a point in PPM and as a share of CO2: rooms aren't mixed perfectly. */
const LEAST_ERROR_PPM = 5;
const LEAST_ERROR_SHARE = 0.007;
/** The noise is that of this many latest points. */
const NOISE_POINTS = 60;
/** So many neighbouring points count as one, because what disturbs a room, such as a gust or a draught, lasts for minutes. */
const ALIKE_POINTS = 5;
/** The shares of the probability below and above the range of minutes. */
const [BELOW, ABOVE] = [0.05, 0.95];
/** The least probability with which an end above the target is said, and the most with which minutes are. */
const LEAST_SURE = 0.75;
const MOST_DOUBT = 0.3;
/** CO2 is at the end of its fall within this share of the fall. */
const END_SHARE = 0.1;
/** A curve whose best fit has a greater squared error than this many times that of its points isn't one fall: it has a bend. */
const MOST_MISFIT = 2.5;

/**
 * Compares pairs of air changes and ends of the fall by how well they explain the points: C(t) = Cend + (C0 − Cend) e^(−A t),
 * the mass balance with a constant source (`physics.ts`). Null with too few points.
 *
 * @param curve CO2 before the fall too, which shows the sensor's noise
 * @param fall from the opening of the window, in minutes
 */
export function forecastFall(
  curve: Curve,
  { from, to }: Pick<Airing, 'from' | 'to'>,
  { outdoor, target, usual, reached }: FallContext,
): FallForecast | null {
  const points = curve.filter(({ minute }) => minute >= from && minute <= to);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < LEAST_POINTS || last.minute - first.minute < LEAST_MINUTES)
    return null;
  const hours = points.map(({ minute }) => (minute - first.minute) / 60);
  const lowest = Math.min(...points.map(({ co2 }) => co2));
  const error = Math.max(LEAST_ERROR_PPM, LEAST_ERROR_SHARE * lowest, noiseOf(curve.slice(-NOISE_POINTS)));
  const middle = usual ? Math.log(Math.sqrt(usual.slow * usual.fast)) : Math.log(USUAL_RATE);
  const spread = usual ? Math.max(LEAST_SPREAD, Math.log(usual.fast / usual.slow)) : USUAL_SPREAD;
  const usualExcess =
    reached === null
      ? USUAL_END_EXCESS
      : Math.min(USUAL_END_EXCESS, Math.max(LEAST_END_EXCESS, (reached - outdoor) / 2));
  const mostExcess = Math.max(0, lowest - outdoor);
  const cases: { misfit: number; logWeight: number; end: number; now: number; minutes: number }[] = [];
  for (const rate of RATES) {
    const factors = hours.map((hour) => Math.exp(-rate * hour));
    const squares = factors.reduce((sum, factor) => sum + factor * factor, 0);
    for (let i = 0; i < ENDS; i++) {
      const excess = mostExcess * (i / (ENDS - 1));
      const end = outdoor + excess;
      const height =
        factors.reduce((sum, factor, j) => sum + factor * (at(points, j).co2 - end), 0) / squares;
      const misfit = factors.reduce(
        (sum, factor, j) => sum + ((at(points, j).co2 - end - height * factor) / error) ** 2,
        0,
      );
      const prior = ((Math.log(rate) - middle) / spread) ** 2 / 2 + excess / usualExcess;
      const now = end + height * at(factors, factors.length - 1);
      const minutes =
        now <= target
          ? 0
          : end >= target
            ? Number.POSITIVE_INFINITY
            : (60 * Math.log((now - end) / (target - end))) / rate;
      cases.push({ misfit, logWeight: -misfit / (2 * ALIKE_POINTS) - prior, end, now, minutes });
    }
  }
  // The window was closed, or opened further.
  if (Math.min(...cases.map(({ misfit }) => misfit)) > MOST_MISFIT * points.length) return BENT;
  const best = Math.max(...cases.map(({ logWeight }) => logWeight));
  const weighted = cases.map((each) => ({ ...each, weight: Math.exp(each.logWeight - best) }));
  const never = shareOf(weighted, ({ minutes }) => !Number.isFinite(minutes));
  const reaching = weighted.filter(({ minutes }) => Number.isFinite(minutes));
  const fall = first.co2 - last.co2;
  const atEnd = shareOf(
    weighted,
    ({ now, end }) => now - end <= END_SHARE * fall && end >= target - END_SHARE * fall,
  );
  return {
    minutes:
      never <= MOST_DOUBT
        ? [
            Math.floor(quantileOf(reaching, ({ minutes }) => minutes, BELOW)),
            Math.ceil(quantileOf(reaching, ({ minutes }) => minutes, ABOVE)),
          ]
        : null,
    endPpm: never >= LEAST_SURE ? Math.round(quantileOf(weighted, ({ end }) => end, 0.5)) : null,
    isAtEnd: atEnd >= LEAST_SURE,
  };
}

type Weighted<T> = readonly (T & { weight: number })[];

function shareOf<T>(cases: Weighted<T>, isHeld: (each: T) => boolean): number {
  let [held, all] = [0, 0];
  for (const each of cases) {
    all += each.weight;
    if (isHeld(each)) held += each.weight;
  }
  return held / all;
}

function quantileOf<T>(cases: Weighted<T>, numberOf: (each: T) => number, share: number): number {
  const sorted = cases.map((each) => ({ value: numberOf(each), weight: each.weight }));
  sorted.sort((a, b) => a.value - b.value);
  let left = share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  for (const { value, weight } of sorted) {
    left -= weight;
    if (left <= 0) return value;
  }
  return sorted.at(-1)?.value ?? 0;
}

/** Returns the standard deviation of the sensor's noise, from the bends between neighbouring points. */
function noiseOf(points: Curve): number {
  const bends = points
    .slice(2)
    .map(({ co2 }, i) => Math.abs(co2 - 2 * at(points, i + 1).co2 + at(points, i).co2));
  return (upperMedian(bends) ?? 0) / (0.6745 * Math.sqrt(6));
}
