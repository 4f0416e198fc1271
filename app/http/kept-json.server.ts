import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { singleton } from '../singleton.server';
import { type Answer, type ApiRequest, JSON_HEADERS } from './api-route.server';

/** As many as there are ranges, each as it is and compressed. */
const LIMIT = 8;

type Bytes = Uint8Array<ArrayBuffer>;

const kept = singleton('kept-json', () => ({
  version: '',
  bodies: new Map<string, Promise<Bytes>>(),
}));

/**
 * A JSON answer that is made once for all who ask the same before what it is made from changes: after an
 * insert or a restart every open page asks for the same readings at once.
 *
 * @param version changes with what `make` gives; undefined where that is not known, and nothing is kept
 */
export async function keptJson(
  request: ApiRequest,
  version: string | undefined,
  make: () => Promise<unknown>,
): Promise<Answer> {
  const { search } = request.url;
  const headers = { ...JSON_HEADERS, Vary: 'Accept-Encoding' };
  const plain = () => keptBody(version, search, async () => Buffer.from(JSON.stringify(await make())));
  if (!acceptsGzip(request.header('Accept-Encoding') ?? '')) return { headers, body: await plain() };
  const compressed = await keptBody(version, `gzip ${search}`, async () => promisify(gzip)(await plain()));
  return { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed };
}

function acceptsGzip(acceptEncoding: string): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding);
}

function keptBody(version: string | undefined, key: string, make: () => Promise<Bytes>): Promise<Bytes> {
  if (version === undefined) return make();
  if (version !== kept.version) {
    kept.version = version;
    kept.bodies.clear();
  }
  const known = kept.bodies.get(key);
  if (known) return known;
  if (kept.bodies.size >= LIMIT) kept.bodies.delete(kept.bodies.keys().next().value as string);
  const body = make();
  kept.bodies.set(key, body);
  body.catch(() => kept.bodies.delete(key));
  return body;
}
