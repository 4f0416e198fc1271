import { createHash, timingSafeEqual } from 'node:crypto';
import { getEnv, isAllowedOrigin } from '../config/env.server';
import { singleton } from '../config/singleton.server';

const MINUTE_MS = 60_000;

/** Returns the value of a request header, whatever the case of its name; null if it wasn't sent. */
type Header = (name: string) => string | null;

/** The response to a refused write: HTTP status, reason, and headers. */
export interface WriteRefusal {
  status: number;
  detail: string;
  headers?: Record<string, string>;
}

/**
 * Checks that a request may write: not from a page of another site, with the `WRITE_KEY` if one is set, and
 * within `POSTS_PER_MINUTE`. Devices send neither `Sec-Fetch-Site` nor `Origin`, and pass the first check.
 *
 * @returns the refusal, or null if the request may write
 */
export function refuseWrite({ header }: { header: Header }): WriteRefusal | null {
  return refuseOtherSite(header) ?? refuseKey(header) ?? refuseFlood(Date.now());
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
    detail: "Pages of other sites can't post here. Add the page's origin to ALLOWED_ORIGINS to let it.",
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

function refuseKey(header: Header): WriteRefusal | null {
  const { WRITE_KEY } = getEnv();
  if (!WRITE_KEY) return null;
  const [, sent = ''] = /^Bearer +(.+)$/i.exec(header('Authorization') ?? '') ?? [];
  if (timingSafeEqual(digest(sent), digest(WRITE_KEY))) return null;
  return {
    status: 401,
    detail: 'Posting needs the write key: send it as "Authorization: Bearer KEY".',
    headers: { 'WWW-Authenticate': 'Bearer realm="airboard"' },
  };
}

/** `timingSafeEqual` compares only buffers of the same length, and a digest's length doesn't depend on the text. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const minute = singleton('posts-this-minute', () => ({ startedAt: 0, posts: 0 }));

/** Counts a post. A minute starts with the first post after the last one is over. */
function refuseFlood(now: number): WriteRefusal | null {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return null;
  if (now - minute.startedAt >= MINUTE_MS || now < minute.startedAt) {
    minute.startedAt = now;
    minute.posts = 0;
  }
  if (minute.posts < POSTS_PER_MINUTE) {
    minute.posts += 1;
    return null;
  }
  const seconds = Math.ceil((minute.startedAt + MINUTE_MS - now) / 1000);
  return {
    status: 429,
    detail: `More than ${POSTS_PER_MINUTE} posts in a minute. Try again in ${seconds} s, or raise POSTS_PER_MINUTE.`,
    headers: { 'Retry-After': String(seconds) },
  };
}
