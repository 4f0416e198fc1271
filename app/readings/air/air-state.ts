import { type Level, LIMITS, type Limit, type Thresholds } from '../level/level';
import type { MetricField } from '../metric';
import { LATEST_INTERVALS, staleAgeAfter } from '../now/stale';
import { compareTimes } from '../reading';
import { storedMicros } from '../time/stored-time';

/** What people are told of a sensor: the level of its air, or that no readings come. */
export type AirState = Level | 'silent';

/** What the state of a sensor's air depends on, besides its readings. Durations are in milliseconds. */
export interface AirRules {
  thresholds: Thresholds;
  /** How long readings must stay beyond a limit, or back below its clear value, to change the level. */
  afterMs: number;
  /** How long after a reading its sensor counts as silent; null to learn it from each sensor's readings. */
  silentAfterMs: number | null;
}

/** Since when the value of a metric has been on its side of a threshold: at or above it, or below. */
export interface Side {
  threshold: number;
  isAbove: boolean;
  /** The first of the newest readings that are all on this side, without a time between them in which the air wasn't known. */
  since: string;
  /** True if it may have been so for longer: nothing is known of the time before. */
  isAtLeast: boolean;
}

/** What is known of a sensor's latest readings besides its level: plain data. */
export interface ValueSpans {
  /** The milliseconds between its latest readings, oldest first. */
  pauses: number[];
  /** One for each of the good and the moderate threshold, null where it isn't known; null while the metric has no value. */
  sides: Record<MetricField, (Side | null)[] | null>;
}

/** What is known of a sensor's air after its readings up to `newest`: plain data, so that a store can keep it as JSON. */
export interface SensorAir {
  /** The level, which a silence doesn't change. */
  level: Level;
  /** Null while readings come; otherwise since when the sensor counts as silent. */
  silentSince: string | null;
  /** Time of the first reading of the run that led to the level: beyond its limit, or below its clear value. */
  levelSince: string;
  /**
   * For each limit, the good and the moderate one: the time of the first of the newest readings which are all beyond it
   * while the level is better, or all below its clear value while the level is worse. Null if the newest reading isn't.
   */
  pending: [string | null, string | null];
  /** `created_at` of the first and of the newest judged reading. */
  oldest: string;
  newest: string;
  /** The highest id of a judged reading. */
  newestId: number;
  /** The values now: those of the newest reading, or older ones for as long as they stand. */
  co2: number | null;
  voc: number | null;
  /** When they were measured. A sensor may post its metrics in turn, so a value stands until its sensor would be silent. */
  measuredAt: Record<MetricField, string | null>;
  /** Missing where an older version stored the air. */
  spans?: ValueSpans;
}

/** A change of a sensor's state, at a time of the sensor: the same however its readings arrive. */
export interface Transition {
  sensor: string;
  /** When the state changed. `sensor`, `at` and `to` identify a transition. */
  at: string;
  from: AirState;
  to: AirState;
  /**
   * Since when the air is as `to` says: the first reading beyond the limit, or below its clear value; the last reading
   * before a silence; `at` for the reading that ends one.
   */
  since: string;
  /** The values of the reading that decided it; the last known ones before a silence. */
  co2: number | null;
  voc: number | null;
  /** What was known of the air right after it, from which readings that come late are judged again. */
  air: SensorAir;
}

/** Returns the state of a sensor's air. */
export function stateOf(air: SensorAir): AirState {
  return air.silentSince === null ? air.level : 'silent';
}

/** The values after a reading, and when they were measured. */
export type KnownValues = Pick<SensorAir, 'co2' | 'voc' | 'measuredAt'>;

const UNKNOWN: ValueSpans = { pauses: [], sides: { co2: null, voc: null } };

/** Returns the spans before a reading from which a sensor is judged again, as far as those of its newest reading show them. */
export function spansBefore(newest: SensorAir, at: string): ValueSpans {
  const { pauses, sides } = newest.spans ?? UNKNOWN;
  const lasting = (field: MetricField) =>
    sides[field]?.map((side) => (side && compareTimes(side.since, at) < 0 ? side : null)) ?? null;
  let end = storedMicros(newest.newest);
  const before = pauses.toReversed().filter((pauseMs) => {
    const isBefore = end <= storedMicros(at);
    end -= pauseMs * 1000;
    return isBefore;
  });
  return { pauses: before.reverse(), sides: { co2: lasting('co2'), voc: lasting('voc') } };
}

/**
 * Returns the spans after a reading.
 *
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
  const sidesOf = (field: MetricField) => {
    const [value, old] = [known[field], (isKnown && sides[field]) || null];
    if (value === null) return null;
    if (known.measuredAt[field] !== at) return old;
    return LIMITS.map((limit, i): Side => {
      const threshold = rules.thresholds[field][limit];
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
    sides: { co2: sidesOf('co2'), voc: sidesOf('voc') },
  };
}

/** Returns since when the newest value of a metric has been on its side of a threshold; null if that isn't known. */
export function sideOf(
  { spans }: SensorAir,
  field: MetricField,
  limit: Limit,
  { thresholds }: Pick<AirRules, 'thresholds'>,
): Side | null {
  const side = spans?.sides[field]?.[LIMITS.indexOf(limit)];
  return side && side.threshold === thresholds[field][limit] ? side : null;
}
