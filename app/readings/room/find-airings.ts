import { at } from '../at';
import { upperMedian } from '../quantiles';
import { type Curve, fitDecay, fitLine, isTooSparse, leastGap, usualInterval } from './curve';
import { airChanges } from './physics';

/** A time in which CO2 fell so fast that a window must have been open. */
export interface Airing {
  /** Minutes since 1970. */
  from: number;
  to: number;
  fromPpm: number;
  toPpm: number;
  airChangesPerHour: number;
}

/** The airings in a curve. */
export interface FoundAirings {
  /** The airings that are over, oldest first. `knownAt` is the minute in which the end was known. */
  ended: (Airing & { knownAt: number })[];
  /** The airing that is still going on; its `to` is the last point. */
  current: Airing | null;
}

/** The fewest and the most air changes an hour with an open window. A faster fall is one of the air at the sensor. */
const LEAST_AIR_CHANGES = 2;
const MOST_AIR_CHANGES = 20;
/**
 * People who stay slow a fall down, so its own air changes may be this few. Compared with the rise before it, which would have gone
 * on, they are `LEAST_AIR_CHANGES`. In a closed room that people leave, the fall itself is slower than this.
 */
const LEAST_FALL_CHANGES = 1.2;
const RISE_MINUTES = 10;
/** The fewest readings of a finished airing, if they are close together, and its shortest length. */
const LEAST_POINTS = 4;
const CLOSE_MINUTES = 2;
const LEAST_MINUTES = 4;
/** The smallest fall of a finished airing, in PPM. */
export const LEAST_FALL_PPM = 100;
/** The smallest fall of a current airing, in PPM. */
const EARLY_FALL_PPM = 40;
/** The start is searched for in the last minutes, or in the last points if these are further apart. */
const SEARCH_MINUTES = 12;
const SEARCH_POINTS = 2;
/** The level before the start is the median of this many minutes, so that a breath at the sensor doesn't count. */
const LEVEL_MINUTES = 6;
/**
 * A breath at the sensor makes a peak: CO2 rose by this share of the fall in the minutes before, over this many minutes at this
 * share of the fall's steepness.
 */
const PEAK_MINUTES = 10;
const PEAK_SHARE = 0.5;
const LONG_RISE_FACTOR = 1.5;
const STEEP_MINUTES = 3;
const STEEP_RISE_SHARE = 0.7;
/** If CO2 has regained this share of the fall once its end is known, the readings were wrong or the room's air wasn't mixed. */
const REBOUND_SHARE = 0.5;
/** A fall is at least this many times the noise, the median difference of neighbouring points. */
const NOISE_FACTOR = 5;
/** An airing is over once CO2 hasn't fallen for this many minutes and at least two points. */
const STILL_MINUTES = 4;
/**
 * Air changes are computed until the excess over outdoor air falls to this share. Below it, noise and people distort
 * them.
 */
const STEEP_SHARE = 0.3;

/**
 * Finds airings, oldest first; none if the curve is too sparse. An airing and its `knownAt` don't depend on points after
 * `knownAt`.
 *
 * @param outdoor CO2 of outdoor air in PPM
 * @param until the minute up to which readings are known; an airing whose readings stopped long before has ended
 */
export function findAirings(curve: Curve, outdoor: number, until = curve.at(-1)?.minute ?? 0): FoundAirings {
  if (isTooSparse(curve)) return { ended: [], current: null };
  const gap = leastGap(curve);
  const ended: FoundAirings['ended'] = [];
  let open: number | null = null;
  // No airing begins before this point, because an earlier one ended here or there was a gap.
  let free = 0;
  for (let i = 1; i < curve.length; i++) {
    const { minute } = at(curve, i);
    const isGap = minute - at(curve, i - 1).minute > gap;
    if (open === null) {
      if (isGap) free = i;
      else open = startOf(curve, { free, last: i }, outdoor);
      continue;
    }
    // A fall that has become slow must not hide a later opening of a window.
    const isSlow =
      steepAirChanges(curve.slice(open, i + 1), levelAt(curve, free, open), outdoor) < LEAST_FALL_CHANGES;
    const end: number | null = isGap ? i - 1 : isSlow ? lowestOf(curve, open, i - 1) : endOf(curve, open, i);
    if (end === null) continue;
    const airing = finished(curve, { free, start: open, end, known: isGap ? end : i }, outdoor);
    if (airing) ended.push({ ...airing, knownAt: isGap ? at(curve, end).minute + gap : minute });
    if (isGap) free = i;
    else if (airing) free = end;
    open = null;
  }
  if (open === null) return { ended, current: null };
  const end = curve.length - 1;
  const knownAt = at(curve, end).minute + gap;
  if (knownAt > until) return { ended, current: airingOf(curve, { free, start: open, end }, outdoor, 0) };
  const airing = finished(curve, { free, start: open, end, known: end }, outdoor);
  return { ended: airing ? [...ended, { ...airing, knownAt }] : ended, current: null };
}

