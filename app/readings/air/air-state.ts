import { type Level, THRESHOLD_NAMES, type ThresholdName } from '../level/level';
import { type ByMetric, byMetric, type Metric, type MetricField, type Thresholds } from '../metric';
import { LATEST_INTERVALS, staleAgeAfter } from '../now/stale';
import type { MetricValues } from '../reading';
import { storedMicros } from '../time/reading-time';

/** A sensor's state: the level of its air, or silent while no readings arrive. */
export type AirState = Level | 'silent';

/** The states, worst first. Nothing is known about the air of a silent sensor, so known bad air comes before it. */
export const WORST_FIRST: readonly AirState[] = ['poor', 'moderate', 'silent', 'good'];

/** The settings that decide a state. Durations are in milliseconds. */
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
  /**
   * The first reading of the latest run on this side. A run ends at an interval that is too long to know the air in
   * between.
   */
  since: string;
  /** True if the values before `since` are unknown: the metric may have been on this side for longer. */
  isAtLeast: boolean;
}

/** Facts about a sensor's latest readings that don't decide its level. Stored as JSON. */
export interface ValueSpans {
  /** The intervals between the latest readings in milliseconds, oldest first. */
  pauses: number[];
  /** One entry for each of `THRESHOLD_NAMES`, null if unknown. The whole list is null while the metric has no value. */
  sides: ByMetric<(Side | null)[]>;
}

/**
 * A sensor's air after its readings up to `newest`. A metric that the newest reading lacks keeps an older value until that
 * expires. Stored as JSON.
 */
export interface SensorAir extends MetricValues {
  /** Doesn't change during a silence. */
  level: Level;
  /** The time from which the sensor counts as silent; null while readings arrive. */
  silentSince: string | null;
  /** Set if readings arrive, but not the metric that caused the level. Its last value. The sensor counts as silent. */
  lost?: { field: MetricField; value: number; at: string };
  /** The time of the first reading in the run that led to the level. */
  levelSince: string;
  /**
   * For each threshold, the start of the run that changes the level if it lasts: readings at or above the threshold while the
   * level is better, or clearly below it while the level is worse. Null if the newest reading is in no run.
   */
  pending: [string | null, string | null];
  /** `created_at` of the first and the newest judged reading. */
  oldest: string;
  newest: string;
  /** The highest id of all judged readings. */
  newestId: number;
  /** The time of each value. A sensor may post its metrics in turn, so a value stays until the sensor would count as silent. */
  measuredAt: ByMetric<string>;
  /**
   * The time of each metric's newest value, if that is faulty: the metric then keeps its last measurement, which doesn't expire.
   * Left out without faults.
   */
  faultyAt?: ByMetric<string>;
  /** Missing if an older version stored the data. */
  spans?: ValueSpans;
}

/** A change of a sensor's state, with the values of the deciding reading, or the last known values before a silence. */
export interface Transition extends MetricValues {
  sensor: string;
  /** The time of the change, by the sensor's clock. `sensor`, `at` and `to` identify a transition. */
  at: string;
  from: AirState;
  to: AirState;
  /**
   * The start of the new state: the first reading in the run that led to it, the last reading before a silence, or `at` if a
   * silence ends.
   */
  since: string;
}

export function stateOf(air: SensorAir): AirState {
  return air.silentSince === null ? air.level : 'silent';
}

export type KnownValues = MetricValues & Pick<SensorAir, 'measuredAt' | 'faultyAt'>;

const UNKNOWN: ValueSpans = { pauses: [], sides: byMetric(() => null) };

/**
 * Returns the spans after a reading.
 *
 * @param before null for a sensor's first reading
 * @param known the values after the reading
 * @param isBack true if the reading ends a silence
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

/** Returns the side of a threshold on which a metric's newest value lies; null if unknown. */
export function sideOf(
  { spans }: SensorAir,
  field: MetricField,
  name: ThresholdName,
  { thresholds }: Pick<AirRules, 'thresholds'>,
): Side | null {
  const side = spans?.sides[field]?.[THRESHOLD_NAMES.indexOf(name)];
  return side && side.threshold === thresholds[field]?.[name] ? side : null;
}
