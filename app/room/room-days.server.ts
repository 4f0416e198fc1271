import { setImmediate as nextTurn } from 'node:timers/promises';
import { singleton } from '../config/singleton.server';
import { readAll, stepReader } from '../history/read-steps.server';
import { dropOldest } from '../readings/drop-oldest';
import type { RollUp } from '../readings/roll-up/roll-up';
import {
  FINDINGS_VERSION,
  findingsOf,
  LEAD_MINUTES,
  type RoomFindings,
  type RoomRules,
} from '../readings/room/room-findings';
import { DAY_S } from '../readings/time/durations';
import { type RoomSettings, type RoomSource, readMinutes } from './room-minutes.server';

/** The findings of a day also depend on the minutes before it, for this many seconds. */
export const LEAD_S = LEAD_MINUTES * 60;

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
  /** The error that prevented storing computed findings, such as a full disk, or null. `days` contains them anyway. */
  keepError: unknown;
}

/**
 * Returns the findings of the UTC days from `from` (inclusive) to `to` (exclusive), oldest first. Stored findings have a
 * key computed from the readings, so late readings make them outdated. Missing or outdated findings are computed, newest
 * day first.
 *
 * @param most the most days to compute; the others are left out
 */
export async function roomDays(
  source: RoomSource,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<RoomDays> {
  const { store, sensor, settings } = source;
  const rules = rulesOf(settings);
  const read = stepReader(store, sensor, settings.thresholds);
  const totals = await readAll(read, { from: from - DAY_S, to, step: DAY_S });
  const totalsOf = new Map(totals.map((rollUp) => [rollUp.start, rollUp]));
  const keys = new Map<number, string>();
  for (const rollUp of totals) {
    const { start, co2 } = rollUp;
    if (start >= from && co2) keys.set(start, keyOf(totalsOf.get(start - DAY_S), rollUp, rules));
  }
  const kept = await keptFindings(source, keys);
  const days: RoomFindings[] = [];
  let [computed, missing] = [0, 0];
  let keepError: unknown = null;
  for (const [day, key] of [...keys].reverse()) {
    const found = kept.get(day);
    if (found) days.push(found);
    else if (computed >= most) missing += 1;
    else {
      computed += 1;
      const minutes = await readMinutes(source, day - LEAD_S, day + DAY_S);
      const findings = findingsOf(minutes, { from: day / 60, to: (day + DAY_S) / 60 }, rules);
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

function keyOf(before: RollUp | undefined, day: RollUp, { outdoor, threshold }: RoomRules): string {
  const totals = [before, day].map(
    (rollUp) => `${rollUp?.co2?.values ?? 0}:${(rollUp?.co2?.sum ?? 0).toPrecision(10)}`,
  );
  return [FINDINGS_VERSION, outdoor, threshold, ...totals].join(' ');
}

/** The most days in memory, of all sensors: about 10 MB. */
const MOST_DAYS = 2000;

/** The findings that were last read or computed. Reading and parsing those of a year takes about 15 ms. */
const remembered = singleton('room-findings', () => new Map<string, RoomFindings>());

const idOf = (sensor: string, day: number, key: string) => `${day} ${key} ${sensor}`;

function remember(id: string, findings: RoomFindings): void {
  remembered.set(id, findings);
  dropOldest(remembered, MOST_DAYS);
}

/** Returns findings by day, from memory or from the store; none for days with another key or a damaged row. */
async function keptFindings(
  { store, sensor }: RoomSource,
  keys: ReadonlyMap<number, string>,
): Promise<Map<number, RoomFindings>> {
  const found = new Map<number, RoomFindings>();
  const others: number[] = [];
  for (const [day, key] of keys) {
    const findings = remembered.get(idOf(sensor, day, key));
    if (findings) found.set(day, findings);
    else others.push(day);
  }
  const [first, last] = [others[0], others.at(-1)];
  if (first === undefined || last === undefined) return found;
  for (const { day, key, findings } of await store.room.days({ sensor, from: first, to: last + DAY_S })) {
    if (keys.get(day) !== key || found.has(day)) continue;
    const parsed = parseFindings(findings);
    if (!parsed) continue;
    found.set(day, parsed);
    remember(idOf(sensor, day, key), parsed);
  }
  return found;
}

/** Returns null for a damaged row, which is then computed again. */
function parseFindings(text: string): RoomFindings | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
