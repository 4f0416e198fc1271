/** Compresses the responses of API handlers with gzip. remix-serve compresses pages and files. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { ApiResponse } from './answer';

/** A smaller body fits into one packet without compression. */
export const COMPRESSED_FROM_BYTES = 1000;

/** 64 kB of memory for each stream, a quarter of zlib's default: `2 ** (windowBits + 2) + 2 ** (memLevel + 9)` bytes. */
const STREAM = { level: 4, windowBits: 13, memLevel: 6 };

const TEXT = /^(text\/(?!event-stream)|application\/([\w.-]+\+)?json\b)/;

/**
 * Compresses a text from 1 kB on, and a stream of any length part by part. Leaves other responses, and those that their
 * handler has compressed, as they are. Synchronous for short bodies, which are most.
 *
 * @param acceptsGzip called only if the response can be compressed
 */
export function compressed(
  answer: ApiResponse,
  acceptsGzip: () => boolean,
): ApiResponse | Promise<ApiResponse> {
  const { body, headers } = answer;
  if (body === null || headers['Content-Encoding'] || !TEXT.test(headers['Content-Type'] ?? ''))
    return answer;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  if (isWhole && body.length < COMPRESSED_FROM_BYTES) return answer;
  if (!isWhole && 'stream' in body) return answer;
  const Vary = [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ');
  const varying = headers.Vary?.includes('Accept-Encoding') ? headers : { ...headers, Vary };
  if (!acceptsGzip()) return { ...answer, headers: varying };
  const coded = { ...answer, headers: { ...varying, 'Content-Encoding': 'gzip' } };
  if (!isWhole) return { ...coded, body: compressParts(body) };
  return promisify(gzip)(body).then((bytes) => ({ ...coded, body: bytes }));
}

/** Reads on only as its output is taken. Ends `parts` when it is left early. */
async function* compressParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const output = createGzip(STREAM);
  // A failure of `parts` reaches the reader of `output`.
  pipeline(Readable.from(parts, { objectMode: false }), output).catch(() => {});
  yield* output;
}
