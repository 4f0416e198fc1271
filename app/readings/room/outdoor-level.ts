import type { FallEnd } from './fall-end';

/** The CO2 that a sensor shows in outdoor air, in PPM, and how far it may be off. */
export interface OutdoorLevel {
  ppm: number;
  below: number;
  above: number;
}

/**
 * Sensors are accurate to 30 PPM (Sensirion SCD30 and SCD4x data sheets), and outdoor air differs by 15 between places and
 * hours. Some sensors are off by far more, so the distribution has the long tails of Cauchy's.
 */
const USUAL_ERROR_PPM = 33;
/** A day's lowest values, and the end of a fall, are outdoor air with this chance, within this error. */
const OUTDOOR_SHARE = { low: 0.3, end: 0.5 };
const OUTDOOR_ERROR_PPM = 12;
/** Else they are above it, by this much on average: the room wasn't aired fully, or people were in it. */
const USUAL_EXCESS_PPM = 150;
/** Falls of a room resemble each other, because the same people are there. They count as this many independent ones. */
const INDEPENDENT_FALLS = 3;
const LOW_ERROR_PPM = 8;
const STEP_PPM = 3;
const REACH_PPM = 450;
/** The level is within its range with a probability of 80 %. */
const [BELOW, ABOVE] = [0.1, 0.9];

/**
 * Estimates what a sensor shows in outdoor air by Bayes' rule, on a grid. Known outdoor air is the prior. The lowest values and the
 * ends of falls can't be below outdoor air, and are often equal to it.
 *
 * @param low the lowest value, in PPM; null if unknown
 * @param outdoor CO2 of outdoor air in PPM
 */
export function outdoorLevel(low: number | null, ends: readonly FallEnd[], outdoor: number): OutdoorLevel {
  const from = Math.min(outdoor, low ?? outdoor) - REACH_PPM;
  const levels = Array.from(
    { length: Math.ceil((outdoor + REACH_PPM - from) / STEP_PPM) },
    (_, i) => from + i * STEP_PPM,
  );
  const power = Math.min(1, INDEPENDENT_FALLS / ends.length);
  const logs = levels.map((level) => {
    let log = -Math.log(1 + ((level - outdoor) / USUAL_ERROR_PPM) ** 2);
    if (low !== null) log += Math.log(chanceOf(low - level, LOW_ERROR_PPM, OUTDOOR_SHARE.low));
    for (const { ppm, error } of ends)
      log += power * Math.log(chanceOf(ppm - level, error, OUTDOOR_SHARE.end));
    return log;
  });
  const best = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - best));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const quantileAt = (share: number) => {
    let left = share * total;
    const index = weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
    return levels[index] ?? outdoor;
  };
  const ppm = quantileAt(0.5);
  return { ppm, below: ppm - quantileAt(BELOW), above: quantileAt(ABOVE) - ppm };
}

/** Returns the probability density of a value that exceeds outdoor air by `excess`, seen with an error. */
function chanceOf(excess: number, error: number, share: number): number {
  const spread = Math.hypot(error, OUTDOOR_ERROR_PPM);
  const z = excess / spread;
  const equal = Math.exp((-z * z) / 2) / (spread * Math.sqrt(2 * Math.PI));
  // A logistic curve approximates the normal distribution of the error.
  const above =
    Math.exp(-Math.max(0, excess) / USUAL_EXCESS_PPM) / USUAL_EXCESS_PPM / (1 + Math.exp(-1.7 * z));
  return share * equal + (1 - share) * above + 1e-12;
}
