/** JSON responses: plain, revalidated by `ETag`, or cached until the store changes. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { eventLoopTurns } from '../config/event-loop-turns.server';
import { singleton } from '../config/singleton.server';
import { BUILD_ID } from '../config/version.server';
import type { ApiRequest, ApiResponse, WriteAnswer } from './answer';
import { problem } from './problem.server';
import { acceptsGzip } from './question.server';

/** Headers for JSON readings; never cached. A page compares `Airboard-Build` with its own build. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Airboard-Build': BUILD_ID,
};

export function jsonResponse(value: unknown, { status, headers }: Partial<ApiResponse> = {}): ApiResponse {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) };
}

export function writeResponse(answer: WriteAnswer): ApiResponse {
  if (!answer.ok) return problem(answer);
  const { status, value, detail } = answer;
  return { status, headers: JSON_HEADERS, body: JSON.stringify(value), detail };
}

const nextTurn = eventLoopTurns();

/** Serializes in a separate event-loop turn, because many requests may have waited for the same value. */
async function toJson(value: unknown): Promise<string> {
  await nextTurn();
  return JSON.stringify(value);
}

/** A smaller body fits into one packet without compression. */
const COMPRESSED_FROM_BYTES = 1000;

/**
 * Returns JSON with an `ETag`, or 304 if the client has it (RFC 9110, section 13.1.2). The tag is weak, because it is
 * the same with and without compression. With `maxAgeSeconds` above 0, caches needn't revalidate for that long.
 */
export async function conditionalJson(
  request: ApiRequest,
  value: unknown,
  maxAgeSeconds: number,
): Promise<ApiResponse> {
  const body = await toJson(value);
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const { 'Content-Type': type, ...common } = JSON_HEADERS;
  const headers = {
    ...common,
    'Cache-Control': maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-cache',
    ETag: `W/"${tag}"`,
    Vary: 'Accept-Encoding',
  };
  if (isKnown(tag, request.header('if-none-match'))) return { status: 304, headers, body: null };
  const typed = { ...headers, 'Content-Type': type };
  if (body.length < COMPRESSED_FROM_BYTES || !acceptsGzip(request)) return { headers: typed, body };
  return { headers: { ...typed, 'Content-Encoding': 'gzip' }, body: await promisify(gzip)(body) };
}

/** Compares weakly (RFC 9110, section 8.8.3.2). */
function isKnown(tag: string, known: string | null): boolean {
  const tags = known?.split(',').map((part) => part.trim()) ?? [];
  return tags.some((part) => part === '*' || part.replace(/^W\//, '') === `"${tag}"`);
}

/** The most cached bodies: enough for every range of two sensors, plain and compressed. */
const CACHE_LIMIT = 16;

type Bytes = Uint8Array<ArrayBuffer>;

const cache = singleton('response-cache', () => ({
  version: '',
  bodies: new Map<string, Promise<Bytes>>(),
}));

/**
 * Caches a JSON response by its question until the store changes, because every open page requests the same readings after
 * an insert or a restart. `version` must change with the result of `load`. Without a version, nothing is cached.
 */
export async function cachedJson(
  request: ApiRequest,
  version: string | undefined,
  load: () => Promise<unknown>,
): Promise<ApiResponse> {
  const isCompressed = acceptsGzip(request);
  const body = await cachedBody(version, request.question, async () => {
    const json = await toJson(await load());
    return isCompressed ? promisify(gzip)(json) : Buffer.from(json);
  });
  const headers = { ...JSON_HEADERS, Vary: 'Accept-Encoding' };
  return { headers: isCompressed ? { ...headers, 'Content-Encoding': 'gzip' } : headers, body };
}

function cachedBody(version: string | undefined, key: string, make: () => Promise<Bytes>): Promise<Bytes> {
  if (version === undefined) return make();
  const { bodies } = cache;
  if (version !== cache.version) {
    cache.version = version;
    bodies.clear();
  }
  const cached = bodies.get(key);
  if (cached) return cached;
  const [oldest] = bodies.keys();
  if (bodies.size >= CACHE_LIMIT && oldest !== undefined) bodies.delete(oldest);
  const body = make();
  bodies.set(key, body);
  body.catch(() => bodies.delete(key));
  return body;
}
