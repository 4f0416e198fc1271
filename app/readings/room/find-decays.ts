import { at } from '../at';
import { averages, type Curve, fitDecay, isTooSparse, leastGap } from './curve';
import type { Airing } from './find-airings';

/** A fall of CO2 in an empty room with closed windows. */
export interface Decay {
  /** Minutes since 1970. */
  from: number;
  to: number;
  /** CO2 at both ends of the fitted curve, in PPM. */
  fromPpm: number;
  toPpm: number;
}

/** Decays are searched for in averages of this many minutes. */
export const DECAY_STEP_MINUTES = 5;
/** The least excess over outdoor air at the start of a decay, in PPM, and its least and longest duration. */
const LEAST_EXCESS_PPM = 200;
const LEAST_MINUTES = 30;
const LONGEST_MINUTES = 600;
/**
 * A decay counts until the excess has fallen to this share. Below it, an error of the outdoor value distorts the
 * result.
 */
const LOWEST_SHARE = 0.25;
/** The excess falls by at least this share. In a smaller fall, the curve with people in the room looks the same. */
const LEAST_FALL_SHARE = 0.3;
/** People have left once CO2 has fallen by this share of the excess. */
const LEAVING_SHARE = 0.06;
/** The fewest averages in a decay. */
const LEAST_POINTS = 5;
/** The least share of the variance that an exponential decay explains. */
const LEAST_R2 = 0.97;
/** The rates of both halves differ by at most this factor. With people in the room, a decay gets slower and slower. */
const MOST_BEND = 1.35;
/** CO2 rises if it exceeds the previous average by both: this many PPM, and this share of the excess at the start. */
const RISE_PPM = 8;
const RISE_SHARE = 0.03;

/**
 * Finds decays, oldest first, with the minute in which each was known; none if the curve is too sparse. Leaves out those that
 * overlap an airing.
 */
export function findDecays(
  curve: Curve,
  airings: readonly Airing[],
  outdoor: number,
): (Decay & { knownAt: number })[] {
  if (isTooSparse(curve)) return [];
  const gap = Math.max(leastGap(curve), 3 * DECAY_STEP_MINUTES);
  const points = averages(curve, DECAY_STEP_MINUTES);
  const found: (Decay & { knownAt: number })[] = [];
  let first = 0;
  // The rest of a fall isn't another decay.
  let isOver = false;
  for (let i = 1; i < points.length; i++) {
    const [start, last, now] = [at(points, first), at(points, i - 1), at(points, i)];
    const excess = start.co2 - outdoor;
    const isGap = now.minute - last.minute > gap;
    const isRise = now.co2 > last.co2 + Math.max(RISE_PPM, RISE_SHARE * excess);
    const isDone =
      last.co2 - outdoor < LOWEST_SHARE * excess || last.minute - start.minute >= LONGEST_MINUTES;
    if (!isOver && (isGap || isRise || isDone)) {
      // Skips the first averages, because people were still there or leaving.
      const fallen = points.findIndex(({ co2 }, j) => j > first && start.co2 - co2 >= LEAVING_SHARE * excess);
      const decay = fallen === -1 ? null : decayOf(points.slice(fallen, i), outdoor);
      const touches = decay && airings.some(({ from, to }) => from <= decay.to && to >= decay.from);
      if (decay && !touches) found.push({ ...decay, knownAt: now.minute + DECAY_STEP_MINUTES });
      isOver = true;
    }
    if (isGap || isRise || now.co2 >= start.co2) [first, isOver] = [i, false];
  }
  return found;
}

/** Returns the longest decay that ends at the last point; null if there is none. */
function decayOf(points: Curve, outdoor: number): Decay | null {
  for (let first = 0; first + LEAST_POINTS <= points.length; first++) {
    const part = points.slice(first);
    const [start, end] = [at(part, 0), at(part, part.length - 1)];
    if (end.minute - start.minute < LEAST_MINUTES || start.co2 - outdoor < LEAST_EXCESS_PPM) return null;
    if (end.co2 <= outdoor || end.co2 - outdoor > (1 - LEAST_FALL_SHARE) * (start.co2 - outdoor)) return null;
    const line = fitDecay(part, outdoor);
    if (line.r2 < LEAST_R2) continue;
    const middle = Math.floor(part.length / 2);
    const early = -fitDecay(part.slice(0, middle + 1), outdoor).slope;
    const late = -fitDecay(part.slice(middle), outdoor).slope;
    if (early <= 0 || late <= 0 || Math.max(early / late, late / early) > MOST_BEND) continue;
    return { from: start.minute, to: end.minute, fromPpm: line.at(start.minute), toPpm: line.at(end.minute) };
  }
  return null;
}
