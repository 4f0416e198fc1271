import { getEnv, isAllowedOrigin } from '../config/env.server';
import type { ApiRequest, Refusal } from '../http/answer';
import { refuseKey, sentKey } from '../http/keys.server';
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
  return refuseOtherSite(header) ?? refuseWithoutKey(header, address());
}

/** Returns null unless a request comes from a page of another site, which may not be one of `ALLOWED_ORIGINS`. */
export function refuseOtherSite(header: Header): Refusal | null {
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

function refuseWithoutKey(header: Header, address: string): Refusal | null {
  const { WRITE_KEY } = getEnv();
  if (!WRITE_KEY) return null;
  const wanted = { name: 'write key', setting: 'WRITE_KEY', accepted: [WRITE_KEY] };
  return refuseKey(sentKey(header('authorization') ?? ''), wanted, address);
}
