import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Env } from '../config/env.server';
import { readAll, stepReader } from '../history/read-steps.server';
import type { RollUp } from '../readings/roll-up/roll-up';
import {
  FINDINGS_VERSION,
  findingsOf,
  LEAD_MINUTES,
  minutesOf,
  type RoomFindings,
  type RoomMinutes,
  type RoomRules,
} from '../readings/room/room-findings';
import { DAY_S } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';

/** The settings that findings depend on. */
export type RoomSettings = Pick<Env, 'thresholds' | 'CO2_OUTDOOR'>;

/** A sensor's readings, and the settings for judging its room. */
export interface RoomSource {
  store: Pick<ReadingStore, 'rollUps' | 'room'>;
  sensor: string;
  settings: RoomSettings;
}

export const rulesOf = ({ thresholds, CO2_OUTDOOR }: RoomSettings): RoomRules => ({
  outdoor: CO2_OUTDOOR,
  threshold: thresholds.co2.good,
});

/** The findings of a range of days. Some may be missing, for example after a large import. */
export interface RoomDays {
  /** Oldest first, only days with CO2. */
  days: RoomFindings[];
  /** The number of days with readings whose findings aren't computed yet. */
  missing: number;
  /** Why computed findings couldn't be kept, as on a full disk; null if they were. `days` has them all the same. */
  keepError: unknown;
}

/** Returns the beginning of a UTC day, in seconds since 1970. */
export const dayStart = (seconds: number): number => Math.floor(seconds / DAY_S) * DAY_S;

/**
 * Returns the findings of the UTC days from `from` (inclusive) to `to` (exclusive), oldest first. Stored findings have a
 * key made from their readings, which late readings change. Missing or outdated findings are computed, newest day first.
 *
 * @param most the most days to compute; the others are left out
 */
export async function roomDays(
  source: RoomSource,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<RoomDays> {
  const { store, sensor } = source;
  const rules = rulesOf(source.settings);
  const read = stepReader(store, sensor, source.settings.thresholds);
  const totals = await readAll(read, { from: from - DAY_S, to, step: DAY_S });
  const byDay = new Map(totals.map((rollUp) => [rollUp.start, rollUp]));
  const kept = new Map((await store.room.days({ sensor, from, to })).map((day) => [day.day, day]));
  const days: RoomFindings[] = [];
  let [computed, missing] = [0, 0];
  let keepError: unknown = null;
  for (const { start: day, co2 } of totals.reverse()) {
    if (day < from || !co2) continue;
    const key = keyOf(byDay.get(day - DAY_S), byDay.get(day), rules);
    const found = kept.get(day);
    if (found?.key === key) days.push(JSON.parse(found.findings));
    else if (computed >= most) missing += 1;
    else {
      computed += 1;
      const minutes = await readMinutes(source, day, day + DAY_S);
      const findings = findingsOf(minutes, { from: day / 60, to: (day + DAY_S) / 60 }, rules);
      days.push(findings);
      try {
        // One try is enough: a locked database takes seconds.
        if (!keepError) await store.room.keep([{ sensor, day, key, findings: JSON.stringify(findings) }]);
      } catch (error) {
        keepError = error;
      }
      await nextTurn();
    }
  }
  return { days: days.reverse(), missing, keepError };
}

/** Returns the minutes from `LEAD_MINUTES` before `day` up to `to`, both in seconds since 1970. */
export async function readMinutes(
  { store, sensor, settings }: RoomSource,
  day: number,
  to: number,
): Promise<RoomMinutes> {
  const steps = { from: day - LEAD_MINUTES * 60, to, step: 60 };
  return minutesOf(await readAll(stepReader(store, sensor, settings.thresholds), steps));
}

function keyOf(
  before: RollUp | undefined,
  day: RollUp | undefined,
  { outdoor, threshold }: RoomRules,
): string {
  const totals = [before, day].map(
    (rollUp) => `${rollUp?.co2?.values ?? 0}:${(rollUp?.co2?.sum ?? 0).toPrecision(10)}`,
  );
  return [FINDINGS_VERSION, outdoor, threshold, ...totals].join(' ');
}
