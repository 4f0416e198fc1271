import { isBeyondLimit, isWorse, LEVELS, type Level, LIMITS, type Limit } from '../level/level';
import { METRICS, type MetricField } from '../metric';
import { silentAfter } from '../now/stale';
import { type Reading, sensorOf } from '../reading';
import { storedMicros, timeBefore } from '../time/stored-time';
import {
  type AirRules,
  type KnownValues,
  type SensorAir,
  spansAfter,
  stateOf,
  type Transition,
} from './air-state';

/** The air after a reading or a silence, and the transitions to it, oldest first. */
export interface Judged {
  air: SensorAir;
  transitions: Transition[];
}

/** A level is left when the values stay below this share of its limit, so that one at the limit doesn't flap. */
export const CLEAR_SHARE = 0.95;

type Values = Record<MetricField, number | null>;

const NO_RUNS: SensorAir['pending'] = [null, null];

/**
 * Judges a reading that is newer than all before it.
 *
 * @param before null for the first reading of a sensor, which begins with good air
 */
export function judgeReading(before: SensorAir | null, reading: Reading, rules: AirRules): Judged {
  const transitions: Transition[] = [];
  let air = before ?? airAt(reading.created_at);
  const time = storedMicros(reading.created_at);
  const standsMs = silentAfter(air, rules);
  const isBack = air.silentSince !== null || time - storedMicros(air.newest) > standsMs * 1000;
  if (isBack && air.silentSince === null) {
    const silence = judgeSilence(sensorOf(reading), air, rules);
    transitions.push(...silence.transitions);
    air = silence.air;
  }
  const known = valuesAt(air, reading, time, standsMs);
  // Nothing is known of the time without readings, so that it makes no run longer.
  const pending = isBack ? NO_RUNS : air.pending;
  const judged = judgeLevel(air, pending, known, reading.created_at, time, rules);
  const { level, levelSince } = judged;
  const after: SensorAir = {
    level,
    silentSince: null,
    levelSince,
    pending: judged.pending,
    oldest: air.oldest,
    newest: reading.created_at,
    newestId: Math.max(air.newestId, reading.id),
    co2: known.co2,
    voc: known.voc,
    measuredAt: known.measuredAt,
    spans: spansAfter(before, known, reading.created_at, isBack, rules),
  };
  const from = isBack ? 'silent' : air.level;
  if (from !== level) {
    const since = level === air.level ? reading.created_at : levelSince;
    transitions.push(transition(sensorOf(reading), reading.created_at, from, since, after, reading));
  }
  return { air: after, transitions };
}

/**
 * Judges readings of a sensor that are newer than all before them, oldest first.
 *
 * @returns null for the air of a sensor without any
 */
export function judgeReadings(
  before: SensorAir | null,
  readings: readonly Reading[],
  rules: AirRules,
): { air: SensorAir | null; transitions: Transition[] } {
  let air = before;
  const transitions: Transition[] = [];
  for (const reading of readings) {
    const judged = judgeReading(air, reading, rules);
    air = judged.air;
    transitions.push(...judged.transitions);
  }
  return { air, transitions };
}

/** Judges that no reading has come after the newest one for as long as makes the sensor silent. */
export function judgeSilence(sensor: string, before: SensorAir, rules: AirRules): Judged {
  const at = timeBefore(before.newest, -silentAfter(before, rules));
  const air = { ...before, silentSince: at };
  return { air, transitions: [transition(sensor, at, before.level, before.newest, air, air)] };
}

/** Returns the level after a reading: each limit has a switch that goes on and off when a run is long enough. */
function judgeLevel(
  before: SensorAir,
  pending: SensorAir['pending'],
  known: KnownValues,
  at: string,
  time: number,
  rules: AirRules,
): Pick<SensorAir, 'level' | 'levelSince' | 'pending'> {
  const { level, levelSince } = before;
  const judgeLimit = (i: 0 | 1) => {
    const limit = LIMITS[i];
    const wasOn = LEVELS.indexOf(level) > i;
    const start = wasOn
      ? isClear(known, limit, rules)
        ? (pending[i] ?? at)
        : null
      : runBeyond(pending[i], before, known, at, limit, rules);
    const isLong =
      start !== null &&
      time - storedMicros(start) >= rules.afterMs * 1000 &&
      (wasOn ? isClearMeasured(known, start, rules) : measuredBeyond(known, at, limit, rules).length > 0);
    return { isOn: wasOn !== isLong, start, pending: isLong ? null : start };
  };
  // Beyond the moderate limit is also beyond the good one, so the switch of the moderate one is never on alone.
  const [good, moderate] = [judgeLimit(0), judgeLimit(1)];
  const next: Level = moderate.isOn ? 'poor' : good.isOn ? 'moderate' : 'good';
  const isModerateLimit = isWorse(next, level) ? next === 'poor' : next === 'moderate';
  const since = (isModerateLimit ? moderate : good).start;
  return {
    level: next,
    levelSince: next === level || since === null ? levelSince : since,
    pending: [good.pending, moderate.pending],
  };
}

