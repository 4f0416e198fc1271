import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { FILES_FOLDER } from './remix-address.server';

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

/**
 * Has remix-serve send the Brotli copy that the build made of a script or style, by rewriting the request's
 * URL. remix-serve would compress the file for each visitor again: larger, and slow on a small computer.
 * Clients that don't accept Brotli still get that.
 */
export function preferCompressed(request: IncomingMessage, response: ServerResponse): void {
  const [path = '', type = ''] =
    /^\/(?:assets\/[\w.-]+|service-worker)\.(js|css)$/.exec(request.url ?? '') ?? [];
  if (!path || !existsSync(`${FILES_FOLDER}${path}.br`)) return;
  response.setHeader('Vary', 'Accept-Encoding');
  if (new Negotiator(request).encodings(['br']).length === 0) return;
  response.setHeader('Content-Encoding', 'br');
  response.setHeader('Content-Type', `${TYPES[type]}; charset=utf-8`);
  request.url += '.br';
}
