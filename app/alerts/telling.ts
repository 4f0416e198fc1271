import { type AirState, type SensorAir, stateOf } from '../readings/air/air-state';
import { LEVELS, type Level } from '../readings/level/level';
import { silentAfter } from '../readings/now/stale';
import type { WatchedSensor } from '../store/alert-store';
import type { EventKind } from './alert-event';

/** What is told, and when. Durations are in milliseconds. */
export interface TellingRules {
  /** The states that are told, and that they have ended. */
  on: readonly AirState[];
  silentAfterMs: number | null;
  /** How long after a message it is told again that its state lasts; null for never. */
  againMs: number | null;
}

/** What is taken as known from now on, and the message; null if it is taken as known without one. */
export interface Telling {
  kind: Exclude<EventKind, 'test'> | null;
  told: AirState;
  toldAt: string | null;
}

/**
 * Returns the state that people want to know of: the one of the air if that is told; otherwise the worst level below it
 * that is; otherwise good. A silence that isn't told is no recovery.
 */
export function notableState(air: SensorAir, on: readonly AirState[]): AirState {
  const state = stateOf(air);
  return state === 'silent' && on.includes(state) ? state : notableLevel(air.level, on);
}

function notableLevel(level: Level, on: readonly AirState[]): AirState {
  const levels = LEVELS.slice(1, LEVELS.indexOf(level) + 1);
  return levels.findLast((level) => on.includes(level)) ?? 'good';
}

/** Returns what the known state is by the rules of now, which may have been others when it became known. */
export function notableTold(told: AirState, on: readonly AirState[]): AirState {
  if (told === 'silent') return on.includes(told) ? told : 'good';
  return notableLevel(told, on);
}

/**
 * Returns what is taken as known of a sensor that is seen for the first time: nothing, or its silence if its readings are
 * old, as those of an import are.
 */
export function toldAtFirst(air: SensorAir, rules: TellingRules, now: number): AirState {
  return isOld(air, rules, now) && rules.on.includes('silent') ? 'silent' : 'good';
}

/**
 * Returns what is to be told of a sensor now; null if nothing has changed. It depends on what is so, not on what happened,
 * so that what is over when it becomes known isn't told, and nothing is told twice.
 *
 * @param now the server's clock in milliseconds since 1970, outside quiet hours
 */
export function tellingOf(
  { air, told, toldAt }: WatchedSensor,
  rules: TellingRules,
  now: number,
): Telling | null {
  const [notable, before] = [notableState(air, rules.on), notableTold(told, rules.on)];
  if (isUndecided(air, told, rules, now)) return null;
  const state = stateOf(air);
  if (notable === before) {
    // A clock that was ahead, and was set back since, must not put reminders off until then.
    const isDue =
      rules.againMs !== null && toldAt !== null && Math.abs(now - Date.parse(toldAt)) >= rules.againMs;
    if (isDue && notable !== 'good') return { kind: 'reminder', told: state, toldAt: isoTime(now) };
    return state === told ? null : { kind: null, told: state, toldAt: notable === 'good' ? null : toldAt };
  }
  if (notable !== 'good') return { kind: 'entered', told: state, toldAt: isoTime(now) };
  // The end of what was never told would be a riddle.
  return toldAt === null
    ? { kind: null, told: state, toldAt: null }
    : { kind: 'ended', told: state, toldAt: isoTime(now) };
}

/** Tells whether the state may be another one as soon as more is known. */
function isUndecided(air: SensorAir, told: AirState, rules: TellingRules, now: number): boolean {
  if (air.silentSince !== null) return !rules.on.includes('silent');
  // A batch that is still coming, or the time after a start in which sensors have to be heard again.
  if (isOld(air, rules, now)) return true;
  // After a silence, the level is the one before it until the readings have lasted.
  const clearing = air.pending[LEVELS.indexOf(air.level) - 1] ?? null;
  return told === 'silent' && clearing !== null;
}

function isOld(air: SensorAir, rules: TellingRules, now: number): boolean {
  return now - Date.parse(air.newest) > silentAfter(air, rules);
}

const isoTime = (ms: number) => new Date(ms).toISOString();
