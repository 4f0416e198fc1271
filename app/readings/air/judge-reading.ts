import {
  hasLevels,
  isClearOf,
  isWorse,
  LEVELS,
  type Level,
  reaches,
  severityOf,
  THRESHOLD_NAMES,
  type ThresholdName,
  thresholdsOf,
} from '../level/level';
import { byMetric, isFaulty, METRICS, type Metric, type MetricField, metricOf } from '../metric';
import { silentAfter } from '../now/stale';
import { type MetricValues, measuredValues, type Reading, sensorOf, valuesIn } from '../reading';
import { storedMicros, timeBefore } from '../time/reading-time';
import {
  type AirRules,
  type KnownValues,
  type SensorAir,
  spansAfter,
  stateOf,
  type Transition,
} from './air-state';

export interface Judged {
  air: SensorAir;
  /** Oldest first. */
  transitions: Transition[];
}

const NO_RUNS: SensorAir['pending'] = [null, null];

/**
 * Judges a reading that is newer than all judged ones. A faulty value changes nothing: it neither starts nor ends a run.
 *
 * @param before null for a sensor's first reading; the air before it counts as good
 */
export function judgeReading(before: SensorAir | null, reading: Reading, rules: AirRules): Judged {
  const transitions: Transition[] = [];
  let air = before ?? airAt(reading.created_at);
  const time = storedMicros(reading.created_at);
  const keptMs = silentAfter(air, rules);
  const isBack = air.silentSince !== null || time - storedMicros(air.newest) > keptMs * 1000;
  if (isBack && air.silentSince === null) {
    const silence = judgeSilence(sensorOf(reading), air, rules);
    transitions.push(...silence.transitions);
    air = silence.air;
  }
  const known = valuesAt(air, reading, time, keptMs);
  // A silence ends every run, because the air is unknown during it.
  const pending = isBack ? NO_RUNS : air.pending;
  const lost = lostCause(air, known, rules);
  const judged = lost
    ? { ...air, pending: NO_RUNS }
    : judgeLevel(air, pending, known, reading.created_at, time, rules);
  const { level, levelSince } = judged;
  const after: SensorAir = {
    level,
    silentSince: lost ? (air.silentSince ?? reading.created_at) : null,
    ...(lost && { lost }),
    levelSince,
    pending: judged.pending,
    oldest: air.oldest,
    newest: reading.created_at,
    newestId: Math.max(air.newestId, reading.id),
    ...known,
    spans: spansAfter(before, known, reading.created_at, isBack, rules),
  };
  const from = isBack ? 'silent' : air.level;
  const to = stateOf(after);
  if (from !== to) {
    const since = lost ? lost.at : level === air.level ? reading.created_at : levelSince;
    transitions.push(
      transition(sensorOf(reading), reading.created_at, from, to, since, measuredValues(reading)),
    );
  }
  return { air: after, transitions };
}

/**
 * Judges the next readings of a sensor, oldest first.
 *
 * @returns `air` is null for a sensor without readings
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

/** Makes a sensor silent. Call it once the sensor has sent nothing for `silentAfter`. */
export function judgeSilence(sensor: string, before: SensorAir, rules: AirRules): Judged {
  const at = timeBefore(before.newest, -silentAfter(before, rules));
  const air = { ...before, silentSince: at };
  return { air, transitions: [transition(sensor, at, before.level, 'silent', before.newest, air)] };
}

/** Returns the level after a reading. Each threshold is a switch that a sufficiently long run turns on or off. */
function judgeLevel(
  before: SensorAir,
  pending: SensorAir['pending'],
  known: KnownValues,
  at: string,
  time: number,
  rules: AirRules,
): Pick<SensorAir, 'level' | 'levelSince' | 'pending'> {
  const { level, levelSince } = before;
  const judgeThreshold = (i: 0 | 1) => {
    const name = THRESHOLD_NAMES[i];
    const wasOn = LEVELS.indexOf(level) > i;
    const start = wasOn
      ? isClear(known, name, rules)
        ? (pending[i] ?? at)
        : null
      : runBeyond(pending[i], before, known, at, name, rules);
    const isLong =
      start !== null &&
      time - storedMicros(start) >= rules.afterMs * 1000 &&
      (wasOn ? isClearMeasured(known, start, rules) : measuredBeyond(known, at, name, rules).length > 0);
    return { isOn: wasOn !== isLong, start, pending: isLong ? null : start };
  };
  // A value at the moderate threshold is above the good one too, so the moderate switch is never on alone.
  const [good, moderate] = [judgeThreshold(0), judgeThreshold(1)];
  const next: Level = moderate.isOn ? 'poor' : good.isOn ? 'moderate' : 'good';
  const isModerate = isWorse(next, level) ? next === 'poor' : next === 'moderate';
  const since = (isModerate ? moderate : good).start;
  return {
    level: next,
    levelSince: next === level || since === null ? levelSince : since,
    pending: [good.pending, moderate.pending],
  };
}

/**
 * Returns the metric that caused a level, if no metric with levels is sent any more. The air must not count as good then: it
 * isn't known.
 */
