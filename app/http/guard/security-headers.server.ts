import { getEnv } from '../../config/env.server';

/** Headers of every response, including documents and files. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Returns a document's security headers. With `ALLOW_EMBED`, other sites may frame `/chart`, but no other page. `nonce`
 * is the nonce of the inline scripts; null for a document without scripts. `connectOrigins` are the allowed origins
 * besides the page's own.
 */
export function documentHeaders(
  pathname: string,
  nonce: string | null,
  connectOrigins: readonly string[],
): Record<string, string> {
  const isEmbeddable = pathname === '/chart' && getEnv().ALLOW_EMBED === 'true';
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
    `frame-ancestors ${isEmbeddable ? '*' : "'none'"}`,
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(isEmbeddable ? {} : { 'X-Frame-Options': 'DENY' }),
  };
}
