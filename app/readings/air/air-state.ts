import { type Level, THRESHOLD_NAMES, type ThresholdName } from '../level/level';
import { type ByMetric, byMetric, type Metric, type MetricField, type Thresholds } from '../metric';
import { LATEST_INTERVALS, staleAgeAfter } from '../now/stale';
import { compareTimes, type MetricValues } from '../reading';
import { storedMicros } from '../time/stored-time';

/** The state of a sensor: the level of its air, or silent while no readings come. */
export type AirState = Level | 'silent';

/** The settings that a state depends on. Durations are in milliseconds. */
export interface AirRules {
  thresholds: Thresholds;
  /** The level changes once readings have been at or above a threshold, or clearly below it, for this long. */
  afterMs: number;
  /** A sensor is silent this long after its last reading; null to learn the time from its readings. */
  silentAfterMs: number | null;
}

/** The time since a metric crossed a threshold. */
export interface Side {
  threshold: number;
  isAbove: boolean;
  /** The first of the newest readings that are all on this side, without a pause in which the air wasn't known. */
  since: string;
  /** True if nothing is known of the time before, so the value may have been on this side for longer. */
  isAtLeast: boolean;
}

/** Facts about a sensor's latest readings that don't decide its level. Plain data. */
export interface ValueSpans {
  /** The milliseconds between its latest readings, oldest first. */
  pauses: number[];
  /** In the order of `THRESHOLD_NAMES`, null if unknown. Null as a whole while the metric has no value. */
  sides: ByMetric<(Side | null)[]>;
}

/**
 * A sensor's air after its readings up to `newest`, and the values of the newest one, or older ones until they expire. Plain
 * data, which a store keeps as JSON.
 */
export interface SensorAir extends MetricValues {
  /** A silence doesn't change it. */
  level: Level;
  /** The time from which the sensor counts as silent; null while readings come. */
  silentSince: string | null;
  /** The first reading of the run that led to the level. */
  levelSince: string;
  /**
   * For each threshold, the start of the run that would change the level if it lasts: readings at or above it while the level
   * is better, or clearly below it while the level is worse. Null if the newest reading is in no run.
   */
  pending: [string | null, string | null];
  /** `created_at` of the first and of the newest judged reading. */
  oldest: string;
  newest: string;
  /** The highest id of a judged reading. */
  newestId: number;
  /** A sensor may post its metrics in turn, so a value is kept for as long as its sensor wouldn't be silent. */
  measuredAt: ByMetric<string>;
  /** Missing in data that an older version stored. */
  spans?: ValueSpans;
}

/**
 * A change of a sensor's state, with the values of the deciding reading, or the last known ones before a silence. It is the
 * same in whatever order the readings arrive.
 */
export interface Transition extends MetricValues {
  sensor: string;
  /** A time of the sensor's clock. `sensor`, `at` and `to` identify a transition. */
  at: string;
  from: AirState;
  to: AirState;
  /**
   * The start of the new state: the first reading of the run that led to it, or the last reading before a silence; `at` for
   * the reading that ends a silence.
   */
  since: string;
  /** The air right after it, from which late readings are judged again. */
  air: SensorAir;
}

export function stateOf(air: SensorAir): AirState {
  return air.silentSince === null ? air.level : 'silent';
}

export type KnownValues = MetricValues & Pick<SensorAir, 'measuredAt'>;

const UNKNOWN: ValueSpans = { pauses: [], sides: byMetric(() => null) };

/** Returns the spans before a time, as far as those of the newest reading show them, to judge a sensor again from there. */
export function spansBefore(newest: SensorAir, at: string): ValueSpans {
  const { pauses, sides } = newest.spans ?? UNKNOWN;
  const lasting = ({ field }: Metric) =>
    sides[field]?.map((side) => (side && compareTimes(side.since, at) < 0 ? side : null)) ?? null;
  let end = storedMicros(newest.newest);
  const before = pauses.toReversed().filter((pauseMs) => {
    const isBefore = end <= storedMicros(at);
    end -= pauseMs * 1000;
    return isBefore;
  });
  return { pauses: before.reverse(), sides: byMetric(lasting) };
}

/**
 * @param before null for the first reading of a sensor
 * @param known the values after the reading
 * @param isBack true if the sensor was silent before it
 */
export function spansAfter(
  before: SensorAir | null,
  known: KnownValues,
  at: string,
  isBack: boolean,
  rules: AirRules,
): ValueSpans {
  const { pauses, sides } = before?.spans ?? UNKNOWN;
  const pauseMs = before && Math.round((storedMicros(at) - storedMicros(before.newest)) / 1000);
  const isKnown = pauseMs !== null && !isBack && pauseMs <= staleAgeAfter(pauses);
  const sidesOf = ({ field }: Metric) => {
    const { [field]: value = null } = known;
    const thresholds = rules.thresholds[field];
    if (value === null || !thresholds) return null;
    const old = (isKnown && sides[field]) || null;
    if (known.measuredAt[field] !== at) return old;
    return THRESHOLD_NAMES.map((name, i): Side => {
      const threshold = thresholds[name];
      const isAbove = value >= threshold;
      const side = old?.[i];
      const isFollowed = side?.threshold === threshold;
      if (isFollowed && side.isAbove === isAbove) return side;
      const isFirst = before === null || before.oldest === at;
      return { threshold, isAbove, since: at, isAtLeast: !isFollowed && !isFirst };
    });
  };
  return {
    pauses: pauseMs ? [...pauses, pauseMs].slice(-LATEST_INTERVALS) : pauses,
    sides: byMetric(sidesOf),
  };
}

/** Returns the side of a threshold that the newest value of a metric is on; null if unknown. */
export function sideOf(
  { spans }: SensorAir,
  field: MetricField,
  name: ThresholdName,
  { thresholds }: Pick<AirRules, 'thresholds'>,
): Side | null {
  const side = spans?.sides[field]?.[THRESHOLD_NAMES.indexOf(name)];
  return side && side.threshold === thresholds[field]?.[name] ? side : null;
}
