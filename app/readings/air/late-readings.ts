import { at } from '../at';
import { silentAfter } from '../now/stale';
import { compareReadings, compareTimes, type Reading, sensorOf } from '../reading';
import { storedMicros, timeBefore } from '../time/stored-time';
import { type AirRules, type SensorAir, spansBefore, type Transition } from './air-state';
import { airAt, type Judged, judgeReading, judgeSilence } from './judge-reading';

/** A reading is too late to be judged if a reading that arrived earlier is newer by more than this. */
export const LATEST_MS = 86_400_000;

/**
 * Returns the readings to judge, oldest first. Leaves out a reading that is more than a day older than one that arrived before
 * it. Ids give the order of arrival, so calling it for each reading or for all at once gives the same result.
 *
 * @param newest the time of the newest reading with a lower id; null if there is none
 * @param readings readings of one sensor, ordered by id
 */
export function timelyReadings(newest: string | null, readings: readonly Reading[]): Reading[] {
  // A fast path for the usual case, because this function runs for every reading.
  if (readings.every((reading, i) => isAfter(reading, readings[i - 1]?.created_at ?? newest)))
    return [...readings];
  let latest = newest;
  const timely = readings.filter((reading) => {
    if (isAfter(reading, latest)) latest = reading.created_at;
    return latest === null || compareTimes(reading.created_at, timeBefore(latest, LATEST_MS)) >= 0;
  });
  return timely.sort(compareReadings);
}

function isAfter({ created_at }: Reading, time: string | null): boolean {
  return time === null || compareTimes(created_at, time) > 0;
}

/** Finds the readings that `timelyReadings` leaves out. Keeps two numbers per younger reading, because there may be millions. */
export interface TooLateFinder {
  /** Adds the readings that are more than a day younger than the first reading to check, oldest first. */
  add(younger: readonly Reading[]): void;
  /** Returns true if the reading is left out. Add all readings first, then call this in order of time. */
  isTooLate(reading: Reading): boolean;
}

export function tooLateFinder(): TooLateFinder {
  const times: number[] = [];
  /** The id of each reading; after `keepLowestIds`, the lowest id at or after each position. */
  const ids: number[] = [];
  let isComplete = false;
  let next = 0;

  function keepLowestIds(): void {
    for (let i = ids.length - 2; i >= 0; i--) ids[i] = Math.min(at(ids, i), at(ids, i + 1));
  }

  return {
    add(younger) {
      for (const { id, created_at } of younger) {
        times.push(storedMicros(created_at));
        ids.push(id);
      }
    },
    isTooLate({ id, created_at }) {
      if (times.length === 0) return false;
      if (!isComplete) keepLowestIds();
      isComplete = true;
      const youngest = storedMicros(created_at) + LATEST_MS * 1000;
      while (next < times.length && at(times, next) <= youngest) next += 1;
      return next < times.length && at(ids, next) < id;
    },
  };
}

/** Returns true if a reading isn't newer than the newest judged one or, during a silence, than the silence's start. */
export function isLate({ created_at }: Reading, air: SensorAir): boolean {
  return compareTimes(created_at, air.silentSince ?? air.newest) <= 0;
}

/** Judges a sensor's air again, with late readings included. */
export interface Rejudgement {
  /** Pass all readings from this time on to `take`, oldest first, late ones included. */
  start: string;
  take(reading: Reading): void;
  /**
   * Returns the air and the transitions since the first late reading. `base` is the air right before that reading, from which
   * more late readings can be judged; null if no reading or a silence came before it.
   */
  end(): Judged & { base: SensorAir | null };
}

/** Earlier results that a rejudgement can start from. */
export interface KnownBefore {
  /** The last transition before the late reading; null if there is none. */
  last: Transition | null;
  /** The `base` of an earlier `Rejudgement`; null if there is none. */
  base: SensorAir | null;
}

