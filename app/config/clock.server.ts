import { BUILT_AT } from './version.server';

/** The seconds after which a client should repeat a request that needs the right time. */
export const CLOCK_RETRY_SECONDS = 30;

/**
 * Returns why the server's clock can't be right, or null. A machine without a battery for its clock starts in 1970, or at
 * the time of its last shutdown, until NTP sets the clock.
 *
 * @param now the clock in milliseconds since 1970
 * @param builtAt the time of this build: no right clock is before it
 */
export function clockFault(now: number = Date.now(), builtAt: number | null = BUILT_AT): string | null {
  if (builtAt === null || now >= builtAt) return null;
  return (
    `The server's clock isn't set: it says ${new Date(now).toISOString()}, which is before airboard was built ` +
    `(${new Date(builtAt).toISOString()}). Set it (NTP). Until then, only readings and notes with their own time are stored.`
  );
}
