import { at } from '../at';
import { quantile, upperMedian } from '../quantiles';
import { type Believability, judgeSensor } from './believability';
import { type Curve, isTooSparse, LONGEST_INTERVAL_MINUTES, usualInterval } from './curve';
import { type Airing, findAirings, LEAST_FALL_PPM } from './find-airings';
import type { Decay } from './find-decays';
import { findRises, type Rise } from './find-rises';
import { forecastFall } from './forecast-fall';
import { airChanges, hoursToFall, hoursToReach, rebreathedFraction } from './physics';
import { detectionBase, type RoomFindings, type RoomRules } from './room-findings';
import type { AirChanges, CurrentAiring, VentilationAnswer } from './ventilation-answer';

/** The number of days whose findings describe a room. */
export const ROOM_DAYS = 28;

/**
 * The target of an airing: this excess over outdoor air, in PPM. With 425 outdoors it is 650. More airing costs heat
 * and helps little.
 */
export const ENOUGH_EXCESS_PPM = 225;
/** A curve that ended longer ago doesn't describe the air now. */
const CURRENT_MINUTES = 15;
/**
 * A window counts as still open for this many minutes, or this many intervals, after CO2 stopped falling, while CO2
 * stays as low.
 */
const ENOUGH_MINUTES = 10;
const ENOUGH_INTERVALS = 4;
const STILL_PPM = 15;
const STILL_SHARE = 0.05;
const STILL_POINTS = 3;
/** The fewest decays or airings that must agree. */
const LEAST_AGREEING = 3;
/** Decays agree if their rates are within this factor of one of them. A door or a fan changes the rate. */
const AGREEING_FACTOR = 1.6;
/** An airing has at least this many times the air changes of the closed room. */
const CLOSED_FACTOR = 3;
/** The most air changes of a room's usual fall, the share of the excess over outdoor air that it leaves, and the factor of an airing. */
const MOST_USUAL = 4;
const USUAL_REST = 0.4;
const USUAL_FACTOR = 1.7;
/** The usual airing time is known only if the faster rate is at most this many times the slower one. */
const MOST_SPREAD = 3;
/**
 * A forecast needs this many earlier crossings, must have held for this share of them, and must be narrower than this.
 */
const LEAST_CROSSINGS = 10;
const HELD_SHARE = 0.85;
const WIDEST_MINUTES = 20;
/** A forecast is as exact as some minutes and a share of it, so its error is the ratio of times that are longer by these minutes. */
const SOON_MINUTES = 5;
/** A rise that went on for this many times the forecast time has bent below the threshold. */
const MISSED_FACTOR = 2;
/** The air changes of a closed room, for the forecast of a room in which they aren't known. */
const USUAL_CLOSED = 0.5;

/** The findings and readings of a room at a moment. */
export interface RoomKnowledge {
  /** The last `ROOM_DAYS` days, oldest first, including the current day so far. */
  days: readonly RoomFindings[];
  /** The last hours up to `now`. */
  curve: Curve;
  rules: RoomRules;
  /** Minutes since 1970. */
  now: number;
}

