import { at } from '../at';
import { averages, type Curve, fitDecay, leastGap } from './curve';
import type { Airing } from './find-airings';

/** A fall of CO2 in a room that nobody is in and whose windows are closed. */
export interface Decay {
  /** Minutes since 1970. */
  from: number;
  to: number;
  /** CO2 at both ends of the fitted curve. */
  fromPpm: number;
  toPpm: number;
}

/** CO2 is averaged over these minutes before a decay is looked for. */
const STEP_MINUTES = 5;
/** A decay starts at least this far above outdoor air, in PPM, and lasts at least this long. */
const LEAST_EXCESS_PPM = 200;
const LEAST_MINUTES = 30;
const LONGEST_MINUTES = 600;
/** It counts until the excess has fallen to this share: below it, an error of the outdoor air decides. */
const LOWEST_SHARE = 0.25;
/** The excess falls at least by this share: in less, the curve of people who stay looks straight. */
const LEAST_FALL_SHARE = 0.3;
/** It has at least this many averages. */
const LEAST_POINTS = 5;
/** The share of the variance that an exponential decay explains. */
const LEAST_R2 = 0.97;
/** The rates of both halves differ by at most this factor: people who stay make a decay slower and slower. */
const MOST_BEND = 1.35;
/** CO2 rises if it is this much above the average before, in PPM and as a share of the excess at the start. */
const RISE_PPM = 8;
const RISE_SHARE = 0.03;

/** Finds decays in the order of time, each with the minute in which it was known. Those that touch an airing are left out. */
export function findDecays(
  curve: Curve,
  airings: readonly Airing[],
  outdoor: number,
): (Decay & { knownAt: number })[] {
  const gap = Math.max(leastGap(curve), 3 * STEP_MINUTES);
  const points = averages(curve, STEP_MINUTES);
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
      // People leave within the first average.
      const decay = decayOf(points.slice(first + 1, i), outdoor);
      const touches = decay && airings.some(({ from, to }) => from <= decay.to && to >= decay.from);
      if (decay && !touches) found.push({ ...decay, knownAt: now.minute + STEP_MINUTES });
      isOver = true;
    }
    if (isGap || isRise || now.co2 >= start.co2) [first, isOver] = [i, false];
  }
  return found;
}

/** Returns the longest decay that ends with the last point; null if there is none. It starts after the last person left. */
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
