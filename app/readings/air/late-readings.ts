import { compareReadings, compareTimes, type Reading, sensorOf } from '../reading';
import { timeBefore } from '../time/reading-time';
import type { AirRules, SensorAir, Transition } from './air-state';
import { airAt, type Judged, judgeReading, judgeSilence } from './judge-reading';

/** A reading that comes when its sensor's newest is more than this younger is not judged. */
export const LATEST_MS = 86_400_000;

/**
 * Returns the readings that are to be judged, oldest first: those that come no more than a day later than newer ones. The
 * order of their ids decides, so that it is the same for all at once as for one after another.
 *
 * @param newest the time of the newest reading with a lower id; null if these are the first
 * @param readings of one sensor
 */
export function timelyReadings(newest: string | null, readings: readonly Reading[]): Reading[] {
  let latest = newest;
  const timely = [...readings]
    .sort((a, b) => a.id - b.id)
    .filter(({ created_at }) => {
      if (latest === null || compareTimes(created_at, latest) > 0) latest = created_at;
      return compareTimes(created_at, timeBefore(latest, LATEST_MS)) >= 0;
    });
  return timely.sort(compareReadings);
}

/**
 * Returns a function that tells which readings `timelyReadings` leaves out. It is to be called in the order of time.
 *
 * @param younger the readings, oldest first, that are more than a day younger than the first one that is asked about
 */
export function findsTooLate(younger: readonly Reading[]): (reading: Reading) => boolean {
  const lowestIds = younger.map(({ id }) => id);
  for (let i = lowestIds.length - 2; i >= 0; i--) {
    lowestIds[i] = Math.min(lowestIds[i] as number, lowestIds[i + 1] as number);
  }
  const limits = younger.map(({ created_at }) => timeBefore(created_at, LATEST_MS));
  let next = 0;
  return ({ id, created_at }) => {
    while (next < limits.length && compareTimes(limits[next] as string, created_at) <= 0) next += 1;
    return next < limits.length && (lowestIds[next] as number) < id;
  };
}

/** Tells whether a reading belongs before what is known of the air: before its newest reading, or before a silence. */
export function isLate({ created_at }: Reading, air: SensorAir): boolean {
  return compareTimes(created_at, air.silentSince ?? air.newest) <= 0;
}

/** How the air is judged again for readings that came late. */
export interface Rejudgement {
  /** The readings from this time on are to be taken, oldest first, late ones included. */
  start: string;
  take(reading: Reading): void;
  /** Returns the air, and the transitions since the first late reading. */
  end(): Judged;
}

/**
 * Begins to judge a sensor again, from its last transition before a late reading.
 *
 * @param late the time of the first late reading
 * @param last the last transition before it; null if there is none
 * @param known the air as it was judged without the late readings
 */
export function judgeAgain(
  late: string,
  last: Transition | null,
  known: SensorAir,
  rules: AirRules,
): Rejudgement {
  // A run that is not over is shorter than `afterMs`. Its newest reading, the values that stand for its first one and
  // those that stood before are each not older than a silence.
  const warmUp = timeBefore(late, rules.afterMs + 3 * rules.silentAfterMs);
  const isSilent = last?.to === 'silent';
  const isFromLast = last !== null && (isSilent || compareTimes(last.air.newest, warmUp) >= 0);
  const oldest = compareTimes(late, known.oldest) < 0 ? late : known.oldest;
  const { level, levelSince } = last?.air ?? airAt(oldest);
  let air = isFromLast ? last.air : null;
  let sensor: string | undefined;
  const transitions: Transition[] = [];
  return {
    // No reading came between a silence and the late one.
    start: isSilent ? late : laterOf(isFromLast ? last.air.newest : warmUp, oldest),
    take(reading) {
      if (air && isFromLast && compareTimes(reading.created_at, air.newest) <= 0) return;
      sensor = sensorOf(reading);
      const isLateYet = compareTimes(reading.created_at, late) >= 0;
      const before = air ?? { ...airAt(reading.created_at), level, levelSince, oldest };
      // Until the late reading there was no other transition: those before it only show which runs it may be in.
      const judged = judgeReading(before, reading, isLateYet ? rules : { ...rules, afterMs: Infinity });
      air = judged.air;
      transitions.push(...judged.transitions.filter(({ at }) => compareTimes(at, late) >= 0));
    },
    end() {
      if (!air || sensor === undefined) return { air: known, transitions };
      air = { ...air, newestId: Math.max(air.newestId, known.newestId) };
      if (known.silentSince !== null && known.newest === air.newest) {
        const silence = judgeSilence(sensor, air, rules);
        return { air: silence.air, transitions: [...transitions, ...silence.transitions] };
      }
      return { air, transitions };
    },
  };
}

function laterOf(a: string, b: string): string {
  return compareTimes(a, b) > 0 ? a : b;
}

type TransitionKey = Pick<Transition, 'sensor' | 'at' | 'to'>;

/** Returns the transitions that are not as before, and those that are none any more. */
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

/** The id is that of a reading after which the transition became known, not of one that it depends on. */
const comparable = ({ air, sensor, at, from, to, since, co2, voc }: Transition) => [
  [sensor, at, from, to, since, co2, voc],
  [air.level, air.silentSince, air.levelSince, air.pending, air.oldest, air.newest, air.co2, air.voc],
  [air.measuredAt.co2, air.measuredAt.voc],
];