/** Returns the point at which the fall at the point `last` began; null if CO2 isn't falling fast enough. */
function startOf(
  curve: Curve,
  { free, last }: { free: number; last: number },
  outdoor: number,
): number | null {
  const now = at(curve, last);
  if (now.co2 <= outdoor) return null;
  let noise: number | null = null;
  let best: { start: number; score: number } | null = null;
  for (let start = last - 1; start >= free; start--) {
    const { minute, co2 } = at(curve, start);
    if (now.minute - minute > SEARCH_MINUTES && last - start > SEARCH_POINTS) break;
    // A quick check. If the level is higher than this value, an earlier point is as high, and is checked later.
    if (co2 - now.co2 < EARLY_FALL_PPM) continue;
    noise ??= noiseBefore(curve, last);
    const level = levelAt(curve, free, start);
    const fall = level - now.co2;
    if (fall < Math.max(EARLY_FALL_PPM, NOISE_FACTOR * noise)) continue;
    const rate = airChanges(level, now.co2, (now.minute - minute) / 60, outdoor);
    const score = fall * rate;
    if (rate < LEAST_FALL_CHANGES || (best && score <= best.score)) continue;
    if (isOpening(curve, { free, start, end: last }, outdoor, rate)) best = { start, score };
  }
  return best?.start ?? null;
}

/** Returns the level at a point in PPM: the median of the minutes up to it. */
function levelAt(curve: Curve, free: number, point: number): number {
  const { minute } = at(curve, point);
  let first = point;
  while (first > free && minute - at(curve, first - 1).minute < LEVEL_MINUTES) first--;
  return upperMedian(curve.slice(first, point + 1).map(({ co2 }) => co2)) ?? 0;
}

function noiseBefore(curve: Curve, last: number): number {
  const before = curve.slice(Math.max(0, last - 60), last);
  return upperMedian(before.slice(1).map(({ co2 }, i) => Math.abs(co2 - at(before, i).co2))) ?? 0;
}

/** Returns the point from which on CO2 doesn't fall by more than 2 PPM. */
function lowestOf(curve: Curve, start: number, last: number): number {
  let lowest = start;
  for (let i = start + 1; i <= last; i++) if (at(curve, i).co2 < at(curve, lowest).co2 - 2) lowest = i;
  return lowest;
}

/** Returns the point at which an airing ended, judged at the point `last`; null if it is still going on. */
function endOf(curve: Curve, start: number, last: number): number | null {
  const lowest = lowestOf(curve, start, last);
  const still = at(curve, last).minute - at(curve, lowest).minute;
  return last - lowest >= 2 && still >= STILL_MINUTES ? lowest : null;
}

/** Returns the airing that ended at the point `end`, judged at the point `known`; null if it was none. */
function finished(
  curve: Curve,
  { known, ...fall }: { free: number; start: number; end: number; known: number },
  outdoor: number,
): Airing | null {
  const airing = airingOf(curve, fall, outdoor);
  if (!airing) return null;
  const { from, to, fromPpm, toPpm } = airing;
  const points = curve.filter(({ minute }) => minute >= from && minute <= to).length;
  const isLong =
    to - from >= LEAST_MINUTES && (points >= LEAST_POINTS || usualInterval(curve) > CLOSE_MINUTES);
  const isRegained = at(curve, known).co2 - toPpm >= REBOUND_SHARE * (fromPpm - toPpm);
  return isLong && !isRegained ? airing : null;
}

function airingOf(
  curve: Curve,
  { free, start, end }: { free: number; start: number; end: number },
  outdoor: number,
  leastFall = LEAST_FALL_PPM,
): Airing | null {
  const bend = bendOf(curve, { free, start, end }, outdoor);
  const first = at(curve, bend);
  const last = at(curve, end);
  const fromPpm = levelAt(curve, free, bend);
  if (fromPpm - last.co2 < leastFall) return null;
  const rate = steepAirChanges(curve.slice(bend, end + 1), fromPpm, outdoor);
  if (rate < LEAST_FALL_CHANGES || rate > MOST_AIR_CHANGES) return null;
  if (!isOpening(curve, { free, start: bend, end }, outdoor, rate)) return null;
  if (isPeak(curve, bend, end)) return null;
  return { from: first.minute, to: last.minute, fromPpm, toPpm: last.co2, airChangesPerHour: rate };
}

