import { createHash, timingSafeEqual } from 'node:crypto';
import { getEnv, isAllowedOrigin } from '../config/env.server';
import { refuseBusyAddress } from './post-rate.server';
import type { WriteRefusal } from './write-refusal';
import { countWrongKey, forgetWrongKeys, refuseGuess } from './wrong-keys.server';

/** Returns the value of a request header, whatever the case of its name; null if it wasn't sent. */
type Header = (name: string) => string | null;

/** The parts of a request that decide whether it may write. */
interface WriteRequest {
  header: Header;
  /** Returns the client's address. */
  address(): string;
}

/**
 * Checks that a request may write: not from a page of another site, with the `WRITE_KEY` if one is set, and
 * within its address's `POSTS_PER_MINUTE`. Devices send neither `Sec-Fetch-Site` nor `Origin`, and pass the first check.
 *
 * @returns the refusal, or null if the request may write
 */
export function refuseWrite(request: WriteRequest): WriteRefusal | null {
  return refuseStranger(request) ?? refuseBusyAddress(request.address());
}

/** Checks that a request comes from someone who may write, without counting it as a post. Returns as `refuseWrite`. */
export function refuseStranger({ header, address }: WriteRequest): WriteRefusal | null {
  return refuseOtherSite(header) ?? refuseKey(header, address());
}

function refuseOtherSite(header: Header): WriteRefusal | null {
  const origin = header('Origin');
  if (isAllowedOrigin(origin)) return null;
  const isCrossSite = header('Sec-Fetch-Site') === 'cross-site';
  // Behind a proxy the page's host is the forwarded one; a page can't set that header itself.
  const hosts = [header('Host'), header('X-Forwarded-Host')];
  const isOtherHost = origin !== null && !hosts.some((host) => isHostOf(origin, host));
  if (!isCrossSite && !isOtherHost) return null;
  return {
    status: 403,
    detail: "Pages of other sites can't do this. Add the page's origin to ALLOWED_ORIGINS to let it.",
  };
}

/**
 * Returns whether a host header names the host of an origin, whatever its case and with or without the port that
 * the origin's scheme implies. The first name counts: each further proxy adds one.
 */
function isHostOf(origin: string, hosts: string | null): boolean {
  const [host] = (hosts ?? '').split(',');
  if (!host?.trim() || !URL.canParse(origin)) return false;
  const { protocol, host: expected } = new URL(origin);
  const address = `${protocol}//${host.trim()}`;
  return URL.canParse(address) && new URL(address).host === expected;
}

function refuseKey(header: Header, address: string): WriteRefusal | null {
  const { WRITE_KEY } = getEnv();
  if (!WRITE_KEY) return null;
  const sent = sentKey(header('Authorization') ?? '');
  const pause = sent ? refuseGuess(address) : null;
  if (pause) return pause;
  if (timingSafeEqual(digest(sent), digest(WRITE_KEY))) {
    forgetWrongKeys(address);
    return null;
  }
  if (sent) countWrongKey(address);
  return {
    status: 401,
    detail: sent
      ? "The write key is wrong: it isn't the server's WRITE_KEY."
      : 'The write key is missing: send it as "Authorization: Bearer KEY", or as the password of Basic authentication.',
    // With Basic here, browsers would ask for a user and a password.
    headers: { 'WWW-Authenticate': 'Bearer realm="airboard"' },
  };
}

/** Returns the key of a bearer token, or the password of Basic authentication (RFC 7617); empty if there is none. */
function sentKey(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic) +(.+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
}

/** `timingSafeEqual` compares only buffers of the same length, and a digest's length doesn't depend on the text. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
