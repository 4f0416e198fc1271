import { createHash, timingSafeEqual } from 'node:crypto';
import { getEnv, isAllowedOrigin } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { ApiRequest, Refusal } from '../http/answer';
import { dropOldest } from '../readings/drop-oldest';
import { refuseBusyAddress } from './post-rate.server';

type Header = ApiRequest['header'];
type WriteRequest = Pick<ApiRequest, 'header' | 'address'>;

/**
 * Returns null if a request may write, else the refusal. It may write if it doesn't come from a page of another site,
 * has the `WRITE_KEY` if one is set, and is within its address's `POSTS_PER_MINUTE`. Devices send neither
 * `Sec-Fetch-Site` nor `Origin`, so they pass the first check.
 */
export function refuseWrite(request: WriteRequest): Refusal | null {
  return refuseStranger(request) ?? refuseBusyAddress(request.address());
}

/** Like `refuseWrite`, but doesn't count the request as a post. */
export function refuseStranger({ header, address }: WriteRequest): Refusal | null {
  return refuseOtherSite(header) ?? refuseKey(header, address());
}

function refuseOtherSite(header: Header): Refusal | null {
  const origin = header('origin');
  const isCrossSite = header('sec-fetch-site') === 'cross-site';
  if ((origin === null && !isCrossSite) || isAllowedOrigin(origin)) return null;
  // Behind a proxy, the page's host is in `X-Forwarded-Host`. A page can't set that header.
  const hosts = [header('host'), header('x-forwarded-host')];
  const isOtherHost = origin !== null && !hosts.some((host) => isHostOf(origin, host));
  if (!isCrossSite && !isOtherHost) return null;
  return {
    status: 403,
    detail: "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.",
  };
}

/**
 * Returns true if a host header contains the host of an origin, with or without the default port. Only the first name
 * counts, because each further proxy adds one.
 */
function isHostOf(origin: string, hosts: string | null): boolean {
  const [host] = (hosts ?? '').split(',');
  if (!host?.trim() || !URL.canParse(origin)) return false;
  const { protocol, host: expected } = new URL(origin);
  const address = `${protocol}//${host.trim()}`;
  return URL.canParse(address) && new URL(address).host === expected;
}

function refuseKey(header: Header, address: string): Refusal | null {
  const { WRITE_KEY } = getEnv();
  if (!WRITE_KEY) return null;
  const sent = sentKey(header('authorization') ?? '');
  // Checked before the wait, because a device may share its address with somebody who sends wrong keys (NAT, a proxy).
  if (timingSafeEqual(digest(sent), digest(WRITE_KEY))) return null;
  const refusal = sent ? refuseGuess(address) : null;
  if (refusal) return refusal;
  if (sent) countWrongKey(address);
  return {
    status: 401,
    detail: sent
      ? "The write key is wrong: it isn't the server's WRITE_KEY."
      : 'The write key is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.',
    // With Basic here, browsers would show a login dialog.
    headers: { 'WWW-Authenticate': 'Bearer realm="airboard"' },
  };
}

/**
 * Returns the key in a bearer token, in InfluxDB's form of one (`Token KEY`) or in the password of Basic authentication
 * (RFC 7617); empty without any.
 */
function sentKey(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Token|Basic) +(.+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
}

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

/** Refuses a wrong key with 429 while its address has to wait. */
function refuseGuess(address: string): Refusal | null {
  const { lastAt = 0, waitMs = 0 } = guesses.get(address) ?? {};
  const remainingMs = lastAt + waitMs - performance.now();
  if (remainingMs <= 0) return null;
  const seconds = Math.ceil(remainingMs / 1000);
  return {
    status: 429,
    detail: `The write key is wrong, as were others from this address. Send the server's WRITE_KEY, or wait ${seconds} s before another guess.`,
    headers: { 'Retry-After': String(seconds) },
  };
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