/**
 * Returns true if a fall of this many air changes an hour needs an open window: alone, or in its first minutes compared with CO2
 * that goes on rising as before it.
 */
function isOpening(
  curve: Curve,
  { free, start, end }: { free: number; start: number; end: number },
  outdoor: number,
  rate: number,
): boolean {
  if (rate >= LEAST_AIR_CHANGES) return true;
  const { minute } = at(curve, start);
  let first = start;
  while (first > free && minute - at(curve, first - 1).minute <= RISE_MINUTES) first--;
  const before = curve.slice(first, start + 1);
  const line = fitLine(
    before.map((point) => point.minute),
    before.map((point) => point.co2),
  );
  let last = start + 1;
  while (last < end && at(curve, last + 1).minute - minute <= SEARCH_MINUTES) last++;
  const now = at(curve, last);
  const passed = now.minute - minute;
  const expected = levelAt(curve, free, start) + Math.max(0, line.slope) * passed;
  return airChanges(expected, Math.max(now.co2, outdoor + 1), passed / 60, outdoor) >= LEAST_AIR_CHANGES;
}

/** Returns true if CO2 rose as steeply before a fall as it falls: a breath at the sensor. People make a room rise for longer. */
function isPeak(curve: Curve, bend: number, end: number): boolean {
  const top = at(curve, bend);
  const fall = top.co2 - at(curve, end).co2;
  const within = (minutes: number) =>
    curve.slice(0, bend + 1).filter(({ minute }) => minute >= top.minute - minutes);
  const riseOf = (points: Curve) => top.co2 - Math.min(...points.map(({ co2 }) => co2));
  const before = within(PEAK_MINUTES);
  const after = curve.slice(bend, end + 1).filter(({ minute }) => minute <= top.minute + PEAK_MINUTES);
  const rise = riseOf(before);
  return (
    rise >= PEAK_SHARE * fall &&
    riseOf(within(2 * PEAK_MINUTES)) < LONG_RISE_FACTOR * rise &&
    steepest(before, 1) >= STEEP_RISE_SHARE * steepest(after, -1)
  );
}

/** Returns the greatest change of CO2 over `STEEP_MINUTES`, or between two points if these are further apart. */
function steepest(points: Curve, sign: 1 | -1): number {
  const changes = points.flatMap((point, i) => {
    const later =
      points.find(({ minute }, j) => j > i && minute >= point.minute + STEEP_MINUTES) ?? points[i + 1];
    return later ? [sign * (later.co2 - point.co2)] : [];
  });
  return Math.max(0, ...changes);
}

/**
 * The bend of a curve is searched for within this many points before and after the point where the fall was first seen.
 */
const BEND_BEFORE = 8;
const BEND_AFTER = 25;

/**
 * Returns the point at which the window was opened. A straight line is fitted before it and an exponential decay after
 * it; the split with the least squared error wins.
 */
function bendOf(
  curve: Curve,
  { free, start, end }: { free: number; start: number; end: number },
  outdoor: number,
): number {
  const first = Math.max(free, start - BEND_BEFORE);
  const last = Math.min(end, start + BEND_AFTER);
  let best = { bend: start, error: Number.POSITIVE_INFINITY };
  for (let bend = first + 1; bend < last; bend++) {
    const error = lineError(curve.slice(first, bend + 1)) + decayError(curve.slice(bend, last + 1), outdoor);
    if (error < best.error) best = { bend, error };
  }
  return best.bend;
}

function lineError(points: Curve): number {
  const line = fitLine(
    points.map(({ minute }) => minute),
    points.map(({ co2 }) => co2),
  );
  return points.reduce((sum, { minute, co2 }) => sum + (line.at(minute) - co2) ** 2, 0);
}

function decayError(points: Curve, outdoor: number): number {
  const decay = fitDecay(points, outdoor);
  return points.reduce((sum, { minute, co2 }) => sum + (decay.at(minute) - co2) ** 2, 0);
}

function steepAirChanges(points: Curve, fromPpm: number, outdoor: number): number {
  const first = at(points, 0);
  const reached = points.findIndex(({ co2 }) => co2 - outdoor <= STEEP_SHARE * (fromPpm - outdoor));
  const last = at(points, reached === -1 ? points.length - 1 : Math.max(1, reached));
  const floor = Math.max(last.co2, outdoor + 1);
  return airChanges(fromPpm, floor, (last.minute - first.minute) / 60, outdoor);
}
