import { quantile, upperMedian } from '../quantiles';
import { outdoorLevel } from './outdoor-level';
import { FINE_STEP_PPM, FLOOR_PPM } from './resolution';
import type { RoomFindings } from './room-findings';

/** A judgement of whether a sensor's CO2 can be believed. */
export interface Believability {
  /** Null if there are too few readings to tell. */
  believable: boolean | null;
  /** Why nothing is said about the room: the sensor is new, estimates CO2, is stuck or has errors. Null if something can be said. */
  silence: string | null;
  /** The value that the sensor shows in outdoor air, in PPM, and how far it may be off. */
  baseline: number;
  uncertainty: { below: number; above: number };
  offeredOffset: number | null;
  /** Sentences that begin with `Sensor: `. */
  reasons: string[];
}

/** The number of days that determine the baseline. */
const BASELINE_DAYS = 14;
const LEAST_DAYS = 3;
/** A day counts if its readings cover this time: in less, CO2 may not come near that of outdoor air. */
const LEAST_DAY_MINUTES = 360;
/**
 * Nothing is said about a room before its sensor has readings of this time that cover half of it. An estimate of CO2 may not
 * show its floor for hours.
 */
const NEW_MINUTES = 1440;

/**
 * A sensor without values below a floor spends at least this many minutes at it, more than a step above it, and hardly any below.
 */
const LEAST_FLOOR_MINUTES = 5;
const MOST_BELOW_SHARE = 0.1;
/**
 * CO2 comes to the level of outdoor air slowly. An estimate from VOC is cut off at its floor: a quarter of an hour before, it was
 * this much higher.
 */
const CUT_OFF_PPM = 15;
/**
 * Low-cost sensors are accurate to 30 PPM and 3 % of the value, and to twice that after years (Sensirion SCD30 and
 * SCD4x data sheets).
 */
const OFFER_PPM = 30;
const UNBELIEVABLE_PPM = 75;
/** If the three lowest days differ by more than this, the room isn't always aired fully. */
const STABLE_PPM = 25;
/** A change of the baseline by this much means that the sensor recalibrated itself or was moved. */
const STEP_PPM = 75;
const MOST_ERROR_SHARE = 0.01;
/** The longest time at one value, for a fine step and for each PPM of a coarse one. */
const MOST_UNCHANGED_MINUTES = 240;
const UNCHANGED_MINUTES_PER_PPM = 48;
/** An offset that is far down is offered only if airings end as high, within this. */
const SAME_PPM = 25;

/**
 * Judges a sensor by the findings of its days, oldest first. Uses the last `BASELINE_DAYS` days, but all days to
 * recognize an estimate of CO2.
 *
 * @param outdoor CO2 of outdoor air in PPM
 */