/** Returns the answer about a room. The caller adds `sensor` and `at`. */
export function ventilationOf({
  days,
  curve,
  rules,
  now,
}: RoomKnowledge): Omit<VentilationAnswer, 'sensor' | 'at' | 'moisture' | 'outdoors'> {
  const sensor = judgeSensor(days, rules.outdoor);
  const { believable, offeredOffset: offered_offset } = sensor;
  const nothing = {
    air_changes: null,
    airing: null,
    usual_airing_minutes: null,
    forecast: null,
    rebreathed: null,
  };
  const reasons = [...sensor.reasons];
  if (sensor.silence) {
    return { believable, reasons: [...reasons, `Room: ${sensor.silence}`], offered_offset, ...nothing };
  }
  const last = curve.at(-1);
  const current = last && now - last.minute <= CURRENT_MINUTES ? last.co2 : null;
  const sparse = isTooSparse(curve)
    ? `readings at most ${LONGEST_INTERVAL_MINUTES} minutes apart are needed, and these are ${usualInterval(curve)} minutes apart.`
    : null;
  const air_changes = closedAirChanges(
    days.flatMap(({ decays }) => decays),
    sensor,
    (reason) => reasons.push(`Air changes: ${sparse ?? reason}`),
  );
  const found = days.flatMap((day) => day.airings);
  const least = leastAirChanges(found, air_changes, sensor.baseline);
  const airings = realAirings(found, least);
  const target = sensor.baseline + ENOUGH_EXCESS_PPM;
  const open = usualOpening(airings);
  const airing =
    current === null ? null : currentAiring({ curve, airings, least, open, target, rules, sensor, now });
  const from = Math.max(airing?.from_ppm ?? current ?? 0, rules.threshold);
  const usual = open ? openMinutes(from, target, open, sensor.baseline) : null;
  if (!usual) {
    const count = airings.length;
    const differ = count >= LEAST_AGREEING ? ' that differ too much' : '';
    const few = `the usual time needs ${LEAST_AGREEING} similar airings in the last ${ROOM_DAYS} days, and there ${count === 1 ? 'is 1' : `are ${count}`}${differ}.`;
    const known = `not needed up to ${Math.round(target)} PPM.`;
    reasons.push(`Airing: ${sparse ?? (open ? known : few)}`);
  }
  const forecast = forecastOf({ days, curve, rules, now, sensor, current, air_changes }, (reason) =>
    reasons.push(`Forecast: ${reason}`),
  );
  return {
    believable,
    reasons,
    offered_offset,
    air_changes,
    airing,
    usual_airing_minutes: usual,
    forecast: airing ? null : forecast,
    rebreathed:
      current === null
        ? null
        : rounded(rebreathedFraction(current, Math.min(sensor.baseline, rules.outdoor)), 4),
  };
}

/**
 * Returns the fewest air changes an hour of an airing in a room: several times those of the closed room. Where these aren't
 * known, because the room has so many, the usual fall to outdoor air after people have left takes their place.
 *
 * @param airings all that were found in the room
 * @param outdoor CO2 of outdoor air in PPM, as the sensor shows it
 */
export function leastAirChanges(
  airings: readonly Airing[],
  closed: AirChanges | null,
  outdoor: number,
): number {
  if (closed) return CLOSED_FACTOR * closed.median;
  const falls = airings.filter(
    ({ fromPpm, toPpm, airChangesPerHour }) =>
      airChangesPerHour <= MOST_USUAL && toPpm - outdoor <= USUAL_REST * (fromPpm - outdoor),
  );
  const rates = largestAgreement(falls.map(({ airChangesPerHour }) => airChangesPerHour));
  return rates.length < LEAST_AGREEING ? 0 : USUAL_FACTOR * (upperMedian(rates) ?? 0);
}

/** Returns the airings that exchanged the air at least as fast as this, per hour. */
export function realAirings<T extends Airing>(airings: readonly T[], least: number): T[] {
  return airings.filter(({ airChangesPerHour }) => airChangesPerHour >= least);
}

/** Returns the air changes of the closed room. Returns null and says why if too few decays agree. */
export function closedAirChanges(
  decays: readonly Decay[],
  { baseline, uncertainty }: Pick<Believability, 'baseline' | 'uncertainty'>,
  say: (reason: string) => void = () => {},
): AirChanges | null {
  const rateOf = ({ from, to, fromPpm, toPpm }: Decay, outdoor: number) =>
    toPpm > outdoor + 10 ? airChanges(fromPpm, toPpm, (to - from) / 60, outdoor) : null;
  const rates = decays.flatMap((decay) => rateOf(decay, baseline) ?? []);
  const agreeing = largestAgreement(rates);
  if (agreeing.length < LEAST_AGREEING) {
    say(
      `${LEAST_AGREEING} undisturbed falls of CO2 from at least 200 PPM above outdoor air are needed, and ${agreeing.length} of ${rates.length} agree.`,
    );
    return null;
  }
  const [least, most] = [Math.min(...agreeing), Math.max(...agreeing)];
  const chosen = decays.filter((decay) => {
    const rate = rateOf(decay, baseline);
    return rate !== null && rate >= least && rate <= most;
  });
  const low = chosen.flatMap((decay) => rateOf(decay, baseline - uncertainty.below) ?? []);
  const high = chosen.flatMap((decay) => rateOf(decay, baseline + uncertainty.above) ?? []);
  return {
    median: rounded(upperMedian(agreeing) ?? 0, 2),
    lowest: rounded(quantile(low, 0.1) ?? least, 2),
    highest: rounded(quantile(high, 0.9) ?? most, 2),
    decays: agreeing.length,
  };
}

