import type { AirRules, SensorAir, Transition } from '../readings/air/air-state';
import {
  changedTransitions,
  isLate,
  judgeAgain,
  LATEST_MS,
  timelyReadings,
  tooLateFinder,
} from '../readings/air/late-readings';
import { at } from '../readings/at';
import { compareTimes, type Reading } from '../readings/reading';
import { timeBefore } from '../readings/time/stored-time';
import type { AlertStore } from '../store/alert-store';
import type { ReadingStore } from '../store/reading-store';

/** The air of a sensor after judging, and the changes to its stored transitions. */
export interface JudgedSensor {
  air: SensorAir;
  transitions: Transition[];
  withdrawn: Pick<Transition, 'sensor' | 'at' | 'to'>[];
  /** The air before the late readings, from which later ones can be judged; null if unknown. */
  base: SensorAir | null;
}

/** An older base is replaced, because judging reads all readings since the base. */
const OLDEST_BASE_MS = 3_600_000;

interface Judging {
  rules: AirRules;
  readings: Pick<ReadingStore, 'read'>;
  alerts: Pick<AlertStore, 'transitionsSince'>;
}

/**
 * Returns the new readings, oldest first. `isLate` is true if the sensor must be judged again because some are late.
 * Leaves out judged readings and those from the future. `waiting` contains earlier late readings that aren't judged
 * yet.
 */
export function readingsToJudge(
  air: SensorAir | null,
  waiting: LateReadings | null,
  readings: readonly Reading[],
  isFuture: (time: string) => boolean,
) {
  const knownId = Math.max(air?.newestId ?? 0, waiting?.highestId ?? 0);
  const unknown = readings.filter(({ id, created_at }) => id > knownId && !isFuture(created_at));
  const isFromFuture = air !== null && isFuture(air.newest);
  const newest = [isFromFuture ? undefined : air?.newest, waiting?.newest].filter(
    (time) => time !== undefined,
  );
  const timely = timelyReadings(newest.sort(compareTimes).at(-1) ?? null, unknown);
  const [oldest] = timely;
  return {
    timely,
    isLate: waiting !== null || isFromFuture || (air !== null && oldest !== undefined && isLate(oldest, air)),
  };
}

/** The span of a sensor's readings that are judged together because some are late. */
export interface LateReadings {
  from: string;
  newest: string;
  lowestId: number;
  highestId: number;
}

/** `timely` must be ordered by time and not empty. */
export function addLate(waiting: LateReadings | null, timely: readonly Reading[]): LateReadings {
  const from = at(timely, 0).created_at;
  const newest = at(timely, timely.length - 1).created_at;
  const ids = timely.map(({ id }) => id);
  const lowestId = Math.min(...ids);
  const highestId = Math.max(...ids);
  if (!waiting) return { from, newest, lowestId, highestId };
  return {
    from: compareTimes(from, waiting.from) < 0 ? from : waiting.from,
    newest: compareTimes(newest, waiting.newest) > 0 ? newest : waiting.newest,
    lowestId: Math.min(lowestId, waiting.lowestId),
    highestId: Math.max(highestId, waiting.highestId),
  };
}

/**
 * Judges a sensor again, as if its late readings had come in time. Leaves out readings from the future and those with
 * ids above `late.highestId`. `base` is the base that judging earlier late readings returned.
 */
export async function judgeLate(
  sensor: string,
  air: SensorAir,
  late: LateReadings,
  base: SensorAir | null,
  { rules, readings, alerts }: Judging,
  isFuture: (time: string) => boolean,
): Promise<JudgedSensor> {
  const { from, highestId } = late;
  const stored = await alerts.transitionsSince(sensor, from);
  const last = stored.findLast(({ at }) => compareTimes(at, from) < 0) ?? null;
  const usable = base && compareTimes(base.newest, from) < 0 ? base : null;
  const again = judgeAgain(from, { last, base: usable }, air, rules);
  const known = async function* (start: string) {
    for await (const page of readings.read({ sensor, from: start })) {
      yield page.filter(({ id, created_at }) => id <= highestId && !isFuture(created_at));
    }
  };
  const tooLate = tooLateFinder();
  const youngerFrom = timeBefore(again.start, -LATEST_MS);
  const newest = [air.newest, late.newest];
  if (newest.some((time) => compareTimes(time, youngerFrom) >= 0)) {
    for await (const page of known(youngerFrom)) tooLate.add(page);
  }
  for await (const page of known(again.start)) {
    for (const reading of page) if (!tooLate.isTooLate(reading)) again.take(reading);
  }
  const judged = again.end();
  const before = stored.filter(({ at }) => compareTimes(at, from) >= 0);
  const { entered, withdrawn } = changedTransitions(before, judged.transitions);
  const isRecent = usable && compareTimes(usable.newest, timeBefore(from, OLDEST_BASE_MS)) >= 0;
  return { air: judged.air, transitions: entered, withdrawn, base: isRecent ? usable : judged.base };
}
