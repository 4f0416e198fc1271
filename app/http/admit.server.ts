import type { IncomingMessage } from 'node:http';
import { methodsOf } from './methods.server';
import type { Refusal } from './problem.server';

/**
 * Whether a request may go to the routes at all.
 *
 * @returns what to refuse it with, or null
 */
export function admit(request: IncomingMessage): Refusal | null {
  const url = addressOf(request);
  if (!url) return { status: 400, detail: 'The address or the Host header is malformed.' };
  const allowed = methodsOf(decodePath(url.pathname));
  if (!allowed)
    return { status: 404, detail: 'Nothing is here. There are /api/data, /api/live and /healthz.' };
  if (!allowed.includes(request.method ?? '')) return methodNotAllowed(request.method, allowed);
  return null;
}

/** The address as remix-serve will put it together from what the client sent; null where it would fail. */
export function addressOf({ url, headers }: IncomingMessage): URL | null {
  try {
    const host = (headers.host ?? 'localhost').replace(/:\d*$/, '');
    const forwarded = [headers['x-forwarded-host']].flat().join();
    const port = Number.parseInt(forwarded.split(':')[1] ?? headers.host?.split(':')[1] ?? '', 10);
    const address = new URL(`http://${host}${Number.isSafeInteger(port) ? `:${port}` : ''}${url}`);
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
