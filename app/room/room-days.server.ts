import { setImmediate as nextTurn } from 'node:timers/promises';
import { singleton } from '../config/singleton.server';
import { readAll, stepReader } from '../history/read-steps.server';
import { dropOldest } from '../readings/drop-oldest';
import type { SensorSummary } from '../readings/reading';
import type { RollUp } from '../readings/roll-up/roll-up';
import { type DryAiring, findDryAirings } from '../readings/room/dry-airing';
import {
  FINDINGS_VERSION,
  findingsOf,
  LEAD_MINUTES,
  type RoomFindings,
  type RoomRules,
} from '../readings/room/room-findings';
import { DAY_S } from '../readings/time/durations';
import { outdoorFloors } from './outdoors.server';
import { type RoomSource, readMinutes, type SensorMinutes } from './room-minutes.server';

/** The findings of a day also depend on the minutes before it, for this many seconds. */
export const LEAD_S = LEAD_MINUTES * 60;

/** The findings of a day in CO2, and the airings in its humidity, which count where CO2 isn't measured. */
export interface DayFindings extends RoomFindings {
  dryAirings: DryAiring[];
}

/** Increase this whenever a change of the code yields other airings in the humidity. */
const DRY_VERSION = 1;

/** Returns true if a sensor measures what findings are about. */
export function hasRoom({ newest: { co2, humidity } }: Pick<SensorSummary, 'newest'>): boolean {
  return (co2 ?? humidity ?? null) !== null;
}

/** Returns what can be found in a day's minutes, which begin `LEAD_S` before it. */
export function dayFindings(
  minutes: SensorMinutes,
  day: { from: number; to: number },
  rules: RoomRules,
): DayFindings {
  return { ...findingsOf(minutes, day, rules), dryAirings: findDryAirings(minutes.air, day) };
}

/** Returns a function that returns the rules of a UTC day, for the days from `from` to `to` in seconds since 1970. */
export async function rulesByDay(
  source: RoomSource,
  from: number,
  to: number,
): Promise<(day: number) => RoomRules> {
  const floorOf = await outdoorFloors(source, from, to);
  const threshold = source.settings.thresholds.co2.good;
  return (day) => ({ outdoor: floorOf(day), threshold });
}

/** The findings of a range of days. Some may be missing, for example after a large import. */
export interface RoomDays {
  /** Oldest first, only days with CO2 or humidity. */
  days: DayFindings[];
  /** The number of days with readings whose findings aren't computed yet. */
  missing: number;
  /** The error that prevented storing computed findings, such as a full disk, or null. `days` contains them anyway. */
  keepError: unknown;
}

/**
 * Returns the findings of the UTC days from `from` (inclusive) to `to` (exclusive), oldest first. Stored findings have a
 * key computed from the readings, so late readings make them outdated. Missing or outdated findings are computed, newest
 * day first. Where only slots are kept, stored findings stay, because slots would give fewer.
 *
 * @param most the most days to compute; the others are left out
 */
export async function roomDays(
  source: RoomSource,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<RoomDays> {
  const { store, sensor, settings } = source;
  const rulesOf = await rulesByDay(source, from, to);
  const read = stepReader(store, sensor, settings.thresholds);
  const totals = await readAll(read, { from: from - DAY_S, to, step: DAY_S });
  const totalsOf = new Map(totals.map((rollUp) => [rollUp.start, rollUp]));
  const keys = new Map<number, string>();
  for (const rollUp of totals) {
    const { start, co2, humidity } = rollUp;
    if (start < from || !(co2 || humidity)) continue;
    keys.set(start, keyOf(totalsOf.get(start - DAY_S), rollUp, rulesOf(start)));
  }
  const rawFrom = await store.rawFrom(sensor);
  const isRemoved = (day: number) => rawFrom !== null && day - LEAD_S < rawFrom;
  const kept = await keptFindings(source, keys, isRemoved);
  const days: DayFindings[] = [];
  let [computed, missing] = [0, 0];
  let keepError: unknown = null;
  for (const [day, key] of [...keys].reverse()) {
    const found = kept.get(day);
    if (found) days.push(found);
    else if (computed >= most) missing += 1;
    else {
      computed += 1;
      const minutes = await readMinutes(source, day - LEAD_S, day + DAY_S);
      const findings = dayFindings(minutes, { from: day / 60, to: (day + DAY_S) / 60 }, rulesOf(day));
      days.push(findings);
      try {
        // After a failure, store no more: each wait for a locked database takes seconds.
        if (!keepError) {
          await store.room.keep([{ sensor, day, key, findings: JSON.stringify(findings) }]);
          remember(idOf(sensor, day, key), findings);
        }
      } catch (error) {
        keepError = error;
      }
      await nextTurn();
    }
  }
  return { days: days.reverse(), missing, keepError };
}

const KEY_METRICS = ['co2', 'temperature', 'humidity'] as const;

function keyOf(before: RollUp | undefined, day: RollUp, { outdoor, threshold }: RoomRules): string {
  const totals = [before, day].flatMap((rollUp) =>
    KEY_METRICS.map(
      (field) => `${rollUp?.[field]?.values ?? 0}:${(rollUp?.[field]?.sum ?? 0).toPrecision(10)}`,
    ),
  );
  return [FINDINGS_VERSION, DRY_VERSION, outdoor, threshold, ...totals].join(' ');
}

/** The most days in memory, of all sensors: about 10 MB. */
const MOST_DAYS = 2000;

/** The findings that were last read or computed. Reading and parsing those of a year takes about 15 ms. */
const remembered = singleton('room-findings', () => new Map<string, DayFindings>());

const idOf = (sensor: string, day: number, key: string) => `${day} ${key} ${sensor}`;

function remember(id: string, findings: DayFindings): void {
  remembered.set(id, findings);
  dropOldest(remembered, MOST_DAYS);
}

/**
 * Returns findings by day, from memory or from the store; none for a damaged row, or for a day with another key whose raw readings
 * are kept.
 */
async function keptFindings(
  { store, sensor }: RoomSource,
  keys: ReadonlyMap<number, string>,
  isRemoved: (day: number) => boolean,
): Promise<Map<number, DayFindings>> {
  const found = new Map<number, DayFindings>();
  const others: number[] = [];
  for (const [day, key] of keys) {
    const findings = remembered.get(idOf(sensor, day, key));
    if (findings) found.set(day, findings);
    else others.push(day);
  }
  const [first, last] = [others[0], others.at(-1)];
  if (first === undefined || last === undefined) return found;
  for (const { day, key, findings } of await store.room.days({ sensor, from: first, to: last + DAY_S })) {
    const current = keys.get(day);
    if (current === undefined || found.has(day) || (current !== key && !isRemoved(day))) continue;
    const parsed = parseFindings(findings);
    if (!parsed) continue;
    found.set(day, parsed);
    remember(idOf(sensor, day, current), parsed);
  }
  return found;
}

/** Returns null for a damaged row, which is then computed again. */
function parseFindings(text: string): DayFindings | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
