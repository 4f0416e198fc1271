import type { EventKind } from '../providers/alert-event';
import type { UntoldReason } from '../readings/air/air-report';
import { type AirState, type SensorAir, stateOf } from '../readings/air/air-state';
import { LEVELS, type Level } from '../readings/level/level';
import { silentAfter } from '../readings/now/stale';
import { localIsoTime } from '../readings/time/local-time';
import type { RecordedTransition, WatchedSensor } from '../store/alert-store';

export interface NotifyRules {
  /** The states to notify. Their ends are notified too. */
  on: readonly AirState[];
  silentAfterMs: number | null;
  /** The time until a reminder of a lasting state; null for no reminders. */
  againMs: number | null;
}

/** A sensor's new notified state, and the message to send for it. */
export interface Notice {
  /** The kind of message, or null for no message. */
  kind: Exclude<EventKind, 'aired' | 'sensor' | 'summary' | 'test'> | null;
  notified: AirState;
  notifiedAt: string | null;
}

/**
 * Returns the state to notify: the air's state if it is in `on`, else the worst lower level in `on`, else good. If
 * silence isn't in `on`, a silent sensor keeps its level.
 */
export function notableState(air: SensorAir, on: readonly AirState[]): AirState {
  const state = stateOf(air);
  return state === 'silent' && on.includes(state) ? state : notableLevel(air.level, on);
}

function notableLevel(level: Level, on: readonly AirState[]): AirState {
  const levels = LEVELS.slice(1, LEVELS.indexOf(level) + 1);
  return levels.findLast((level) => on.includes(level)) ?? 'good';
}

/** Returns the notified state, or if it is no longer in `on`, the worst lower level that is. */
function notableNotified(notified: AirState, on: readonly AirState[]): AirState {
  if (notified === 'silent') return on.includes(notified) ? notified : 'good';
  return notableLevel(notified, on);
}

/** Returns the initial notified state of a new sensor: good, or silent if its readings are old, as after an import. */
export function knownAtFirst(air: SensorAir, rules: NotifyRules, now: number): AirState {
  return isOld(air, rules, now) && rules.on.includes('silent') ? 'silent' : 'good';
}

/**
 * Returns the due notice, or null. Depends on the state, not on events, so that nothing is notified twice or after it
 * is over. Call it outside quiet hours. `now` is the server's time, `readingsNow` the time by the clock that times
 * readings.
 */
export function noticeOf(
  { air, notified, notifiedAt }: WatchedSensor,
  rules: NotifyRules,
  now: number,
  readingsNow = now,
): Notice | null {
  const [notable, before] = [decidedState(air, rules, readingsNow), notableNotified(notified, rules.on)];
  if (notable === null || isSettling(air, notified) || isTurning(air, notified)) return null;
  const state = stateOf(air);
  if (notable === before) {
    // `Math.abs` because a clock that was ahead and set back would otherwise delay reminders.
    const isDue =
      rules.againMs !== null &&
      notifiedAt !== null &&
      Math.abs(now - Date.parse(notifiedAt)) >= rules.againMs;
    if (isDue && notable !== 'good') return { kind: 'reminder', notified: state, notifiedAt: isoTime(now) };
    return state === notified
      ? null
      : { kind: null, notified: state, notifiedAt: notable === 'good' ? null : notifiedAt };
  }
  if (notable !== 'good') return { kind: 'entered', notified: state, notifiedAt: isoTime(now) };
  // The state was never notified, so a message about its end would be confusing.
  return notifiedAt === null
    ? { kind: null, notified: state, notifiedAt: null }
    : { kind: 'ended', notified: state, notifiedAt: isoTime(now) };
}

/** Returns the notable state, or null while more readings may change it. */
export function decidedState(
  air: SensorAir,
  rules: Pick<NotifyRules, 'on' | 'silentAfterMs'>,
  now: number,
): AirState | null {
  // The sensor has only old readings but isn't silent yet: a batch is arriving, or the server has just started.
  const isUndecided = air.silentSince === null ? isOld(air, rules, now) : !rules.on.includes('silent');
  return isUndecided ? null : notableState(air, rules.on);
}

/**
 * True if the sensor was silent and its new readings haven't lasted long enough to replace the level from before the
 * silence.
 */
function isSettling(air: SensorAir, notified: AirState): boolean {
  const clearing = air.pending[LEVELS.indexOf(air.level) - 1] ?? null;
  return notified === 'silent' && air.silentSince === null && clearing !== null;
}

/**
 * True while a run of readings may turn the level back to the notified one, or beyond it. A message now would contradict its own
 * values: `good air again` at 2600 PPM.
 */
function isTurning(air: SensorAir, notified: AirState): boolean {
  if (air.silentSince !== null || notified === 'silent') return false;
  const [level, before] = [LEVELS.indexOf(air.level), LEVELS.indexOf(notified)];
  return air.pending.some((start, i) => start !== null && (i < level ? before <= level : before > level));
}

function isOld(air: SensorAir, rules: Pick<NotifyRules, 'silentAfterMs'>, now: number): boolean {
  return now - Date.parse(air.newest) > silentAfter(air, rules);
}

const isoTime = (ms: number) => new Date(ms).toISOString();

/** A daily span without notifications, in local times such as `22:00`. It may include midnight. */
export interface QuietHours {
  from: string;
  to: string;
}

/** On days when the clocks change, quiet hours get shorter or longer. */
export function isQuiet({ from, to }: QuietHours, timeZone: string, now: number): boolean {
  const time = localIsoTime(timeZone, now).slice(11, 16);
  return from <= to ? from <= time && time < to : time >= from || time < to;
}

/** Returns why a transition wasn't notified. `watched` is null if the sensor is unknown or has a newer transition. */
export function whyNotNotified(
  { at, from, to }: Pick<RecordedTransition, 'at' | 'from' | 'to'>,
  watched: WatchedSensor | null,
  { on, quiet, timeZone }: Pick<NotifyRules, 'on'> & { quiet: QuietHours | null; timeZone: string },
  now: number,
): UntoldReason {
  const isSilenceAlone = [from, to].includes('silent') && !on.includes('silent');
  if (isSilenceAlone || notableNotified(from, on) === notableNotified(to, on)) return 'not-chosen';
  const isQuietAt = (time: number) => quiet !== null && isQuiet(quiet, timeZone, time);
  if (!watched || stateOf(watched.air) !== to) return isQuietAt(Date.parse(at)) ? 'over-in-quiet' : 'over';
  if (watched.notified !== to) return isQuietAt(now) ? 'quiet' : 'not-yet';
  return 'before';
}