/**
 * Starts to judge a sensor again, from the newest known air before a late reading.
 *
 * @param late the time of the first late reading
 * @param known the air judged without the late readings
 */
export function judgeAgain(
  late: string,
  { last, base }: KnownBefore,
  known: SensorAir,
  rules: AirRules,
): Rejudgement {
  // A pending run lasts less than `afterMs`. Adds one `silentAfter` for each of: readings that lack the values to
  // confirm the run, its newest reading, the values kept at its first reading, and the values kept before that.
  const warmUp = timeBefore(late, rules.afterMs + 4 * silentAfter(known, rules));
  const isSilent = last?.to === 'silent';
  const newer =
    base && (!last || compareTimes(base.newest, last.air.newest) > 0) ? base : (last?.air ?? null);
  const isKnown = newer !== null && (isSilent || newer === base || compareTimes(newer.newest, warmUp) >= 0);
  const oldest = compareTimes(late, known.oldest) < 0 ? late : known.oldest;
  const { level, levelSince } = last?.air ?? airAt(oldest);
  let air = isKnown ? newer : null;
  let beforeLate: SensorAir | null = air;
  let sensor: string | undefined;
  const transitions: Transition[] = [];
  return {
    // There is no reading between the silence and the late reading.
    start: isSilent ? late : laterOf(isKnown ? newer.newest : warmUp, oldest),
    take(reading) {
      if (air && isKnown && compareTimes(reading.created_at, air.newest) <= 0) return;
      sensor = sensorOf(reading);
      const isLateYet = compareTimes(reading.created_at, late) >= 0;
      const first = reading.created_at;
      const before = air ?? { ...airAt(first), level, levelSince, oldest, spans: spansBefore(known, first) };
      // Readings before the late one only rebuild the pending runs. All transitions before it are known already.
      const judged = judgeReading(before, reading, isLateYet ? rules : { ...rules, afterMs: Infinity });
      air = judged.air;
      if (!isLateYet) beforeLate = air;
      transitions.push(...judged.transitions.filter(({ at }) => compareTimes(at, late) >= 0));
    },
    end() {
      const base = beforeLate?.silentSince === null ? beforeLate : null;
      if (!air || sensor === undefined) return { air: known, transitions, base };
      air = { ...air, newestId: Math.max(air.newestId, known.newestId) };
      if (known.silentSince !== null && known.newest === air.newest) {
        const silence = judgeSilence(sensor, air, rules);
        return { air: silence.air, transitions: [...transitions, ...silence.transitions], base };
      }
      return { air, transitions, base };
    },
  };
}

function laterOf(a: string, b: string): string {
  return compareTimes(a, b) > 0 ? a : b;
}

type TransitionKey = Pick<Transition, 'sensor' | 'at' | 'to'>;

/** Returns the new or changed transitions (`entered`), and those that no longer exist (`withdrawn`). */
export function changedTransitions(before: readonly Transition[], now: readonly Transition[]) {
  const keyOf = ({ at, to }: TransitionKey) => `${at} ${to}`;
  const known = new Map(before.map((transition) => [keyOf(transition), transition]));
  const remaining = new Set(now.map(keyOf));
  return {
    entered: now.filter((transition) => !isSame(known.get(keyOf(transition)), transition)),
    withdrawn: before
      .filter((transition) => !remaining.has(keyOf(transition)))
      .map(({ sensor, at, to }): TransitionKey => ({ sensor, at, to })),
  };
}

function isSame(a: Transition | undefined, b: Transition): boolean {
  return a !== undefined && JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

/** Leaves out `newestId`, which depends on when the transition became known. */
const comparable = ({ air, sensor, at, from, to, since, co2, voc }: Transition) => [
  [sensor, at, from, to, since, co2, voc],
  [air.level, air.silentSince, air.levelSince, air.pending, air.oldest, air.newest, air.co2, air.voc],
  [air.measuredAt.co2, air.measuredAt.voc],
];
