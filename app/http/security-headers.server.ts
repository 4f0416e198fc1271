import { getEnv } from '../config/env.server';

/** Headers of every answer, documents and files alike. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Headers of a document.
 *
 * @param pathname which page it is: `/chart` alone may be framed, where `ALLOW_EMBED` says so
 * @param nonce of the scripts that stand in the document
 * @param connectOrigins where the page may connect to besides its own origin
 */
export function documentHeaders(
  pathname: string,
  nonce: string,
  connectOrigins: readonly string[],
): Record<string, string> {
  const isEmbeddable = pathname === '/chart' && getEnv().ALLOW_EMBED === 'true';
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
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
