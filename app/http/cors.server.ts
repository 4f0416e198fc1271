import type { IncomingMessage, ServerResponse } from 'node:http';
import { getEnv, isAllowedOrigin } from '../config/env.server';

const PREFLIGHT_SECONDS = '600';

/**
 * Lets pages of the `ALLOWED_ORIGINS` use the API, and answers their preflight requests.
 *
 * @returns true if it answered the request
 */
export function shareWithOrigins(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (getEnv().ALLOWED_ORIGINS.length === 0 || !path.startsWith('/api/')) return false;
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (!isAllowedOrigin(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin as string);
  response.setHeader('Access-Control-Expose-Headers', 'Content-Disposition, Date, ETag, Retry-After');
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false;
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, Last-Event-ID',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  response.end();
  return true;
}
