import type { MetricField } from '../metric';
import { compareTimes } from '../reading';
import { MAX_STALE_MS, staleAgeMs } from '../time/stale-age';
import { storedMicros } from '../time/stored-time';
import type { AirRules, SensorAir, Side, ValueSpans } from './air-state';
import { type KnownValues, LIMITS, type Limit } from './limit-runs';

const LATEST_PAUSES = 8;

/** A sensor is silent when it has missed this many of its usual intervals, */
const SILENT_INTERVALS = 3;
/** but not before this time, */
const LEAST_SILENT_MS = 15 * 60_000;
/** and always after this one. */
const MOST_SILENT_MS = 7 * 86_400_000;

const UNKNOWN: ValueSpans = { pauses: [], sides: { co2: null, voc: null } };

/**
 * Returns how long after its newest reading a sensor counts as silent: as set, or learnt from its latest pauses. The
 * shorter one of the two in their middle is usual, so neither an outage nor a burst counts.
 */
export function silentAfter(
  { spans }: Pick<SensorAir, 'spans'>,
  { silentAfterMs }: Pick<AirRules, 'silentAfterMs'>,
): number {
  if (silentAfterMs !== null) return silentAfterMs;
  const pauses = spans?.pauses.toSorted((a, b) => a - b) ?? [];
  // A single pause may be an outage.
  const usual = pauses.length > 1 ? (pauses[Math.ceil(pauses.length / 2) - 1] as number) : 0;
  return Math.min(MOST_SILENT_MS, Math.max(LEAST_SILENT_MS, SILENT_INTERVALS * usual));
}

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
  const isKnown = pauseMs !== null && !isBack && pauseMs <= staleAfterMs(pauses);
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
    pauses: pauseMs ? [...pauses, pauseMs].slice(-LATEST_PAUSES) : pauses,
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

/**
 * Returns the pause after which the air before a reading wasn't known any more, as on pages: by the longest of the latest
 * pauses but one, or the last one. One reading doesn't show how often its sensor sends.
 */
function staleAfterMs(pauses: readonly number[]): number {
  if (pauses.length === 0) return MAX_STALE_MS;
  const [, longestButOne = 0] = pauses.toSorted((a, b) => b - a);
  return staleAgeMs(Math.max(pauses.at(-1) as number, longestButOne));
}