/** Returns the largest set of rates that are within `AGREEING_FACTOR` of one of them. */
function largestAgreement(rates: readonly number[]): number[] {
  const sets = rates.map((middle) =>
    rates.filter((rate) => rate <= middle * AGREEING_FACTOR && rate >= middle / AGREEING_FACTOR),
  );
  return sets.reduce((largest, set) => (set.length > largest.length ? set : largest), []);
}

/** Air changes an hour with the window open: the bounds of the middle 50 % of the airings. */
interface Opening {
  slow: number;
  fast: number;
}

function usualOpening(airings: readonly Airing[]): Opening | null {
  if (airings.length < LEAST_AGREEING) return null;
  const rates = airings.map(({ airChangesPerHour }) => airChangesPerHour);
  const [slow, fast] = [quantile(rates, 0.25) ?? 0, quantile(rates, 0.75) ?? 0];
  return fast <= MOST_SPREAD * slow ? { slow, fast } : null;
}

/** Returns the least and the most minutes until the target is reached; null if it is reached already. */
function openMinutes(
  from: number,
  target: number,
  { slow, fast }: Opening,
  outdoor: number,
): [number, number] | null {
  if (from <= target) return null;
  const shorter = Math.max(1, Math.floor(60 * hoursToFall(from, target, fast, outdoor)));
  return [shorter, Math.max(shorter + 1, Math.ceil(60 * hoursToFall(from, target, slow, outdoor)))];
}

interface AiringContext {
  curve: Curve;
  airings: readonly Airing[];
  /** The fewest air changes an hour of an airing. */
  least: number;
  open: Opening | null;
  target: number;
  rules: RoomRules;
  sensor: Believability;
  now: number;
}

/**
 * Returns the airing that goes on, or one whose window may still be open: CO2 has stopped falling a few minutes ago, and stays
 * as low. Enough means good air: at the target, or below the threshold where CO2 falls no further.
 */
function currentAiring(context: AiringContext): CurrentAiring | null {
  const { curve, airings, least, open, target, rules, sensor, now } = context;
  const found = findAirings(curve, detectionBase(curve, rules.outdoor)).current;
  const [current] = found ? realAirings([found], least) : [];
  const airing = current ?? airings.at(-1);
  if (!airing) return null;
  const newest = current ? at(curve, curve.length - 1).co2 : middleOf(curve.slice(-STILL_POINTS));
  const fall = airing.fromPpm - airing.toPpm;
  // If the window was closed early, CO2 rises again, and the airing wasn't enough.
  const isStill = newest <= airing.toPpm + Math.max(STILL_PPM, STILL_SHARE * fall);
  const mostMinutes = Math.max(ENOUGH_MINUTES, ENOUGH_INTERVALS * usualInterval(curve));
  if (!current && (!isStill || now - airing.to > mostMinutes)) return null;
  const forecast = forecastFall(curve, airing, {
    ...{ outdoor: sensor.baseline, target, usual: open },
    reached:
      airings.length < LEAST_AGREEING ? null : (upperMedian(airings.map(({ toPpm }) => toPpm)) ?? null),
  });
  const isAtEnd = forecast?.isAtEnd ?? false;
  const isGood = newest <= target || (isAtEnd && newest < rules.threshold);
  const isEnough = fall >= LEAST_FALL_PPM && isGood;
  // An airing that ended above, without a plateau, was closed early.
  if (!current && !isEnough && !isAtEnd) return null;
  return {
    since: timeOf(airing.from),
    from_ppm: Math.round(airing.fromPpm),
    remaining_minutes: isEnough || isAtEnd ? null : (forecast?.minutes ?? null),
    ends_at_ppm: isEnough ? null : isAtEnd ? Math.round(newest) : (forecast?.endPpm ?? null),
    is_enough: isEnough,
  };
}

const middleOf = (points: Curve) => upperMedian(points.map(({ co2 }) => co2)) ?? 0;

interface ForecastContext extends Pick<RoomKnowledge, 'days' | 'curve' | 'rules' | 'now'> {
  sensor: Believability;
  current: number | null;
  air_changes: AirChanges | null;
}

