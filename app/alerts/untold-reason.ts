import type { UntoldReason } from '../readings/air/air-report';
import { type AirState, stateOf } from '../readings/air/air-state';
import type { RecordedTransition, WatchedSensor } from '../store/alert-store';
import { isQuiet, type QuietHours } from './quiet-hours';
import { notableTold } from './telling';

interface Rules {
  on: readonly AirState[];
  quiet: QuietHours | null;
  timeZone: string;
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
  { on, quiet, timeZone }: Rules,
  now: number,
): UntoldReason {
  const isSilenceAlone = [from, to].includes('silent') && !on.includes('silent');
  if (isSilenceAlone || notableTold(from, on) === notableTold(to, on)) return 'not-chosen';
  const isQuietAt = (time: number) => quiet !== null && isQuiet(quiet, timeZone, time);
  if (!watched || stateOf(watched.air) !== to) return isQuietAt(Date.parse(at)) ? 'over-in-quiet' : 'over';
  if (watched.told !== to) return isQuietAt(now) ? 'quiet' : 'not-yet';
  return 'before';
}
