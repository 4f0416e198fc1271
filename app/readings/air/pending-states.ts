import { LEVELS } from '../level/level';
import type { PendingState } from './air-report';
import type { AirRules, SensorAir } from './air-state';
import { silentAfter } from './value-spans';

/** A sensor's silence is mentioned once this share of the time is over, not between any two readings. */
const SILENCE_SHARE = 1 / 3;

/**
 * Returns the states that a sensor changes to if it goes on as now, the soonest first: another level by its readings'
 * own times, or silence by the server's clock.
 *
 * @param now the server's clock in milliseconds
 * @param silentFrom when it counts as silent, in milliseconds, if its newest reading doesn't say so
 */
export function pendingStates(
  air: SensorAir,
  rules: Pick<AirRules, 'afterMs' | 'silentAfterMs'>,
  now: number,
  silentFrom: number | null = null,
): PendingState[] {
  if (air.silentSince !== null) return [];
  const { afterMs } = rules;
  const silentAfterMs = silentAfter(air, rules);
  const level = LEVELS.indexOf(air.level);
  const [good, moderate] = air.pending;
  // Where both limits are crossed at once, the level is that beyond both.
  const crossings = [
    { to: level === 0 ? 'moderate' : 'good', since: level === 0 && good === moderate ? null : good },
    { to: level === 2 ? 'moderate' : 'poor', since: level === 2 && good === moderate ? null : moderate },
  ] as const;
  const pending: PendingState[] = crossings.flatMap(({ to, since }) =>
    since === null ? [] : { to, since, at: later(since, afterMs) },
  );
  const silentAt =
    silentFrom === null ? later(air.newest, silentAfterMs) : new Date(silentFrom).toISOString();
  const silence = { to: 'silent' as const, since: air.newest, at: silentAt };
  if (now - Date.parse(air.newest) > silentAfterMs * SILENCE_SHARE) pending.push(silence);
  return pending.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
