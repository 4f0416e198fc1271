import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAll, stepReader } from '../history/read-steps.server';
import type { Thresholds } from '../readings/metric';
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
import type { RoomDay, RoomStore } from '../store/room-store';

/** What a request about rooms needs. */
export interface RoomSource {
  store: Pick<ReadingStore, 'rollUps' | 'room'>;
  sensor: string;
  rules: RoomRules;
  thresholds: Thresholds;
}

/** The findings of a day. */
export interface DayFindings {
  /** The beginning of the UTC day, in seconds since 1970. */
  day: number;
  findings: RoomFindings;
}

/** Days whose findings were computed before some that are missing still: an import may have years of them. */
export interface RoomDays {
  days: DayFindings[];
  /** The number of days with readings whose findings aren't computed yet. */
  missing: number;
}

/** Returns the beginning of a UTC day, in seconds since 1970. */
export const dayStart = (seconds: number): number => Math.floor(seconds / DAY_S) * DAY_S;

/**
 * Returns the findings of the days from `from` to before `to`, both the beginnings of UTC days, oldest first. Findings are kept
 * with a key of the readings that they come from: late readings change it. Others are computed, the newest first.
 *
 * @param most computes at most so many days, and leaves the others out
 */
export async function roomDays(
  source: RoomSource,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<RoomDays> {
  const { store, sensor } = source;
  const room = store.room ?? MEMORY;
  const read = stepReader(store, sensor, source.thresholds);
  const totals = await readAll(read, { from: from - DAY_S, to, step: DAY_S });
  const byDay = new Map(totals.map((rollUp) => [rollUp.start, rollUp]));
  const stored = await room.days({ sensor, from, to });
  // A project without the migration keeps nothing.
  const known = stored.length > 0 ? stored : await MEMORY.days({ sensor, from, to });
  const kept = new Map(known.map((day) => [day.day, day]));
  const days: DayFindings[] = [];
  let [computed, missing] = [0, 0];
  for (const { start: day, co2 } of totals.reverse()) {
    if (day < from || !co2) continue;
    const key = keyOf(byDay.get(day - DAY_S), byDay.get(day), source.rules);
    const found = kept.get(day);
    if (found?.key === key) days.push({ day, findings: JSON.parse(found.findings) });
    else if (computed >= most) missing += 1;
    else {
      computed += 1;
      const minutes = await readMinutes(source, day, day + DAY_S);
      const findings = findingsOf(minutes, { from: day / 60, to: (day + DAY_S) / 60 }, source.rules);
      const found = { sensor, day, key, findings: JSON.stringify(findings) };
      await room.keep([found]);
      if (stored.length === 0) await MEMORY.keep([found]);
      days.push({ day, findings });
      await nextTurn();
    }
  }
  return { days: days.reverse(), missing };
}

/** Returns the minutes from before a day until `to`, in seconds since 1970. */
export async function readMinutes(
  { store, sensor, thresholds }: RoomSource,
  day: number,
  to: number,
): Promise<RoomMinutes> {
  const steps = { from: day - LEAD_MINUTES * 60, to, step: 60 };
  return minutesOf(await readAll(stepReader(store, sensor, thresholds), steps));
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

/** The most days that are kept in memory, where the store doesn't keep them: about 10 MB. */
const MEMORY_DAYS = 10_000;

/** Keeps findings as long as the process runs. */
const MEMORY: RoomStore = memoryRoomStore();

function memoryRoomStore(): RoomStore {
  const kept = new Map<string, RoomDay>();
  const keyOf = (sensor: string, day: number) => `${day} ${sensor}`;
  return {
    async days({ sensor, from, to }) {
      const days: RoomDay[] = [];
      for (let day = from; day < to; day += DAY_S) {
        const found = kept.get(keyOf(sensor, day));
        if (found) days.push(found);
      }
      return days;
    },
    async keep(days) {
      for (const day of days) {
        kept.delete(keyOf(day.sensor, day.day));
        kept.set(keyOf(day.sensor, day.day), day);
      }
      for (const key of kept.keys()) {
        if (kept.size <= MEMORY_DAYS) break;
        kept.delete(key);
      }
    },
  };
}
