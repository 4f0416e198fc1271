import { getEnv } from '../config/env.server';
import { outdoorSensor } from '../config/outdoor-sensor.server';
import type { AirAnswer } from '../readings/air/air-report';
import { type AirState, stateOf } from '../readings/air/air-state';
import type { WatchedSensor } from '../store/alert-store';
import { describeEvent } from './describe-event';
import { decidedState, noticeOf } from './notify-rules';
import type { RunningAlerts } from './start-alerts.server';

/** Returns the settings that decide a sensor's state. */
export function airRules() {
  const { alerts, thresholds } = getEnv();
  const { afterMs, silentAfterMs, on } = alerts;
  return { thresholds, afterMs, silentAfterMs, on };
}

type Rules = ReturnType<typeof airRules>;
type RulesOf = (sensor: string) => Rules;

/** Returns the settings that decide the state of a sensor, which may have its own. */
export const airRulesOf =
  (alerts: Pick<RunningAlerts, 'rulesOf'>): RulesOf =>
  (sensor) => {
    const { thresholds, silentAfterMs } = alerts.rulesOf(sensor);
    return { ...airRules(), thresholds, silentAfterMs };
  };

/** Returns the sensors whose names follow `after` and whose air isn't good, ordered by name. */
export function notGood(
  sensors: readonly WatchedSensor[],
  rulesOf: RulesOf,
  now: number,
  after?: string,
): AirAnswer[] {
  return sensors
    .filter(({ sensor }) => after === undefined || sensor > after)
    .flatMap((watched): AirAnswer[] => {
      const state = wasSilentAtFirst(watched)
        ? 'good'
        : decidedState(watched.air, rulesOf(watched.sensor), now);
      return state === 'good' ? [] : [{ sensor: watched.sensor, state }];
    })
    .sort((a, b) => (a.sensor < b.sensor ? -1 : 1));
}

/**
 * True for a sensor that was already silent when first seen, as after an import. Neither that silence nor its end is
 * notified.
 */
function wasSilentAtFirst({ air, notified, notifiedAt }: WatchedSensor): boolean {
  return air.silentSince !== null && notified === 'silent' && notifiedAt === null;
}

/**
 * Returns a sensor's state, and the notification to show to someone who last saw the state `before`. Returns null for
 * an unknown sensor.
 */
export async function notificationOf(
  sensors: readonly WatchedSensor[],
  lastTransition: RunningAlerts['lastTransition'],
  { sensor, before, zone }: { sensor: string; before: AirState; zone: string },
  rulesOf: RulesOf,
  now: number,
): Promise<AirAnswer | null> {
  const known = sensors.find((one) => one.sensor === sensor);
  if (!known) return null;
  const rules = rulesOf(sensor);
  const watched = { ...known, notified: before, notifiedAt: known.air.oldest };
  const kind = noticeOf(watched, { ...rules, againMs: null }, now)?.kind;
  const state = decidedState(known.air, rules, now);
  if (!kind) return { sensor, state, notification: null };
  const last = await lastTransition(sensor);
  const transition = last?.to === stateOf(known.air) ? last : null;
  const outside = outdoorSensor();
  const outdoors = outside === null ? null : { sensor: outside, air: airOf(sensors, outside) };
  const occasion = { kind, watched, transition, outdoors, isOnly: sensors.length === 1, now };
  const { title, text } = describeEvent(occasion, { ...rules, timeZone: zone, publicUrl: null });
  return { sensor, state, notification: { title, text } };
}

const airOf = (sensors: readonly WatchedSensor[], name: string) =>
  sensors.find(({ sensor }) => sensor === name)?.air ?? null;
