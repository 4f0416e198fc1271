import type { UntoldReason } from '../readings/air/air-report';
import { type AirState, type SensorAir, stateOf } from '../readings/air/air-state';
import { LEVELS, type Level } from '../readings/level/level';
import { silentAfter } from '../readings/now/stale';
import { localIsoTime } from '../readings/time/time-zone';
import type { RecordedTransition, WatchedSensor } from '../store/alert-store';
import type { EventKind } from './alert-event';

/** When to notify. Durations are in milliseconds. */
export interface NotifyRules {
  /** The states that people are notified of, and of their ends. */
  on: readonly AirState[];
  silentAfterMs: number | null;
  /** The time after a message until a reminder that its state lasts; null for never. */
  againMs: number | null;
}

/** What people know of a sensor from now on. */
export interface Notice {
  /** The message that says it; null if it needs none. */
  kind: Exclude<EventKind, 'summary' | 'test'> | null;
  notified: AirState;
  notifiedAt: string | null;
}

/**
 * Returns the state that people want to know of: the one of the air if it is in `on`; otherwise the worst level below it
 * that is; otherwise good. A silence that isn't in `on` is no recovery.
 */
export function notableState(air: SensorAir, on: readonly AirState[]): AirState {
  const state = stateOf(air);
  return state === 'silent' && on.includes(state) ? state : notableLevel(air.level, on);
}

function notableLevel(level: Level, on: readonly AirState[]): AirState {
  const levels = LEVELS.slice(1, LEVELS.indexOf(level) + 1);
  return levels.findLast((level) => on.includes(level)) ?? 'good';
}

/** Returns the known state by the rules of now, which may have been others when it became known. */
export function notableNotified(notified: AirState, on: readonly AirState[]): AirState {
  if (notified === 'silent') return on.includes(notified) ? notified : 'good';
  return notableLevel(notified, on);
}

/**
 * Returns what counts as known of a sensor that is seen for the first time: nothing, or its silence if its readings are
 * old, as those of an import are.
 */
export function knownAtFirst(air: SensorAir, rules: NotifyRules, now: number): AirState {
  return isOld(air, rules, now) && rules.on.includes('silent') ? 'silent' : 'good';
}

/**
 * Returns what people have to know of a sensor now; null if nothing has changed. It depends on the state, not on events, so
 * that nobody is notified of what is already over, or twice.
 *
 * @param now the server's clock in milliseconds since 1970, outside quiet hours
 * @param readingsNow the clock that times readings, if it is another one
 */
export function noticeOf(
  { air, notified, notifiedAt }: WatchedSensor,
  rules: NotifyRules,
  now: number,
  readingsNow = now,
): Notice | null {
  const [notable, before] = [decidedState(air, rules, readingsNow), notableNotified(notified, rules.on)];
  if (notable === null || isSettling(air, notified)) return null;
  const state = stateOf(air);
  if (notable === before) {
    // A clock that was ahead, and was set back since, must not put reminders off until then.
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
  // The end of a state without a message would be a riddle.
  return notifiedAt === null
    ? { kind: null, notified: state, notifiedAt: null }
    : { kind: 'ended', notified: state, notifiedAt: isoTime(now) };
}

/**
 * Returns the notable state of the air; null while it may be another one as soon as more is known.
 *
 * @param now the server's clock in milliseconds since 1970
 */
export function decidedState(
  air: SensorAir,
  rules: Pick<NotifyRules, 'on' | 'silentAfterMs'>,
  now: number,
): AirState | null {
  // A batch that is still coming, or the time after a start in which sensors have to be heard again.
  const isUndecided = air.silentSince === null ? isOld(air, rules, now) : !rules.on.includes('silent');
  return isUndecided ? null : notableState(air, rules.on);
}

/** Returns true if the level is still the one from before a silence, until the readings have lasted. */
function isSettling(air: SensorAir, notified: AirState): boolean {
  const clearing = air.pending[LEVELS.indexOf(air.level) - 1] ?? null;
  return notified === 'silent' && air.silentSince === null && clearing !== null;
}

function isOld(air: SensorAir, rules: Pick<NotifyRules, 'silentAfterMs'>, now: number): boolean {
  return now - Date.parse(air.newest) > silentAfter(air, rules);
}

const isoTime = (ms: number) => new Date(ms).toISOString();

/** A span of the day without notifications, by local time such as `22:00`. It may pass midnight. */
export interface QuietHours {
  from: string;
  /** Exclusive. */
  to: string;
}

/**
 * Returns whether it is quiet, by the clocks of a time zone: the hours are as long as the clocks make them.
 *
 * @param now milliseconds since 1970
 */
export function isQuiet({ from, to }: QuietHours, timeZone: string, now: number): boolean {
  const time = localIsoTime(timeZone, now).slice(11, 16);
  return from <= to ? from <= time && time < to : time >= from || time < to;
}

/**
 * Returns why nothing was sent about a transition.
 *
 * @param watched its sensor now; null if that isn't known or has had another transition since
 * @param now the server's clock in milliseconds since 1970
 */
export function untoldReason(
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
