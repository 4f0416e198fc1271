/** JSON responses: plain, revalidated by `ETag`, or cached until the store changes. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getEnv } from '../config/env.server';
import { eventLoopTurns } from '../config/event-loop-turns.server';
import { singleton } from '../config/singleton.server';
import { BUILD_ID } from '../config/version.server';
import { dropOldest } from '../readings/drop-oldest';
import type { ApiRequest, ApiResponse, WriteAnswer } from './answer';
import { COMPRESSED_FROM_BYTES } from './compression.server';
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
  const body = status === 204 ? null : JSON.stringify(value);
  return { status, headers: JSON_HEADERS, body, detail };
}

const nextTurn = eventLoopTurns();

/** Serializes in a separate event-loop turn, because many requests may have waited for the same value. */
async function toJson(value: unknown): Promise<string> {
  await nextTurn();
  return JSON.stringify(value);
}

/**
 * Returns JSON with an `ETag`, or 304 if the client has it (RFC 9110, section 13.1.2). The tag is weak, because it is
 * the same with and without compression. With `maxAgeSeconds` above 0, caches needn't revalidate for that long; with a
 * `READ_KEY`, only the browser's.
 */
export async function conditionalJson(
  request: ApiRequest,
  value: unknown,
  maxAgeSeconds: number,
): Promise<ApiResponse> {
  const body = await toJson(value);
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const { 'Content-Type': type, ...common } = JSON_HEADERS;
  const caches = getEnv().READ_KEY ? 'private' : 'public';
  const headers = {
    ...common,
    'Cache-Control': maxAgeSeconds > 0 ? `${caches}, max-age=${maxAgeSeconds}` : 'no-cache',
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

/** A cached body, and the headers that belong to it. */
interface Cached {
  body: Bytes;
  headers?: Record<string, string>;
}

const cache = singleton('response-cache', () => ({
  version: '',
  answers: new Map<string, Promise<Cached>>(),
}));

/**
 * Caches a JSON response by its question until the store changes, because every open page requests the same readings after
 * an insert or a restart. `version` must change with the result of `load`. Without a version, nothing is cached.
 */
export const cachedJson = (
  request: ApiRequest,
  version: string | undefined,
  load: () => Promise<unknown>,
): Promise<ApiResponse> => cachedPage(request, version, async () => ({ value: await load() }));

/** Like `cachedJson`, with headers that depend on the value. */
export async function cachedPage(
  request: ApiRequest,
  version: string | undefined,
  load: () => Promise<{ value: unknown; headers?: Record<string, string> }>,
): Promise<ApiResponse> {
  const isCompressed = acceptsGzip(request);
  const { body, headers } = await cached(version, request.question(), async () => {
    const { value, headers } = await load();
    const json = await toJson(value);
    return { body: isCompressed ? await promisify(gzip)(json) : Buffer.from(json), headers };
  });
  const all = { ...JSON_HEADERS, Vary: 'Accept-Encoding', ...headers };
  return { headers: isCompressed ? { ...all, 'Content-Encoding': 'gzip' } : all, body };
}

function cached(version: string | undefined, key: string, make: () => Promise<Cached>): Promise<Cached> {
  if (version === undefined) return make();
  const { answers } = cache;
  if (version !== cache.version) {
    cache.version = version;
    answers.clear();
  }
  const known = answers.get(key);
  if (known) return known;
  const answer = make();
  answers.set(key, answer);
  dropOldest(answers, CACHE_LIMIT);
  answer.catch(() => answers.delete(key));
  return answer;
}
