/** A message that wasn't delivered until then is given up, counted from its creation. */
export const DELIVERY_SPAN_MS = 24 * 3_600_000;

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 3_600_000;

interface FailedAttempt {
  /** Attempts before this one. */
  attempts: number;
  createdAt: string;
  /** Milliseconds since 1970. */
  now: number;
  /** What the receiver has asked for. */
  retryAfterSeconds?: number;
}

/**
 * Returns when to send a message again, ISO 8601 in UTC: after a pause that doubles from 5 s to an hour, and is up to half
 * as long again, so that many senders don't come back together. Null if that is too late.
 *
 * @param random a number from 0 to 1
 */
export function retryTime(
  { attempts, createdAt, now, retryAfterSeconds = 0 }: FailedAttempt,
  random: number,
): string | null {
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
  const time = now + Math.max(growing * (1 + random / 2), retryAfterSeconds * 1000);
  return time > Date.parse(createdAt) + DELIVERY_SPAN_MS ? null : new Date(time).toISOString();
}
