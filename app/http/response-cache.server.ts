import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { singleton } from '../config/singleton.server';
import { accepts } from './accept-encoding.server';
import { type ApiRequest, type ApiResponse, JSON_HEADERS } from './api-route.server';

/** As many as there are ranges, each as it is and compressed. */
const LIMIT = 8;

type Bytes = Uint8Array<ArrayBuffer>;

const cache = singleton('kept-json', () => ({
  version: '',
  bodies: new Map<string, Promise<Bytes>>(),
}));

/**
 * A JSON answer that is made once for all who ask the same before what it is made from changes: after an
 * insert or a restart every open page asks for the same readings at once.
 *
 * @param version changes with what `make` gives; undefined where that is not known, and nothing is kept
 */
export async function cachedJson(
  request: ApiRequest,
  version: string | undefined,
  make: () => Promise<unknown>,
): Promise<ApiResponse> {
  const { search } = request.url;
  const headers = { ...JSON_HEADERS, Vary: 'Accept-Encoding' };
  const plain = () => cachedBody(version, search, async () => Buffer.from(JSON.stringify(await make())));
  if (!accepts('gzip', request.header('Accept-Encoding') ?? '')) return { headers, body: await plain() };
  const compressed = await cachedBody(version, `gzip ${search}`, async () => promisify(gzip)(await plain()));
  return { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed };
}

function cachedBody(version: string | undefined, key: string, make: () => Promise<Bytes>): Promise<Bytes> {
  if (version === undefined) return make();
  if (version !== cache.version) {
    cache.version = version;
    cache.bodies.clear();
  }
  const known = cache.bodies.get(key);
  if (known) return known;
  if (cache.bodies.size >= LIMIT) cache.bodies.delete(cache.bodies.keys().next().value as string);
  const body = make();
  cache.bodies.set(key, body);
  body.catch(() => cache.bodies.delete(key));
  return body;
}
