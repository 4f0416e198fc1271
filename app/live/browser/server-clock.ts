import { CLOCK_TOLERANCE_MS } from '../../readings/now/stale';
import type { Reading } from '../../readings/reading';

/**
 * The time of the server's clock and the time of the viewer's clock at the same moment, in milliseconds. The viewer's
 * clock is `performance.now()`, because the time of day can be set while the page is open.
 */
export interface ServerClock {
  serverTime: number;
  viewerTime: number;
}

/**
 * Returns the server's time in milliseconds. Ages are measured against it because the viewer's clock may be wrong.
 *
 * @param now the viewer's clock; null on the server and for the first render, which must not differ
 */
export function serverTimeAt({ serverTime, viewerTime }: ServerClock, now: number | null): number {
  return now === null ? serverTime : serverTime + now - viewerTime;
}

/**
 * A larger difference is a jump. Smaller ones are normal, because the server's clock is read in whole seconds and
 * responses take time.
 */
const JUMP_MS = 5000;
/** The number of newest inserts that the lead of the readings' clock is computed from. */
const LEADS = 10;

export interface KnownClocks {
  clock: ServerClock;
  /**
   * The milliseconds by which the clock that times the readings was ahead of the server's at each of the newest
   * inserts.
   */
  leadsMs: readonly number[];
}

/** Adds the leads of the clocks that timed the inserts; undefined for an insert that the server's clock timed. */
export function addLeads(
  { clock, leadsMs }: KnownClocks,
  timed: readonly (ServerClock | undefined)[],
): readonly number[] {
  const added = timed.flatMap((stored) =>
    stored ? [stored.serverTime - serverTimeAt(clock, stored.viewerTime)] : [],
  );
  return added.length > 0 ? [...leadsMs, ...added].slice(-LEADS) : leadsMs;
}

/**
 * Sets the server's clock. After a jump, drops the leads: they are wrong if the viewer's clock stood still during a
 * sleep.
 */
export function setClock(known: KnownClocks, clock: ServerClock): KnownClocks {
  const jumpMs = Math.abs(clock.serverTime - serverTimeAt(known.clock, clock.viewerTime));
  return { clock, leadsMs: jumpMs > JUMP_MS ? [] : known.leadsMs };
}

/**
 * Returns the clock that times the readings. A late insert makes its lead look too small, so the highest of the newest
 * leads counts.
 */
export function readingClock({ clock, leadsMs }: KnownClocks): ServerClock {
  return { ...clock, serverTime: clock.serverTime + (leadsMs.length > 0 ? Math.max(...leadsMs) : 0) };
}

/** Returns true if a reading that has just arrived was measured at about the time `now` of the viewer's clock. */
export function fitsClock(known: KnownClocks, { created_at }: Reading, now: number): boolean {
  return Math.abs(Date.parse(created_at) - serverTimeAt(readingClock(known), now)) <= CLOCK_TOLERANCE_MS;
}
