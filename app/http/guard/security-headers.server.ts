import { getEnv } from '../../config/env.server';

/** Headers of every response, including documents and files. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer`, browsers would send `Origin: null` with the form for the key, as pages of other sites can.
  'Referrer-Policy': 'same-origin',
};

/** The pages that the sites of `ALLOW_EMBED` may show in frames. None of them needs to post. */
const READING_PAGES = ['/', '/history', '/chart'];

/** Returns the pages that other sites may show in frames. */
export function framedPages(): readonly string[] {
  const { ALLOW_EMBED } = getEnv();
  if (ALLOW_EMBED === 'true') return ['/chart'];
  return ALLOW_EMBED === 'false' || ALLOW_EMBED.length === 0 ? [] : READING_PAGES;
}

/** Returns the sites that may show a page in a frame, as sources of `frame-ancestors`. */
function frameAncestors(pathname: string): string {
  const { ALLOW_EMBED } = getEnv();
  if (!framedPages().includes(pathname)) return "'none'";
  return typeof ALLOW_EMBED === 'string' ? '*' : ALLOW_EMBED.join(' ');
}

/**
 * Returns a document's security headers. `nonce` is the nonce of the inline scripts; null for a document without
 * scripts. `connectOrigins` are the allowed origins besides the page's own.
 */
export function documentHeaders(
  pathname: string,
  nonce: string | null,
  connectOrigins: readonly string[],
): Record<string, string> {
  const ancestors = frameAncestors(pathname);
  const policy = [
    "default-src 'none'",
    nonce === null ? "script-src 'none'" : `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connectOrigins].join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // It can't name sites, and a page that may be framed must not contradict its policy.
    ...(ancestors === "'none'" ? { 'X-Frame-Options': 'DENY' } : {}),
  };
}
