import type { IncomingMessage } from 'node:http';
import { methodsOf } from './api-paths.server';
import type { Refusal } from './problem.server';

/** A name or an address, and a port. What a URL would take for more than that is no host. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d*)?$/i;

/**
 * Whether a request may go to the routes at all.
 *
 * @param path of the address, by `pathOf`
 * @returns what to refuse it with, or null
 */
export function admit(method: string | undefined, url: URL, path: string): Refusal | null {
  // Remix's older protocol, which it answers in a form of its own, past what a route would say.
  if (url.searchParams.has('_data')) return { status: 400, detail: 'No page here has a parameter "_data".' };
  const allowed = methodsOf(path);
  if (!allowed)
    return { status: 404, detail: 'Nothing is here. There are /api/data, /api/live and /healthz.' };
  if (!allowed.includes(method ?? '')) return methodNotAllowed(method, allowed);
  return null;
}

/** The path, decoded as the router does, which takes `/api/data/` and `/%61pi/data` for `/api/data`. */
export function routePath(url: URL): string {
  return decodePath(url.pathname).replace(/(?<=.)\/$/, '');
}

/** The address as remix-serve will put it together from what the client sent; null where it would fail. */
export function requestUrl({ url, headers, httpVersion }: IncomingMessage): URL | null {
  // Only HTTP/1.0 may leave it off.
  const { host = httpVersion === '1.0' ? 'localhost' : '' } = headers;
  if (!HOST.test(host) || !url?.startsWith('/')) return null;
  try {
    const forwarded = [headers['x-forwarded-host']].flat().join();
    const port = Number.parseInt(forwarded.split(':')[1] ?? host.split(':')[1] ?? '', 10);
    const name = host.replace(/:\d*$/, '');
    const address = new URL(`http://${name}${Number.isSafeInteger(port) ? `:${port}` : ''}${url}`);
    decodePath(address.pathname);
    return address;
  } catch {
    return null;
  }
}

/** Decoded as the router does: segment by segment, so that an encoded slash stays one. */
function decodePath(pathname: string): string {
  const segments = pathname.split('/').map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'));
  return segments.join('/');
}

function methodNotAllowed(method: string | undefined, allowed: readonly string[]): Refusal {
  const allow = allowed.join(', ');
  return { status: 405, detail: `${method} is not possible here, only ${allow}.`, headers: { Allow: allow } };
}
