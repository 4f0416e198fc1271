import type { IncomingMessage } from 'node:http';

/** Matches a host name or address with an optional port, and rejects anything else that `URL` would accept. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d*)?$/i;

/** Matches a path and a query of visible ASCII. The parser of Node 20.19.0 lets other bytes through. */
const PATH_AND_QUERY = /^\/[\x21-\x7e]*$/;

/** The address that a request is for. */
export interface RequestAddress {
  /** Percent-decoded, without a trailing slash unless it looks like a file's. */
  path: string;
  /** The URL, with the query and an empty path. */
  url: URL;
}

/**
 * Returns the address of a request; null if it or its host is malformed. The host is the one that Remix's
 * Express adapter takes from `X-Forwarded-Host` and `Host`: the adapter fails where this does.
 *
 * The path isn't read by `URL`, which resolves `..` and takes a backslash for a slash: the fewer texts name one
 * route, the fewer parsers disagree about them.
 */
export function requestAddress({ url = '', headers, httpVersion }: IncomingMessage): RequestAddress | null {
  // Only HTTP/1.0 allows a request without Host.
  const { host = httpVersion === '1.0' ? 'localhost' : '' } = headers;
  if (!HOST.test(host) || !PATH_AND_QUERY.test(url)) return null;
  try {
    const forwarded = [headers['x-forwarded-host']].flat().join();
    const port = Number.parseInt(forwarded.split(':')[1] ?? host.split(':')[1] ?? '', 10);
    const name = host.replace(/:\d*$/, '');
    const [sentPath = ''] = url.split('?', 1);
    const query = url.slice(sentPath.length);
    const authority = `${name}${Number.isSafeInteger(port) ? `:${port}` : ''}`;
    return { path: decodePath(sentPath), url: new URL(`http://${authority}/${query}`) };
  } catch {
    return null;
  }
}

/** Decodes a path segment by segment, so that an encoded slash stays encoded: `/%61pi/data/` is `/api/data`. */
function decodePath(sent: string): string {
  const segments = sent.split('/').map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'));
  return segments.join('/').replace(/(?<=\/[^/.]+)\/$/, '');
}