/** How often the same forecast has been right in a room. */
interface ForecastRecord {
  /** The rises that reached the threshold, and those that went on for twice the forecast time without reaching it. */
  crossings: number;
  missed: number;
  /** The ratios of true and forecast times as logarithms, in order. Infinite if CO2 bent below the threshold. */
  ratios: number[];
}

/** Compares the forecast of each moment of earlier rises with what came. Moments that were interrupted before say nothing. */
function recordOf(
  rises: readonly Rise[],
  minutesOf: (rise: Pick<Rise, 'co2' | 'slope'>) => number | null,
): ForecastRecord {
  let [crossings, missed] = [0, 0];
  const ratios: number[] = [];
  for (const rise of rises) {
    const expected = minutesOf(rise);
    const { reachedAfter, interruptedAfter } = rise;
    if (rise.isFirst && reachedAfter !== null) crossings += 1;
    // Then no forecast would be shown.
    if (expected === null) continue;
    const after = reachedAfter ?? interruptedAfter ?? Number.POSITIVE_INFINITY;
    if (reachedAfter === null && after < expected) continue;
    if (rise.isFirst && reachedAfter === null && after >= MISSED_FACTOR * expected) missed += 1;
    ratios.push(Math.log((after + SOON_MINUTES) / (expected + SOON_MINUTES)));
  }
  return { crossings, missed, ratios: ratios.sort((a, b) => a - b) };
}

/**
 * Returns when CO2 will reach the threshold, if the same forecast has held in this room. The interval uses the ratios between which
 * the true times of earlier moments were in `HELD_SHARE` of the cases (split conformal prediction: J. Lei and others, J. Am. Stat.
 * Assoc. 2018, 113(523):1094-1111).
 */
function forecastOf(
  { days, curve, rules: { threshold }, now, sensor, current, air_changes }: ForecastContext,
  say: (reason: string) => void,
): VentilationAnswer['forecast'] {
  const minutesOf = ({ co2, slope }: Pick<Rise, 'co2' | 'slope'>) => {
    const hours = hoursToReach(threshold, {
      now: co2,
      slope,
      airChanges: air_changes?.median ?? USUAL_CLOSED,
      outdoor: sensor.baseline,
    });
    return hours === null ? null : hours * 60;
  };
  const { crossings, missed, ratios } = recordOf(
    days.flatMap((day) => day.rises),
    minutesOf,
  );
  const known = crossings + missed;
  if (known >= LEAST_CROSSINGS && crossings < HELD_SHARE * known) {
    const flow = air_changes ? ' Then the air changes are those at its lowest flow.' : '';
    say(
      `it isn't reliable here: of ${known} rises towards ${threshold} PPM, ${missed} bent below it. The ventilation may be controlled by CO2.${flow}`,
    );
    return null;
  }
  if (crossings < LEAST_CROSSINGS) {
    say(
      `${LEAST_CROSSINGS} crossings of ${threshold} PPM in ${ROOM_DAYS} days are needed to test it, and there ${crossings === 1 ? 'was 1' : `were ${crossings}`}.`,
    );
    return null;
  }
  const tail = (1 - HELD_SHARE) / 2;
  const lowest = ratios[Math.floor(tail * (ratios.length + 1)) - 1] ?? Number.NEGATIVE_INFINITY;
  const highest = ratios[Math.ceil((1 - tail) * (ratios.length + 1)) - 1] ?? Number.POSITIVE_INFINITY;
  const rise = current === null ? null : findRises(curve, threshold).current;
  const expected = rise && minutesOf(rise);
  if (!expected) return null;
  const age = now - rise.minute;
  const after = (ratio: number) => (expected + SOON_MINUTES) * Math.exp(ratio) - SOON_MINUTES - age;
  const minutes: [number, number] = [
    Math.max(0, Math.round(after(lowest))),
    Math.max(1, Math.round(after(highest))),
  ];
  if (minutes[1] - minutes[0] < WIDEST_MINUTES) return { threshold, minutes };
  const text = Number.isFinite(minutes[1]) ? `${minutes[0]} to ${minutes[1]} minutes, which is` : '';
  say(text ? `it would be ${text} too wide to be useful.` : 'too many earlier forecasts never came true.');
  return null;
}

const timeOf = (minute: number) => new Date(minute * 60_000).toISOString();

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
