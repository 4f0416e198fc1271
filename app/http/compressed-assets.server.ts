import { existsSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { singleton } from '../singleton.server';

/** Where remix-serve, too, takes a page's scripts and styles from. */
const FOLDER = 'build/client/assets';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Without a build, in development, there are none. */
const names = singleton('built-assets', () => new Set(existsSync(FOLDER) ? readdirSync(FOLDER) : []));

/**
 * Has remix-serve send the Brotli copy of a script or style that the build has made. What remix-serve
 * compresses for each visitor anew is larger, and much work for a small computer. A client that does not
 * take Brotli gets that as before.
 */
export function preferCompressed(request: IncomingMessage, response: ServerResponse): void {
  const name = request.url?.replace(/^\/assets\//, '') ?? '';
  const type = TYPES[extname(name)];
  if (!type || !names.has(`${name}.br`)) return;
  response.setHeader('Vary', 'Accept-Encoding');
  if (!takesBrotli(request.headers['accept-encoding'])) return;
  response.setHeader('Content-Encoding', 'br');
  response.setHeader('Content-Type', type);
  request.url += '.br';
}

/** Whether Brotli is named, and not with a weight of zero (RFC 9110, section 12.5.3). */
function takesBrotli(acceptEncoding: string | string[] = ''): boolean {
  const codings = String(acceptEncoding).split(',');
  return codings.some((coding) => /^\s*br\s*(;\s*q=(1|0?\.0*[1-9])[\d.]*\s*)?$/i.test(coding));
}
