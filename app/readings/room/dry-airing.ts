/**
 * Airings in the absolute humidity of a room. Where outdoor air is drier, it falls as CO2 does, so `find-airings.ts` finds its
 * falls, in PPM. What the room's air tends to isn't known: walls and furniture give off water.
 */
import { at } from '../at';
import { quantile, upperMedian } from '../quantiles';
import type { RollUp } from '../roll-up/roll-up';
import { roundedAverageOf } from '../roll-up/roll-up';
import { averages, type Curve, usualInterval } from './curve';
import { type Airing, findAirings } from './find-airings';
import { absoluteHumidity, type MoistAir } from './moist-air';

/** A room's air in a minute, counted from 1970. */
export interface AirPoint extends MoistAir {
  minute: number;
}

/** A time in which the air got drier so fast that a window must have been open. */
export interface DryAiring {
  /** Minutes since 1970. */
  from: number;
  to: number;
  /** Absolute humidity at both times, in g/m³. */
  fromGrams: number;
  toGrams: number;
}

/** The airing that goes on, or whose window may still be open. */
export interface CurrentDryAiring extends DryAiring {
  /** True if the air gets no drier. */
  isEnough: boolean;
}

/** The smallest fall of 100 PPM then is 0.8 g/m³, twice the change of a step of 2 % of humidity at 20 °C. */
const PPM_PER_GRAM = 125;
/** The air tends to this much less than the lowest value of the last hours. */
const BELOW_LOWEST_GRAMS = 1;
const LOWEST_MINUTES = 5;
/** Temperature and humidity that arrive separately belong together within this time. */
const MOST_APART_MINUTES = 5;
/** Larger steps of the values (a DHT11 has 1 °C and 1 %) look like sudden falls. */
const MOST_HUMIDITY_STEP = 1.5;
const MOST_TEMPERATURE_STEP = 0.6;
/** The smallest fall after which a window may be closed, in g/m³. */
const LEAST_FALL_GRAMS = 0.8;
/**
 * A device that holds its values until they have changed by a few percent makes falls that may have taken hours: more than this
 * share of the changes are jumps by so many percent, with readings at most so far apart.
 */
const JUMP_SHARE = 0.1;
const JUMP = 2.5;
const CLOSE_MINUTES = 2;
/** A window counts as open for this long after the air stopped getting drier, while it stays as dry. */
const ENOUGH_MINUTES = 10;
const STILL_GRAMS = 0.06;
const STILL_SHARE = 0.02;
/** The air gets no drier if it has got drier by at most this share of the fall for this long. */
const END_MINUTES = 4;
const END_SHARE = 0.08;
/**
 * The second part of a fall, from 50 to 90 %, takes this many times the first half. In an exponential fall, which slows down by
 * itself, it takes 2.3 times, and 1.6 times if 15 % of it are missing. If a window is closed early, it takes about as long.
 */
const SLOWING = 1.8;

/** Returns the minutes with a temperature and a humidity, from roll-ups of one minute each. */
export function airOf(rollUps: readonly RollUp[]): AirPoint[] {
  const points: AirPoint[] = [];
  type Value = { minute: number; value: number } | null;
  let [temperature, humidity]: [Value, Value] = [null, null];
  for (const { start, ...metrics } of rollUps) {
    const minute = start / 60;
    const isMeasured = metrics.temperature?.values || metrics.humidity?.values;
    if (metrics.temperature?.values) temperature = { minute, value: roundedAverageOf(metrics.temperature) };
    if (metrics.humidity?.values) humidity = { minute, value: roundedAverageOf(metrics.humidity) };
    if (!isMeasured || !temperature || !humidity) continue;
    if (Math.abs(temperature.minute - humidity.minute) > MOST_APART_MINUTES) continue;
    points.push({ minute, temperature: temperature.value, humidity: humidity.value });
  }
  return points;
}

/**
 * A shower or a pot makes a peak that falls without a window, as its vapour goes to walls and other rooms: a rise of this much
 * within some minutes, in the time before a fall. It is an airing only if the air gets drier than before the peak.
 */
const PEAK_GRAMS = 1.2;
const PEAK_RISE_MINUTES = 15;
const PEAK_MINUTES = 75;
const BELOW_PEAK_GRAMS = 0.3;

/** Returns true if a fall isn't that of a peak. */
function isAired(curve: Curve, { from, toPpm }: Airing): boolean {
  const before = curve.filter(({ minute }) => minute > from - PEAK_MINUTES && minute <= from);
  const isPeak = before.some(({ minute, co2 }, i) =>
    before
      .slice(0, i)
      .some(
        (earlier) =>
          minute - earlier.minute <= PEAK_RISE_MINUTES && co2 - earlier.co2 >= PEAK_GRAMS * PPM_PER_GRAM,
      ),
  );
  const lowest = Math.min(...before.map(({ co2 }) => co2));
  return !isPeak || toPpm <= lowest - BELOW_PEAK_GRAMS * PPM_PER_GRAM;
}

