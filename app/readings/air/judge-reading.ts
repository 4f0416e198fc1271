import { LEVELS, type Level } from '../level/level';
import { METRICS } from '../metric';
import { type Reading, sensorOf } from '../reading';
import { storedMicros, timeBefore } from '../time/stored-time';
import { type AirRules, type SensorAir, stateOf, type Transition } from './air-state';
import {
  isClear,
  isClearMeasured,
  type KnownValues,
  LIMITS,
  measuredBeyond,
  runBeyond,
  type Values,
} from './limit-runs';
import { silentAfter, spansAfter } from './value-spans';

/** The air after a reading or a silence, and the transitions to it, oldest first. */
export interface Judged {
  air: SensorAir;
  transitions: Transition[];
}

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
  const since = (isModerateLimit ? moderate : good).start as string;
  return {
    level: next,
    levelSince: next === level ? levelSince : since,
    pending: [good.pending, moderate.pending],
  };
}

function isWorse(level: Level, other: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(other);
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
  const known = {
    co2,
    voc,
    measuredAt: { co2: created_at as string | null, voc: created_at as string | null },
  };
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