/** Tells whether a value is at its limit or above. The other metrics, or their absence, change nothing about that. */
function isBeyond(values: Values, limit: Limit, rules: AirRules): boolean {
  return METRICS.some(({ field }) => isMetricBeyond(values, field, limit, rules));
}

function isMetricBeyond(values: Values, field: MetricField, limit: Limit, { thresholds }: AirRules): boolean {
  const value = values[field];
  return value !== null && isBeyondLimit(value, thresholds[field], limit);
}

/** Tells whether every known value is below the clear value of its limit. */
function isClear(values: Values, limit: Limit, { thresholds }: AirRules): boolean {
  return METRICS.every(({ field }) => {
    const value = values[field];
    return value === null || value < thresholds[field][limit] * CLEAR_SHARE;
  });
}

/** Returns the metrics that a reading has a value of at the limit or above. */
function measuredBeyond(known: KnownValues, at: string, limit: Limit, rules: AirRules): MetricField[] {
  return METRICS.map(({ field }) => field).filter(
    (field) => known.measuredAt[field] === at && isMetricBeyond(known, field, limit, rules),
  );
}

/**
 * Returns the start of the run beyond a limit after a reading, null for no run. A value that only stands neither begins a
 * run nor ends it, and leads from one metric to another one only if it was measured by the reading before.
 */
function runBeyond(
  start: string | null,
  before: SensorAir,
  known: KnownValues,
  at: string,
  limit: Limit,
  rules: AirRules,
): string | null {
  const measured = measuredBeyond(known, at, limit, rules);
  if (measured.length === 0) return isBeyond(known, limit, rules) ? start : null;
  const isContinued =
    measured.some((field) => isMetricBeyond(before, field, limit, rules)) ||
    measuredBeyond(before, before.newest, limit, rules).length > 0;
  return isContinued ? (start ?? at) : at;
}

/** Tells whether each value that was measured in a run below the clear values was measured when that was long enough, too. */
function isClearMeasured({ measuredAt }: KnownValues, start: string, { afterMs }: AirRules): boolean {
  const startTime = storedMicros(start);
  return METRICS.every(({ field }) => {
    const at = measuredAt[field];
    const time = at === null ? Number.POSITIVE_INFINITY : storedMicros(at);
    return time < startTime || time - startTime >= afterMs * 1000;
  });
}

/** Returns good air of which nothing is known, as before the first reading of a sensor. */
export function airAt(time: string): SensorAir {
  return {
    level: 'good',
    silentSince: null,
    levelSince: time,
    pending: [null, null],
    oldest: time,
    newest: time,
    newestId: 0,
    co2: null,
    voc: null,
    measuredAt: { co2: null, voc: null },
  };
}

/** Returns the values after a reading; one that it lacks is the last one, while that stands. */
function valuesAt(
  air: SensorAir,
  { created_at, co2, voc }: Reading,
  time: number,
  standsMs: number,
): KnownValues {
  if (co2 !== null && voc !== null) return { co2, voc, measuredAt: { co2: created_at, voc: created_at } };
  const known: KnownValues = { co2, voc, measuredAt: { co2: created_at, voc: created_at } };
  for (const { field } of METRICS) {
    if (known[field] !== null) continue;
    const at = air.measuredAt[field];
    const stands = at !== null && time - storedMicros(at) <= standsMs * 1000;
    known[field] = stands ? air[field] : null;
    known.measuredAt[field] = stands ? at : null;
  }
  return known;
}

function transition(
  sensor: string,
  at: string,
  from: Transition['from'],
  since: string,
  air: SensorAir,
  { co2, voc }: Values,
): Transition {
  return { sensor, at, from, to: stateOf(air), since, co2, voc, air };
}
