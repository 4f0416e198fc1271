import type { IncomingMessage } from 'node:http';

/** Matches a host name or address with an optional port, and rejects anything else that `URL` would accept. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d*)?$/i;

/**
 * Returns a request's URL as Remix's Express adapter builds it, from `X-Forwarded-Host` and `Host`; null if
 * the adapter or the router would fail on it.
 */
export function requestUrl({ url, headers, httpVersion }: IncomingMessage): URL | null {
  // Only HTTP/1.0 allows a request without Host.
  const { host = httpVersion === '1.0' ? 'localhost' : '' } = headers;
  if (!HOST.test(host) || !url?.startsWith('/')) return null;
  try {
    const forwarded = [headers['x-forwarded-host']].flat().join();
    const port = Number.parseInt(forwarded.split(':')[1] ?? host.split(':')[1] ?? '', 10);
    const name = host.replace(/:\d*$/, '');
    const result = new URL(`http://${name}${Number.isSafeInteger(port) ? `:${port}` : ''}${url}`);
    decodePath(result.pathname);
    return result;
  } catch {
    return null;
  }
}

/** Returns the path that Remix's router matches: `/api/data/` and `/%61pi/data` are `/api/data`. */
export function routePath(url: URL): string {
  return decodePath(url.pathname).replace(/(?<=.)\/$/, '');
}

/** Decodes a path as Remix's router does: segment by segment, so that an encoded slash stays encoded. */
function decodePath(pathname: string): string {
  const segments = pathname.split('/').map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'));
  return segments.join('/');
}