export function judgeSensor(all: readonly RoomFindings[], outdoor: number): Believability {
  const days = all.slice(-BASELINE_DAYS);
  const isEstimate = isEstimated(all);
  const errors = sumOf(days, (day) => day.errors);
  const hasErrors = errors > MOST_ERROR_SHARE * (errors + sumOf(days, ({ minutes }) => minutes));
  const unchanged = Math.max(0, ...days.map(({ unchangedMinutes }) => unchangedMinutes));
  const isStuck = unchanged >= Math.max(MOST_UNCHANGED_MINUTES, UNCHANGED_MINUTES_PER_PPM * usualStep(all));
  const lows = days.flatMap(({ covered, lowest }) =>
    covered >= LEAST_DAY_MINUTES && lowest !== null ? [lowest] : [],
  );
  const sorted = [...lows].sort((a, b) => a - b);
  const [lowest = outdoor] = sorted;
  const low = upperMedian(sorted.slice(0, 3));
  const ends = days.flatMap((day) => day.ends);
  const level = outdoorLevel(low, ends, outdoor);
  const isStable = sorted.length >= LEAST_DAYS && (sorted[2] ?? 0) - lowest <= STABLE_PPM;
  const difference = Math.round((low ?? outdoor) - outdoor);
  const isTooLow = isStable && difference < -UNBELIEVABLE_PPM;
  const isTooHigh = level.ppm - outdoor > UNBELIEVABLE_PPM;
  // The falls of a room that is never fully aired tend to outdoor air, far below its lowest values.
  const isUnaired = difference > UNBELIEVABLE_PPM && level.ppm + level.above - outdoor <= UNBELIEVABLE_PPM;
  const airingEnds = ends.flatMap(({ ppm, isAiring }) => (isAiring ? [ppm] : []));
  const airingsEnd = airingEnds.length < LEAST_DAYS ? null : quantile(airingEnds, 0.25);
  const isConfirmed =
    difference <= UNBELIEVABLE_PPM || (airingsEnd !== null && airingsEnd - outdoor >= difference - SAME_PPM);
  const isOffset = difference < 0 || ((low ?? 0) <= level.ppm + level.above && isConfirmed);
  const step = stepOf(lows);
  const isFaulty = isEstimate || hasErrors || isStuck;
  const known = knownMinutes(all);
  const lowText = `its lowest values of ${lows.length} days are ${Math.round(low ?? 0)} PPM`;
  const highText = `${lowText}, above the ${outdoor} PPM of outdoor air.`;
  const tooHigh = isOffset ? `the sensor reads ${difference} PPM too high` : 'the sensor reads too high';
  const texts: (string | false)[] = [
    isEstimate &&
      'CO2 stays at exactly 400 PPM for some minutes and never falls below, as on a VOC sensor that only estimates CO2.',
    !isEstimate &&
      hasFloor(all) &&
      `it shows no values below ${FLOOR_PPM} PPM, so it may read too low without showing it.`,
    isStuck &&
      !isEstimate &&
      `CO2 was exactly the same for ${Math.floor(unchanged / 60)} hours: the values of a working sensor vary.`,
    errors > 0 &&
      `${errors} ${errors === 1 ? 'minute has' : 'minutes have'} values that no CO2 sensor measures, such as 0 or 65535. They are left out.`,
    lows.length >= LEAST_DAYS &&
      difference <= -OFFER_PPM &&
      `${lowText}, below the ${outdoor} PPM of outdoor air: it reads about ${-difference} PPM too low.`,
    step !== null &&
      `its lowest values moved by ${signed(step)} PPM within ${lows.length} days: it recalibrated itself or was moved.`,
    lows.length >= LEAST_DAYS &&
      difference >= OFFER_PPM &&
      !isEstimate &&
      (isUnaired
        ? `${highText} But CO2 falls towards ${level.ppm} PPM, so this room is never fully aired.`
        : `${highText} Either this room is never fully aired, or ${tooHigh}. Put it at an open window for ten minutes to find out.`),
    lows.length < LEAST_DAYS &&
      `${LEAST_DAYS} days with readings of ${LEAST_DAY_MINUTES / 60} hours are needed to judge it, and ${lows.length === 1 ? 'there is 1' : `there are ${lows.length}`}.`,
  ];
  const isOffered = isStable && isOffset && !isEstimate && step === null && Math.abs(difference) >= OFFER_PPM;
  const isUnclear =
    lows.length < LEAST_DAYS || isTooHigh || (difference > UNBELIEVABLE_PPM && !isUnaired) || step !== null;
  return {
    believable: isFaulty || isTooLow ? false : isUnclear ? null : true,
    silence: isFaulty
      ? "its sensor can't be believed, so nothing is said about it."
      : known < NEW_MINUTES
        ? `not known yet: ${NEW_MINUTES / 60} hours of readings are needed, and the last 28 days have ${Math.floor(known / 60)}.`
        : null,
    baseline: level.ppm,
    uncertainty: level,
    offeredOffset: isOffered ? -difference : null,
    reasons: texts.filter((text) => text !== false).map((text) => `Sensor: ${text}`),
  };
}

/** Returns true if CO2 is cut off at the floor, as on sensors that estimate it; also as long as that isn't known. */
export function isEstimated(days: readonly RoomFindings[]): boolean {
  const drop = upperMedian(days.flatMap(({ floor }) => floor.drops));
  return hasFloor(days) && (drop === null || drop > CUT_OFF_PPM + usualStep(days));
}

/**
 * Returns true if the sensor shows no values below `FLOOR_PPM`. A few minutes below may be averages that include an error.
 */
function hasFloor(days: readonly RoomFindings[]): boolean {
  const count = (part: 'at' | 'above' | 'below') => sumOf(days, ({ floor }) => floor[part]);
  const at = count('at');
  return at >= LEAST_FLOOR_MINUTES && at > count('above') && count('below') <= MOST_BELOW_SHARE * at;
}

/** Returns the step of the sensor's values in PPM; 0 if it is fine. */
function usualStep(days: readonly RoomFindings[]): number {
  // On some days, all values may be the same.
  const step = upperMedian(days.flatMap((day) => (day.step > 0 ? [day.step] : []))) ?? 0;
  return step > FINE_STEP_PPM ? step : 0;
}

/** Returns true if the sensor has too few readings for anything to be said about its room. */
export function isNew(days: readonly RoomFindings[]): boolean {
  return knownMinutes(days) < NEW_MINUTES;
}

/** Returns the time from the first reading to the last one, and at most twice the time that readings cover, in minutes. */
function knownMinutes(days: readonly RoomFindings[]): number {
  const times = days.flatMap(({ first, last }) => (first === null || last === null ? [] : [first, last]));
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return Math.min(span, 2 * sumOf(days, ({ covered }) => covered));
}

const sumOf = (days: readonly RoomFindings[], count: (day: RoomFindings) => number) =>
  days.reduce((total, day) => total + count(day), 0);

/**
 * Returns the change of the lowest values between the first and second half of the days, in PPM; null if there was
 * none.
 */
function stepOf(lows: readonly number[]): number | null {
  if (lows.length < 6) return null;
  const middle = Math.floor(lows.length / 2);
  const [before, after] = [lows.slice(0, middle), lows.slice(middle)];
  const step = Math.min(...after) - Math.min(...before);
  // The room may have stayed closed in one half. Therefore the values within each half must agree.
  const spread = Math.max(
    (upperMedian(before) ?? 0) - Math.min(...before),
    (upperMedian(after) ?? 0) - Math.min(...after),
  );
  return Math.abs(step) >= STEP_PPM && spread <= STABLE_PPM ? Math.round(step) : null;
}

const signed = (ppm: number) => (ppm < 0 ? `−${-ppm}` : `+${ppm}`);
