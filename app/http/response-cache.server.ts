import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { singleton } from '../config/singleton.server';
import { acceptsGzip } from './accepts-gzip.server';
import { type ApiRequest, type ApiResponse, JSON_HEADERS } from './api-handler.server';
import { jsonParts } from './json-parts.server';

/** How many bodies are cached: as many as there are ranges, each plain and compressed, and as many of other sensors. */
const LIMIT = 16;

type Bytes = Uint8Array<ArrayBuffer>;

const cache = singleton('response-cache', () => ({
  version: '',
  bodies: new Map<string, Promise<Bytes>>(),
}));

/**
 * Caches a JSON response by its address until the store changes: after an insert or a restart, every open
 * page asks for the same readings at once.
 *
 * @param version text that changes with the result of `load`; undefined if unknown, and nothing is cached
 */
export async function cachedJson(
  request: ApiRequest,
  version: string | undefined,
  load: () => Promise<unknown>,
): Promise<ApiResponse> {
  const { pathname, search } = request.url;
  const address = pathname + search;
  const headers = { ...JSON_HEADERS, Vary: 'Accept-Encoding' };
  const plain = () => cachedBody(version, address, async () => encode(await load()));
  if (!acceptsGzip(request)) return { headers, body: await plain() };
  const compressed = await cachedBody(version, `gzip ${address}`, async () => promisify(gzip)(await plain()));
  return { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed };
}

async function encode(value: unknown): Promise<Bytes> {
  const parts: Buffer[] = [];
  for await (const part of jsonParts(value)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

function cachedBody(version: string | undefined, key: string, make: () => Promise<Bytes>): Promise<Bytes> {
  if (version === undefined) return make();
  if (version !== cache.version) {
    cache.version = version;
    cache.bodies.clear();
  }
  const cached = cache.bodies.get(key);
  if (cached) return cached;
  if (cache.bodies.size >= LIMIT) cache.bodies.delete(cache.bodies.keys().next().value as string);
  const body = make();
  cache.bodies.set(key, body);
  body.catch(() => cache.bodies.delete(key));
  return body;
}
