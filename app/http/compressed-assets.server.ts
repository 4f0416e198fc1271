import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

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
  if (!takesBrotli(request.headers['accept-encoding'])) return;
  response.setHeader('Content-Encoding', 'br');
  response.setHeader('Content-Type', `${TYPES[type]}; charset=utf-8`);
  request.url += '.br';
}

/** Whether Brotli is named, and not with a weight of zero (RFC 9110, section 12.5.3). */
function takesBrotli(acceptEncoding: string | string[] = ''): boolean {
  const codings = String(acceptEncoding).split(',');
  return codings.some((coding) => /^\s*br\s*(;\s*q=(1|0?\.0*[1-9])[\d.]*\s*)?$/i.test(coding));
}
