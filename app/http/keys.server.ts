/** The keys that requests carry, their comparison with the server's, and the wait after wrong ones. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { singleton } from '../config/singleton.server';
import { dropOldest } from '../readings/drop-oldest';
import type { Refusal } from './answer';

/** With Basic here, browsers would show a login dialog. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="airboard"' };

/** The key that a request has to carry, for its messages. */
interface WantedKey {
  /** `write key` */
  name: string;
  /** `WRITE_KEY` */
  setting: string;
  /** The keys that open it. */
  accepted: readonly string[];
}

/** Returns null if `sent` is an accepted key, else the refusal, and counts a wrong one. An empty text is no key. */
export function refuseKey(
  sent: string,
  { name, setting, accepted }: WantedKey,
  address: string,
): Refusal | null {
  // Checked before the wait, because a device may share its address with somebody who sends wrong keys (NAT, a proxy).
  if (accepted.some((key) => isSame(sent, key))) return null;
  if (!sent) {
    const detail = `The ${name} is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.`;
    return { status: 401, detail, headers: CHALLENGE };
  }
  const seconds = secondsToWait(address);
  if (seconds > 0) {
    const detail = `The ${name} is wrong, as were others from this address. Send the server's ${setting}, or wait ${seconds} s before another guess.`;
    return { status: 429, detail, headers: { 'Retry-After': String(seconds) } };
  }
  countWrongKey(address);
  const detail = `The ${name} is wrong: it isn't the server's ${setting}.`;
  return { status: 401, detail, headers: CHALLENGE };
}

/**
 * Returns the key in a bearer token, in InfluxDB's form of one (`Token KEY`) or in the password of Basic authentication
 * (RFC 7617); empty without any.
 */
export function sentKey(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Token|Basic) +(.+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
}

/** Compares in constant time. */
export const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** `timingSafeEqual` needs buffers of equal length, which digests always have. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * The wrong keys that an address may send without waiting: a person may mistype the key, or a device may be
 * misconfigured.
 */
const FREE_GUESSES = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** After this long without a wrong key, an address's count starts again. */
const FORGET_AFTER_MS = 60 * 60_000;
/** The most remembered addresses. The address with the oldest guess is forgotten first. */
const ADDRESS_LIMIT = 10_000;

interface Guesses {
  count: number;
  lastAt: number;
  waitMs: number;
}

/** The wrong keys of each address, latest last. */
const guesses = singleton('wrong-keys', () => new Map<string, Guesses>());

/** Returns the seconds for which an address has to wait before its next guess. */
function secondsToWait(address: string): number {
  const { lastAt = 0, waitMs = 0 } = guesses.get(address) ?? {};
  return Math.max(0, Math.ceil((lastAt + waitMs - performance.now()) / 1000));
}

/**
 * Counts a wrong key. The fifth makes its address wait 1 s. Each further one doubles the wait, up to 60 s. A right key
 * doesn't reset the count: otherwise a guesser behind a device's address would never wait.
 */
function countWrongKey(address: string): void {
  const now = performance.now();
  const last = guesses.get(address);
  const count = last && now - last.lastAt < FORGET_AFTER_MS ? last.count + 1 : 1;
  const waitMs = count < FREE_GUESSES ? 0 : FIRST_WAIT_MS * 2 ** (count - FREE_GUESSES);
  guesses.delete(address);
  guesses.set(address, { count, lastAt: now, waitMs: Math.min(waitMs, LONGEST_WAIT_MS) });
  dropOldest(guesses, ADDRESS_LIMIT);
}
