import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { eventLoopTurns } from '../config/event-loop-turns.server';
import { acceptsGzip } from './accepts-gzip.server';
import { type ApiRequest, type ApiResponse, JSON_HEADERS } from './api-handler.server';
import { jsonParts } from './json-parts.server';

/** A smaller body fits into one packet as it is. */
const COMPRESSED_FROM_BYTES = 1000;

const nextTurn = eventLoopTurns();

/**
 * Returns a response with `value` as JSON and its `ETag`, or 304 without a body if the client has it already (RFC 9110,
 * section 13.1.2). The tag is weak, because it is the same with and without compression.
 *
 * @param maxAgeSeconds how long a cache may give the response without asking; 0 if it has to ask every time
 */
export async function conditionalJson(
  request: ApiRequest,
  value: unknown,
  maxAgeSeconds: number,
): Promise<ApiResponse> {
  // Many requests may have waited for the same value.
  await nextTurn();
  const parts: string[] = [];
  const hash = createHash('sha256');
  for await (const part of jsonParts(value)) {
    hash.update(part);
    parts.push(part);
  }
  const body = parts.join('');
  const tag = hash.digest('base64url').slice(0, 22);
  const { 'Content-Type': type, ...common } = JSON_HEADERS;
  const headers = {
    ...common,
    'Cache-Control': maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-cache',
    ETag: `W/"${tag}"`,
    Vary: 'Accept-Encoding',
  };
  if (isKnown(tag, request.header('If-None-Match'))) return { status: 304, headers, body: null };
  const typed = { ...headers, 'Content-Type': type };
  if (body.length < COMPRESSED_FROM_BYTES || !acceptsGzip(request)) return { headers: typed, body };
  return { headers: { ...typed, 'Content-Encoding': 'gzip' }, body: await promisify(gzip)(body) };
}

/** Returns true if a header `If-None-Match` has this tag, by the weak comparison of RFC 9110, section 8.8.3.2. */
function isKnown(tag: string, known: string | null): boolean {
  const tags = known?.split(',').map((part) => part.trim()) ?? [];
  return tags.some((part) => part === '*' || part.replace(/^W\//, '') === `"${tag}"`);
}
