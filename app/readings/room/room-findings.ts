import { TABLE } from '../metric-table.js';
import { type RollUp, roundedAverageOf } from '../roll-up/roll-up';
import { averages, type Curve, type CurvePoint, quantile } from './curve';
import { type Airing, findAirings } from './find-airings';
import { type Decay, findDecays } from './find-decays';
import { findRises, type Rise } from './find-rises';

/** What one UTC day of a sensor's CO2 says about its room. */
export interface RoomFindings {
  /** Minutes with CO2. */
  minutes: number;
  /** The 2nd percentile of averages of five minutes, in PPM; null without any. Of single minutes, it would be that of the noise. */
  lowest: number | null;
  /** Minutes with values that no sensor measures, such as 0 and 65535. */
  errors: number;
  /** Minutes at exactly `ESTIMATE_FLOOR_PPM`, and minutes below it. */
  atFloor: number;
  belowFloor: number;
  /** The longest time of one and the same value, in minutes. */
  unchangedMinutes: number;
  /** The airings, decays and rises whose outcome was known on that day. */
  airings: Airing[];
  decays: Decay[];
  rises: Rise[];
}

/** Changes whenever other findings follow from the same readings. */
export const FINDINGS_VERSION = 2;

/** The findings of a day need the curve of this time before it: the longest decay takes 600 minutes. */
export const LEAD_MINUTES = 720;

/** A sensor that estimates CO2 from VOCs starts at 400 PPM and never says less. AMS CCS811 data sheet, "eCO2 range". */
const ESTIMATE_FLOOR_PPM = 400;

/** The rules that findings depend on. */
export interface RoomRules {
  /** PPM of outdoor air. */
  outdoor: number;
  /** The upper end of good air in PPM, which forecasts are about. */
  threshold: number;
}

/** The minutes of a sensor's CO2. */
export interface RoomMinutes {
  curve: Curve;
  /** The minutes with values that no sensor measures. The curve doesn't have them. */
  errors: readonly number[];
}

const MOST_PPM = TABLE[0].plausible.to;

/** Returns the curve of roll-ups of a minute. */
export function minutesOf(rollUps: readonly RollUp[]): RoomMinutes {
  const curve: CurvePoint[] = [];
  const errors: number[] = [];
  for (const { start, co2 } of rollUps) {
    if (!co2) continue;
    const minute = start / 60;
    if (co2.lowest <= 0 || co2.highest > MOST_PPM) errors.push(minute);
    else curve.push({ minute, co2: roundedAverageOf(co2) });
  }
  return { curve, errors };
}

/**
 * Returns the findings of a day.
 *
 * @param minutes from `LEAD_MINUTES` before the day
 * @param from the day's first minute
 * @param to its end, or an earlier minute: then the findings are those that were known by then
 */
export function findingsOf(
  { curve, errors }: RoomMinutes,
  { from, to }: { from: number; to: number },
  { outdoor, threshold }: RoomRules,
): RoomFindings {
  const known = curve.filter(({ minute }) => minute < to);
  const day = known.filter(({ minute }) => minute >= from);
  const values = day.map(({ co2 }) => co2);
  const base = detectionBase(known, outdoor);
  const { ended } = findAirings(known, base, to - 1);
  const isOfDay = ({ knownAt }: { knownAt: number }) => knownAt >= from && knownAt < to;
  const withoutKnown = <T extends { knownAt: number }>({ knownAt: _, ...event }: T) => event;
  return {
    minutes: day.length,
    lowest: lowestOf(day),
    errors: errors.filter((minute) => minute >= from && minute < to).length,
    atFloor: values.filter((co2) => co2 === ESTIMATE_FLOOR_PPM).length,
    belowFloor: values.filter((co2) => co2 < ESTIMATE_FLOOR_PPM).length,
    unchangedMinutes: longestUnchanged(day),
    airings: ended.filter(isOfDay).map(withoutKnown),
    decays: findDecays(known, ended, base).filter(isOfDay).map(withoutKnown),
    rises: findRises(known, threshold).ended.filter(isOfDay).map(withoutKnown),
  };
}

/** Returns outdoor air as a sensor reads it at least: one that reads too little would have fallen below it. */
export function detectionBase(curve: Curve, outdoor: number): number {
  return Math.min(outdoor, lowestOf(curve) ?? outdoor);
}

const LOWEST_SHARE = 0.02;
const LOWEST_MINUTES = 5;

function lowestOf(curve: Curve): number | null {
  return quantile(
    averages(curve, LOWEST_MINUTES).map(({ co2 }) => co2),
    LOWEST_SHARE,
  );
}

/** Fewer points of the same value may be chance, where a sensor posts once an hour. */
const LEAST_UNCHANGED_POINTS = 20;

function longestUnchanged(curve: Curve): number {
  let longest = 0;
  let first = 0;
  for (const [i, { minute, co2 }] of curve.entries()) {
    const start = curve[first];
    if (start?.co2 !== co2) first = i;
    else if (i - first >= LEAST_UNCHANGED_POINTS) longest = Math.max(longest, minute - start.minute);
  }
  return longest;
}