/** Returns true if the steps of a sensor's values are too coarse to find airings. */
export function isTooCoarse(points: readonly AirPoint[]): boolean {
  const changesOf = (field: keyof MoistAir) =>
    points
      .slice(1)
      .map((point, i) => Math.abs(point[field] - at(points, i)[field]))
      .filter((change) => change > 0);
  const humidity = changesOf('humidity');
  const isClose =
    (upperMedian(points.slice(1).map(({ minute }, i) => minute - at(points, i).minute)) ?? 0) <=
    CLOSE_MINUTES;
  const least = (changes: readonly number[]) => (changes.length === 0 ? 0 : Math.min(...changes));
  return (
    least(humidity) >= MOST_HUMIDITY_STEP ||
    (isClose && (quantile(humidity, 1 - JUMP_SHARE) ?? 0) >= JUMP) ||
    least(changesOf('temperature')) >= MOST_TEMPERATURE_STEP
  );
}

/**
 * Finds the airings whose end became known from one minute on and before another one, oldest first.
 *
 * @param points from `LEAD_MINUTES` before `from` on
 */
export function findDryAirings(
  points: readonly AirPoint[],
  { from, to }: { from: number; to: number },
): DryAiring[] {
  const known = points.filter(({ minute }) => minute < to);
  if (isTooCoarse(known)) return [];
  const { curve, base } = curveOf(known);
  return findAirings(curve, base, to - 1)
    .ended.filter((airing) => airing.knownAt >= from && airing.knownAt < to && isAired(curve, airing))
    .map(inGrams);
}

/** Returns the airing that goes on at a minute; null if there is none. */
export function currentDryAiring(points: readonly AirPoint[], now: number): CurrentDryAiring | null {
  if (isTooCoarse(points)) return null;
  const { curve, base } = curveOf(points);
  const { current, ended } = findAirings(curve, base, now);
  const airing = current ?? ended.at(-1);
  if (!airing || !isAired(curve, airing)) return null;
  const newest = at(curve, curve.length - 1).co2;
  const fall = airing.fromPpm - airing.toPpm;
  const isStill = newest <= airing.toPpm + Math.max(STILL_GRAMS * PPM_PER_GRAM, STILL_SHARE * fall);
  const mostMinutes = Math.max(ENOUGH_MINUTES, 3 * usualInterval(curve));
  if (!current && (!isStill || now - airing.to > mostMinutes)) return null;
  const isEnough = fall >= LEAST_FALL_GRAMS * PPM_PER_GRAM && hasSlowedDown(curve, airing);
  return current || isEnough ? { ...inGrams(airing), isEnough } : null;
}

/** Returns true if a fall has come to its end gradually, as it does while the window stays open. */
function hasSlowedDown(curve: Curve, { from, fromPpm, toPpm }: Airing): boolean {
  const points = curve.filter(({ minute }) => minute >= from);
  const last = at(points, points.length - 1);
  const fall = fromPpm - toPpm;
  const recently = points.findLast(({ minute }) => minute <= last.minute - END_MINUTES);
  if (!recently || recently.co2 - last.co2 > END_SHARE * fall) return false;
  /** Returns the minutes after which this share of the fall was reached. */
  const timeOf = (share: number) => {
    const value = fromPpm - share * fall;
    const i = points.findIndex(({ co2 }) => co2 <= value);
    const [before, after] = [points[i - 1], points[i]];
    if (!before || !after) return 0;
    const part = (before.co2 - value) / (before.co2 - after.co2);
    return before.minute + part * (after.minute - before.minute) - from;
  };
  const half = timeOf(0.5);
  return timeOf(0.9) - half >= SLOWING * half;
}

function curveOf(points: readonly AirPoint[]): { curve: Curve; base: number } {
  const curve = points.map((point) => ({
    minute: point.minute,
    co2: absoluteHumidity(point) * PPM_PER_GRAM,
  }));
  // A single wrong value must not count, but the newest one belongs to a fall that goes on.
  const values = [...averages(curve, LOWEST_MINUTES), ...curve.slice(-1)].map(({ co2 }) => co2);
  const lowest = Math.min(...values);
  return { curve, base: lowest - BELOW_LOWEST_GRAMS * PPM_PER_GRAM };
}

function inGrams({ from, to, fromPpm, toPpm }: Airing): DryAiring {
  return { from, to, fromGrams: fromPpm / PPM_PER_GRAM, toGrams: toPpm / PPM_PER_GRAM };
}
