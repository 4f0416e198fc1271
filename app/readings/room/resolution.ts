import { upperMedian } from '../quantiles';
import type { Curve } from './curve';

/** A sensor with a greater step than this, in PPM, shows different air as the same value. */
export const FINE_STEP_PPM = 2;

/** Returns the greatest common divisor of the differences between values, in PPM; 0 if no value differs. */
export function stepOf(curve: Curve): number {
  const [first] = curve;
  let step = 0;
  for (const { co2 } of curve) {
    // Values have at most two decimals.
    let [a, b] = [step, Math.round(100 * Math.abs(co2 - (first?.co2 ?? 0)))];
    while (b > 0) [a, b] = [b, a % b];
    step = a;
    if (step === 1) break;
  }
  return step / 100;
}

/**
 * The value below which many sensors show nothing: those that estimate CO2 (AMS CCS811 data sheet, "eCO2 range"), and some that
 * measure it (MH-Z19 in its default mode).
 */
export const FLOOR_PPM = 400;

/** The minutes of a day at `FLOOR_PPM`. */
export interface FloorMinutes {
  /** The number of minutes at exactly the floor, less than a step above it, and below it. */
  at: number;
  above: number;
  below: number;
  /** The CO2 above the floor shortly before each time that it reached the floor, in PPM: the median of `BEFORE_MINUTES`. */
  drops: number[];
}

const BEFORE_MINUTES = 15;

/** Counts the minutes at the floor from the minute `from` on. */
export function floorMinutes(curve: Curve, from: number, step: number): FloorMinutes {
  const found: FloorMinutes = { at: 0, above: 0, below: 0, drops: [] };
  const near = FLOOR_PPM + Math.max(1, step);
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const [i, { minute, co2 }] of curve.entries()) {
    const isOfDay = minute >= from;
    if (isOfDay && co2 < FLOOR_PPM) found.below += 1;
    else if (isOfDay && co2 > FLOOR_PPM && co2 <= near) found.above += 1;
    if (co2 !== FLOOR_PPM) continue;
    if (isOfDay) {
      found.at += 1;
      const before = curve
        .slice(Math.max(0, i - BEFORE_MINUTES), i)
        .filter((point) => point.minute >= minute - BEFORE_MINUTES);
      const level = upperMedian(before.map((point) => point.co2));
      if (minute - lastAt > BEFORE_MINUTES && level !== null) found.drops.push(Math.round(level - FLOOR_PPM));
    }
    lastAt = minute;
  }
  return found;
}
