/** Keeps readings from clients without the `READ_KEY`, if it is set. A browser has a cookie instead of the key. */
import { createHmac } from 'node:crypto';
import { cookiePath } from '../../base-path';
import { getEnv } from '../../config/env.server';
import { BUILD_ID } from '../../config/version.server';
import type { ApiRequest, Refusal } from '../answer';
import { isSame, refuseKey, sentKey } from '../keys.server';

type Reader = Pick<ApiRequest, 'header' | 'address'>;

const COOKIE = 'airboard-reader';
/** Browsers keep no cookie for longer. */
const COOKIE_SECONDS = 400 * 86_400;

/**
 * Returns null if a request may read, else the refusal. A wrong cookie doesn't count as a guess, because browsers keep
 * theirs when the key changes.
 */
export function refuseReader({ header, address }: Reader): Refusal | null {
  const { READ_KEY } = getEnv();
  if (!READ_KEY) return null;
  const [, cookie = ''] = new RegExp(`(?:^|;) *${COOKIE}=([^;]*)`).exec(header('cookie') ?? '') ?? [];
  if (isSame(cookie, tokenOf(READ_KEY))) return null;
  return refuseReadKey(sentKey(header('authorization') ?? ''), address());
}

/** Returns null if a key opens reading, else the refusal. The `WRITE_KEY` does too: it may delete what is read. */
export function refuseReadKey(sent: string, address: string): Refusal | null {
  const { READ_KEY, WRITE_KEY } = getEnv();
  if (!READ_KEY) return null;
  const accepted = WRITE_KEY ? [READ_KEY, WRITE_KEY] : [READ_KEY];
  const refusal = refuseKey(sent, { name: 'read key', setting: 'READ_KEY', accepted }, address);
  // By this header, an open page knows that airboard itself asks for the key.
  return refusal && { ...refusal, headers: { ...refusal.headers, 'Airboard-Build': BUILD_ID } };
}

/** Returns the `Set-Cookie` that opens pages in a browser, or that ends it. */
export function readCookie({ header }: Pick<ApiRequest, 'header'>, isForgotten: boolean): string {
  const [value, age] = isForgotten ? ['', 0] : [tokenOf(getEnv().READ_KEY ?? ''), COOKIE_SECONDS];
  const isSecure = header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
  return `${COOKIE}=${value}; Path=${cookiePath()}; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The cookie's value, from which nobody can tell the key. It changes with the key. */
const tokenOf = (key: string) => createHmac('sha256', key).update('airboard-reader').digest('base64url');
