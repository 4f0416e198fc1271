import { median } from './curve';
import type { RoomFindings } from './room-findings';

/** How far a sensor's CO2 can be believed. */
export interface Believability {
  /** Null if there are too few readings to tell. */
  believable: boolean | null;
  /** True if the CO2 is an estimate from VOCs: nothing may be said that needs a true CO2. */
  isEstimate: boolean;
  /** Outdoor air as the sensor reads it, in PPM, and how far that may be off to each side. */
  baseline: number;
  uncertainty: number;
  offeredOffset: number | null;
  /** Each begins with `Sensor: `. */
  reasons: string[];
}

/** The baseline is that of these days. */
export const BASELINE_DAYS = 14;
const LEAST_DAYS = 3;
/** A day counts if it has this many minutes with CO2: six hours, or a sensor's reading every ten minutes for some more. */
const LEAST_DAY_MINUTES = 40;

/** An estimate stays at its floor for at least this many minutes of the days, and never falls below. */
const LEAST_FLOOR_MINUTES = 5;
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
 * Judges a sensor by the findings of up to `BASELINE_DAYS` days, oldest first.
 *
 * @param outdoor PPM of outdoor air
 */
export function judgeSensor(days: readonly RoomFindings[], outdoor: number): Believability {
  const reasons: string[] = [];
  const say = (text: string) => reasons.push(`Sensor: ${text}`);
  const sum = (count: (day: RoomFindings) => number) => days.reduce((total, day) => total + count(day), 0);
  const isEstimate =
    sum(({ atFloor }) => atFloor) >= LEAST_FLOOR_MINUTES && sum(({ belowFloor }) => belowFloor) === 0;
  const errors = sum((day) => day.errors);
  const unchanged = Math.max(0, ...days.map(({ unchangedMinutes }) => unchangedMinutes));
  const lows = days.flatMap(({ minutes, lowest }) =>
    minutes >= LEAST_DAY_MINUTES && lowest !== null ? [lowest] : [],
  );
  const sorted = [...lows].sort((a, b) => a - b);
  const [lowest = outdoor] = sorted;
  const low = median(sorted.slice(0, 3)) ?? outdoor;
  const isStable = sorted.length >= LEAST_DAYS && (sorted[2] ?? 0) - lowest <= STABLE_PPM;
  const difference = Math.round(low - outdoor);
  const step = stepOf(lows);
  const isWrong =
    isEstimate ||
    errors > MOST_ERROR_SHARE * (errors + sum(({ minutes }) => minutes)) ||
    unchanged >= MOST_UNCHANGED_MINUTES ||
    (isStable && difference < -UNBELIEVABLE_PPM);
  if (isEstimate) {
    say(
      'CO2 stays at exactly 400 PPM for some minutes and never falls below, as a VOC sensor does that estimates CO2. It is no measurement of CO2, so nothing is said about ventilation.',
    );
  }
  if (errors > 0)
    say(
      `${errors} ${errors === 1 ? 'minute has' : 'minutes have'} values that no CO2 sensor measures, such as 0 or 65535. They are left out.`,
    );
  if (unchanged >= MOST_UNCHANGED_MINUTES && !isEstimate) {
    say(
      `CO2 was exactly the same for ${Math.floor(unchanged / 60)} hours: a sensor that works varies a little.`,
    );
  }
  if (step !== null) {
    say(
      `its lowest values moved by ${signed(step)} PPM within ${lows.length} days: it has calibrated itself, or was moved.`,
    );
  }
  if (lows.length < LEAST_DAYS)
    say(`${LEAST_DAYS} days of readings are needed to judge it, and there are ${lows.length}.`);
  else if (difference >= OFFER_PPM && !isEstimate) {
    say(
      `its lowest values of ${lows.length} days are ${Math.round(low)} PPM, and the air outdoors has ${outdoor}. Either this room is never aired to the end, or the sensor reads ${difference} PPM too much. Put it at an open window for ten minutes to find out.`,
    );
  } else if (difference <= -OFFER_PPM) {
    say(
      `its lowest values of ${lows.length} days are ${Math.round(low)} PPM, less than the ${outdoor} of the air outdoors: it reads about ${-difference} PPM too little.`,
    );
  }
  const isOffered = isStable && !isEstimate && step === null && Math.abs(difference) >= OFFER_PPM;
  const isUnclear = lows.length < LEAST_DAYS || difference > UNBELIEVABLE_PPM || step !== null;
  return {
    believable: isWrong ? false : isUnclear ? null : true,
    isEstimate,
    // A room that is never aired to the end doesn't show outdoor air.
    baseline: lows.length === 0 ? outdoor : difference < 0 || isStable ? low : Math.min(low, outdoor),
    uncertainty: isStable ? 15 : 40,
    offeredOffset: isOffered ? -difference : null,
    reasons,
  };
}

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
