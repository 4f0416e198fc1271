import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { accepts } from './accept-encoding.server';

/** Where remix-serve, too, takes a page's scripts and styles from: `/assets/…` is below it. */
const FOLDER = 'build/client';

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

/**
 * Has remix-serve send the Brotli copy of a script or style that the build has made. What remix-serve
 * compresses for each visitor anew is larger, and much work for a small computer. A client that does not
 * take Brotli gets that as before.
 */
export function preferCompressed(request: IncomingMessage, response: ServerResponse): void {
  const [path = '', type = ''] = /^\/assets\/[\w.-]+\.(js|css)$/.exec(request.url ?? '') ?? [];
  if (!path || !existsSync(`${FOLDER}${path}.br`)) return;
  response.setHeader('Vary', 'Accept-Encoding');
  if (!accepts('br', String(request.headers['accept-encoding'] ?? ''))) return;
  response.setHeader('Content-Encoding', 'br');
  response.setHeader('Content-Type', `${TYPES[type]}; charset=utf-8`);
  request.url += '.br';
}
