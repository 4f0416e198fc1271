import { TABLE } from '../metric-table.js';
import { quantile } from '../quantiles';
import { mergeTotals, type RollUp, roundedAverageOf } from '../roll-up/roll-up';
import { averages, type Curve, type CurvePoint, usualInterval } from './curve';
import { endOf, type FallEnd } from './fall-end';
import { type Airing, findAirings } from './find-airings';
import { DECAY_STEP_MINUTES, type Decay, findDecays } from './find-decays';
import { findRises, type Rise } from './find-rises';
import { FINE_STEP_PPM, FLOOR_PPM, type FloorMinutes, floorMinutes, stepOf } from './resolution';

/** The findings about a room from one UTC day of its sensor's CO2. */
export interface RoomFindings {
  /** The number of minutes with CO2. */
  minutes: number;
  /** The first and the last minute with CO2, counted from 1970; null without any. */
  first: number | null;
  last: number | null;
  /** The time that readings cover, in minutes. Each counts for the usual interval, `MOST_COVERED_MINUTES` at most. */
  covered: number;
  /** The 2nd percentile of averages of 30 minutes, in PPM; null without any. Noise would lower that of shorter ones. */
  lowest: number | null;
  /** The step of the sensor's values in PPM: 1, 10 or 50, and less for averages. 0 if no value differs. */
  step: number;
  /** The number of minutes with values that no sensor measures, such as 0 and 65535. */
  errors: number;
  /** The minutes at the value below which many sensors show nothing. */
  floor: FloorMinutes;
  /** The longest time without a change of the value, in minutes (`longestUnchanged`). */
  unchangedMinutes: number;
  /** The airings, decays and rises whose outcome became known on this day. */
  airings: Airing[];
  decays: Decay[];
  rises: Rise[];
  /** The CO2 to which these airings and decays tend. */
  ends: FallEnd[];
}

/** Increase this whenever a change of the code yields other findings for the same readings. */
export const FINDINGS_VERSION = 5;

/** The findings of a day need the curve from this many minutes before it. The longest decay takes 600 minutes. */
export const LEAD_MINUTES = 720;

/** The rules that findings depend on. */
export interface RoomRules {
  /** CO2 of outdoor air in PPM. */
  outdoor: number;
  /** The good threshold in PPM. Forecasts say when it will be reached. */
  threshold: number;
}

/** A sensor's CO2 by minute. */
export interface RoomMinutes {
  curve: Curve;
  /** The minutes with values that no sensor measures. The curve omits them. */
  errors: readonly number[];
}

/** CO2 may change a lot in a longer time. */
const MOST_COVERED_MINUTES = 60;

const MOST_PPM = TABLE[0].plausible.to;

/** Returns the curve from roll-ups of one minute each. */
export function minutesOf(rollUps: readonly RollUp[]): RoomMinutes {
  const curve: CurvePoint[] = [];
  const errors: number[] = [];
  for (const { start, co2, co2_faults } of rollUps) {
    const minute = start / 60;
    // A sensor that reads too low may go below `plausible.from`. Its curve still shows by how much.
    const all = mergeTotals(co2, co2_faults);
    if (!all) continue;
    if (all.lowest <= 0 || all.highest > MOST_PPM) errors.push(minute);
    else curve.push({ minute, co2: roundedAverageOf(all) });
  }
  return { curve, errors };
}

/**
 * Returns the findings of a day.
 *
 * @param minutes starting `LEAD_MINUTES` before the day
 * @param from the first minute of the day
 * @param to the end of the day; or an earlier minute, for the findings known by then
 */
export function findingsOf(
  { curve, errors }: RoomMinutes,
  { from, to }: { from: number; to: number },
  { outdoor, threshold }: RoomRules,
): RoomFindings {
  const known = curve.filter(({ minute }) => minute < to);
  const day = known.filter(({ minute }) => minute >= from);
  const step = stepOf(known);
  const base = detectionBase(known, outdoor);
  const { ended } = findAirings(known, base, to - 1);
  const isOfDay = ({ knownAt }: { knownAt: number }) => knownAt >= from && knownAt < to;
  const airings = ended.filter(isOfDay);
  const decays = findDecays(known, ended, base).filter(isOfDay);
  const withoutKnown = <T extends { knownAt: number }>({ knownAt: _, ...event }: T) => event;
  return {
    minutes: day.length,
    first: day[0]?.minute ?? null,
    last: day.at(-1)?.minute ?? null,
    covered: day.length * Math.min(MOST_COVERED_MINUTES, usualInterval(day)),
    lowest: lowestOf(day),
    errors: errors.filter((minute) => minute >= from && minute < to).length,
    step,
    floor: floorMinutes(known, from, step),
    unchangedMinutes: longestUnchanged(day, step),
    airings: airings.map(withoutKnown),
    decays: decays.map(withoutKnown),
    rises: findRises(known, threshold).ended.filter(isOfDay).map(withoutKnown),
    ends: [
      ...airings.map((fall) => endOf(partOf(known, fall), true)),
      ...decays.map((fall) => endOf(averages(partOf(known, fall), DECAY_STEP_MINUTES), false)),
    ].filter((end) => end !== null),
  };
}

const partOf = (curve: Curve, { from, to }: { from: number; to: number }) =>
  curve.filter(({ minute }) => minute >= from && minute <= to);

/** Returns the lowest value that a sensor may show in outdoor air: `outdoor`, or less if the sensor reads too low. */
export function detectionBase(curve: Curve, outdoor: number): number {
  return Math.min(outdoor, lowestOf(curve) ?? outdoor);
}

const LOWEST_SHARE = 0.02;
const LOWEST_MINUTES = 30;

function lowestOf(curve: Curve): number | null {
  return quantile(
    averages(curve, LOWEST_MINUTES).map(({ co2 }) => co2),
    LOWEST_SHARE,
  );
}

/** Fewer equal points may be chance, for example with a reading an hour. */
const LEAST_UNCHANGED_POINTS = 20;

/**
 * Returns the longest time without a change of the value, in minutes. A sensor with coarse steps may show an empty room's air as one
 * value for a night, so the lowest two of its steps don't count. The floor of sensors without lower values doesn't, either.
 */
function longestUnchanged(curve: Curve, step: number): number {
  const lowest = curve.reduce((least, { co2 }) => Math.min(least, co2), Infinity);
  const least = step > FINE_STEP_PPM ? lowest + step : 0;
  let longest = 0;
  let first = 0;
  for (const [i, { minute, co2 }] of curve.entries()) {
    const start = curve[first];
    if (start?.co2 !== co2) first = i;
    else if (co2 > least && co2 !== FLOOR_PPM && i - first >= LEAST_UNCHANGED_POINTS)
      longest = Math.max(longest, minute - start.minute);
  }
  return longest;
}
