import { median } from './curve';
import type { RoomFindings } from './room-findings';

/** How far a sensor's CO2 can be believed. */
export interface Believability {
  /** Null if there are too few readings to tell. */
  believable: boolean | null;
  /** True for an estimate from VOC, a value that doesn't change, and errors. Nothing is said about ventilation then. */
  isFaulty: boolean;
  /** True if its lowest values are far above outdoor air, which isn't known to be the sensor's or the room's fault. */
  isTooHigh: boolean;
  /** Outdoor air as the sensor reads it, in PPM, and how far that may be off. */
  baseline: number;
  uncertainty: { below: number; above: number };
  offeredOffset: number | null;
  /** Each begins with `Sensor: `. */
  reasons: string[];
}

/** The baseline is that of these days. */
const BASELINE_DAYS = 14;
const LEAST_DAYS = 3;
/** A day counts if this many of its minutes have CO2: with a reading every ten minutes, about seven hours. */
const LEAST_DAY_MINUTES = 40;

/** An estimate stays at its floor for at least this many minutes of the days, and hardly ever falls below. */
const LEAST_FLOOR_MINUTES = 5;
const MOST_BELOW_SHARE = 0.1;
/** Low-cost sensors are within 30 PPM and 3 % of the value, twice that after years: Sensirion SCD30 and SCD4x data sheets. */
const OFFER_PPM = 30;
const UNBELIEVABLE_PPM = 75;
/** The lowest days agree within this, or the room isn't aired to the end. */
const STABLE_PPM = 25;
/** A baseline that moves by this has a step: a sensor that has recalibrated itself, or was moved. */
const STEP_PPM = 75;
const MOST_ERROR_SHARE = 0.01;
const MOST_UNCHANGED_MINUTES = 240;

/**
 * Judges a sensor by the findings of its days, oldest first. Those of the last `BASELINE_DAYS` decide; an estimate of CO2 is
 * known by all of them.
 *
 * @param outdoor PPM of outdoor air
 */
export function judgeSensor(all: readonly RoomFindings[], outdoor: number): Believability {
  const days = all.slice(-BASELINE_DAYS);
  const isEstimate = isEstimated(all);
  const errors = sumOf(days, (day) => day.errors);
  const hasErrors = errors > MOST_ERROR_SHARE * (errors + sumOf(days, ({ minutes }) => minutes));
  const unchanged = Math.max(0, ...days.map(({ unchangedMinutes }) => unchangedMinutes));
  const isStuck = unchanged >= MOST_UNCHANGED_MINUTES;
  const lows = days.flatMap(({ minutes, lowest }) =>
    minutes >= LEAST_DAY_MINUTES && lowest !== null ? [lowest] : [],
  );
  const sorted = [...lows].sort((a, b) => a - b);
  const [lowest = outdoor] = sorted;
  const low = median(sorted.slice(0, 3)) ?? outdoor;
  const isStable = sorted.length >= LEAST_DAYS && (sorted[2] ?? 0) - lowest <= STABLE_PPM;
  const difference = Math.round(low - outdoor);
  const isTooLow = isStable && difference < -UNBELIEVABLE_PPM;
  const isTooHigh = difference > UNBELIEVABLE_PPM;
  const step = stepOf(lows);
  const isFaulty = isEstimate || hasErrors || isStuck;
  const lowText = `its lowest values of ${lows.length} days are ${Math.round(low)} PPM`;
  const texts: (string | false)[] = [
    isEstimate &&
      'CO2 stays at exactly 400 PPM for some minutes and never falls below, as a VOC sensor does that estimates CO2. It is no measurement of CO2, so nothing is said about ventilation.',
    isStuck &&
      !isEstimate &&
      `CO2 was exactly the same for ${Math.floor(unchanged / 60)} hours: a sensor that works varies a little.`,
    errors > 0 &&
      `${errors} ${errors === 1 ? 'minute has' : 'minutes have'} values that no CO2 sensor measures, such as 0 or 65535. They are left out.`,
    lows.length >= LEAST_DAYS &&
      difference <= -OFFER_PPM &&
      `${lowText}, less than the ${outdoor} of the air outdoors: it reads about ${-difference} PPM too little.`,
    step !== null &&
      `its lowest values moved by ${signed(step)} PPM within ${lows.length} days: it has calibrated itself, or was moved.`,
    lows.length >= LEAST_DAYS &&
      difference >= OFFER_PPM &&
      !isEstimate &&
      `${lowText}, and the air outdoors has ${outdoor}. Either this room is never aired to the end, or the sensor reads ${difference} PPM too much. Put it at an open window for ten minutes to find out.`,
    lows.length < LEAST_DAYS &&
      `${LEAST_DAYS} days with a reading every half hour or more often are needed to judge it, and there are ${lows.length}.`,
  ];
  const isOffered = isStable && !isEstimate && step === null && Math.abs(difference) >= OFFER_PPM;
  const isUnclear = lows.length < LEAST_DAYS || isTooHigh || step !== null;
  const usesLow = lows.length > 0 && (difference < 0 || (isStable && !isTooHigh));
  const error = isStable ? 15 : 40;
  return {
    believable: isFaulty || isTooLow ? false : isUnclear ? null : true,
    isFaulty,
    isTooHigh,
    // A room that is never aired to the end doesn't show outdoor air.
    baseline: usesLow ? low : outdoor,
    uncertainty: { below: usesLow ? Math.max(error, difference) : error, above: error },
    offeredOffset: isOffered ? -difference : null,
    reasons: texts.filter((text) => text !== false).map((text) => `Sensor: ${text}`),
  };
}

/** Returns true if CO2 stays at the floor of sensors that estimate it. A few minutes below may be averages with an error. */
export function isEstimated(days: readonly RoomFindings[]): boolean {
  const atFloor = sumOf(days, (day) => day.atFloor);
  return atFloor >= LEAST_FLOOR_MINUTES && sumOf(days, (day) => day.belowFloor) <= MOST_BELOW_SHARE * atFloor;
}

const sumOf = (days: readonly RoomFindings[], count: (day: RoomFindings) => number) =>
  days.reduce((total, day) => total + count(day), 0);

/** Returns how far the lowest values have moved between both halves of the days; null if they haven't. */
function stepOf(lows: readonly number[]): number | null {
  if (lows.length < 6) return null;
  const middle = Math.floor(lows.length / 2);
  const [before, after] = [lows.slice(0, middle), lows.slice(middle)];
  const step = Math.min(...after) - Math.min(...before);
  // Days of one half alone may all be of a closed room: both must agree with themselves.
  const spread = Math.max(
    (median(before) ?? 0) - Math.min(...before),
    (median(after) ?? 0) - Math.min(...after),
  );
  return Math.abs(step) >= STEP_PPM && spread <= STABLE_PPM ? Math.round(step) : null;
}

const signed = (ppm: number) => (ppm < 0 ? `−${-ppm}` : `+${ppm}`);