function lostCause(before: SensorAir, known: KnownValues, { thresholds }: AirRules): SensorAir['lost'] {
  if (before.level === 'good') return undefined;
  const judged = METRICS.filter((metric) => hasLevels(metric, thresholds));
  if (judged.some(({ field }) => (known[field] ?? null) !== null)) return undefined;
  if (before.lost) return before.lost;
  const name = before.level === 'poor' ? 'moderate' : 'good';
  const severityIn = (metric: Metric) =>
    Math.max(
      ...thresholdsOf(metric, thresholds).map((side) => severityOf(before[metric.field] ?? 0, side, metric)),
    );
  const [metric] = judged
    .filter(({ field }) => before.measuredAt[field])
    .sort((a, b) => severityIn(b) - severityIn(a));
  if (!metric) return undefined;
  const { field } = metric;
  const [value, at] = [before[field], before.measuredAt[field]];
  const isCause =
    value != null && thresholdsOf(metric, thresholds).some((side) => !isClearOf(value, side, name, metric));
  return at && isCause ? { field, value, at } : undefined;
}

/** Returns true if any value is at or above the threshold. */
function isBeyond(values: MetricValues, name: ThresholdName, rules: AirRules): boolean {
  return METRICS.some(({ field }) => isMetricBeyond(values, field, name, rules));
}

function isMetricBeyond(
  values: MetricValues,
  field: MetricField,
  name: ThresholdName,
  { thresholds }: AirRules,
): boolean {
  const value = values[field] ?? null;
  if (value === null) return false;
  return thresholdsOf(metricOf(field), thresholds).some((side) => reaches(value, side, name));
}

/** Returns true if every known value is clearly below the threshold. */
function isClear(values: MetricValues, name: ThresholdName, { thresholds }: AirRules): boolean {
  return METRICS.every((metric) => {
    const value = values[metric.field] ?? null;
    if (value === null) return true;
    return thresholdsOf(metric, thresholds).every((side) => isClearOf(value, side, name, metric));
  });
}

/** Returns the metrics measured at `at` whose value is at or above the threshold. */
function measuredBeyond(known: KnownValues, at: string, name: ThresholdName, rules: AirRules): MetricField[] {
  return METRICS.map(({ field }) => field).filter(
    (field) => known.measuredAt[field] === at && isMetricBeyond(known, field, name, rules),
  );
}

/**
 * Returns the start of the run at or above a threshold after a reading, or null for no run. A value kept from an older reading
 * neither starts nor ends a run. Another metric continues a run only if the previous reading measured the first metric.
 */
function runBeyond(
  start: string | null,
  before: SensorAir,
  known: KnownValues,
  at: string,
  name: ThresholdName,
  rules: AirRules,
): string | null {
  const measured = measuredBeyond(known, at, name, rules);
  if (measured.length === 0) return isBeyond(known, name, rules) ? start : null;
  const isContinued =
    measured.some((field) => isMetricBeyond(before, field, name, rules)) ||
    measuredBeyond(before, before.newest, name, rules).length > 0;
  return isContinued ? (start ?? at) : at;
}

/** Returns true if each metric measured during the run was measured again once the run was long enough. */
function isClearMeasured({ measuredAt }: KnownValues, start: string, { afterMs }: AirRules): boolean {
  const startTime = storedMicros(start);
  return METRICS.every(({ field }) => {
    const at = measuredAt[field] ?? null;
    const time = at === null ? Number.POSITIVE_INFINITY : storedMicros(at);
    return time < startTime || time - startTime >= afterMs * 1000;
  });
}

/** Returns the air before a sensor's first reading: good, without values. */
export function airAt(time: string): SensorAir {
  return {
    level: 'good',
    silentSince: null,
    levelSince: time,
    pending: [null, null],
    oldest: time,
    newest: time,
    newestId: 0,
    ...byMetric(() => null),
    measuredAt: byMetric(() => null),
  };
}

/**
 * Returns the values after a reading. A metric without a measurement in the reading keeps its last one until that expires. While its
 * values are faulty, the last one doesn't expire: a sensor that fails in poor air doesn't give the all-clear.
 */
function valuesAt(air: SensorAir, reading: Reading, time: number, keptMs: number): KnownValues {
  const isRecent = (at: string | null) => at !== null && time - storedMicros(at) <= keptMs * 1000;
  const hasFault = METRICS.some((metric) => isFaulty(reading[metric.field] ?? Number.NaN, metric));
  const measured: MetricValues = hasFault ? measuredValues(reading) : reading;
  const faultyAt = hasFault || air.faultyAt ? faultsAt(air, reading, measured, isRecent) : undefined;
  const measuredAt = byMetric(({ field }) => {
    if ((measured[field] ?? null) !== null) return reading.created_at;
    const at = air.measuredAt[field] ?? null;
    return faultyAt?.[field] || isRecent(at) ? at : null;
  });
  const kept = byMetric(({ field }) => measured[field] ?? (measuredAt[field] ? (air[field] ?? null) : null));
  return faultyAt ? { ...kept, measuredAt, faultyAt } : { ...kept, measuredAt };
}

/** Returns the times of the newest faulty values; undefined if there are none. */
function faultsAt(
  air: SensorAir,
  reading: Reading,
  measured: MetricValues,
  isRecent: (at: string | null) => boolean,
): SensorAir['faultyAt'] {
  const faultOf = ({ field }: { field: MetricField }) => {
    if ((measured[field] ?? null) !== null) return null;
    if ((reading[field] ?? null) !== null) return reading.created_at;
    const at = air.faultyAt?.[field] ?? null;
    return isRecent(at) ? at : null;
  };
  return METRICS.some((metric) => faultOf(metric) !== null) ? byMetric(faultOf) : undefined;
}

function transition(
  sensor: string,
  at: string,
  from: Transition['from'],
  to: Transition['to'],
  since: string,
  values: MetricValues,
): Transition {
  return { sensor, at, from, to, since, ...valuesIn(values) };
}
