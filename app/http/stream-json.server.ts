import { ReadableStream } from 'node:stream/web';

const encoder = new TextEncoder();

/**
 * The bytes of a JSON array of what the pages hold, made page by page as they are taken, so that any number
 * of rows needs the memory of one page. Rejects with the pages' error if the first one fails; a later
 * failure cuts the connection, which no client takes for the end of the array.
 */
export async function streamJsonArray(
  pages: AsyncIterable<readonly unknown[]>,
): Promise<globalThis.ReadableStream> {
  const rest = pages[Symbol.asyncIterator]();
  // Node's own type of stream: the DOM's does not know `from`.
  return ReadableStream.from(jsonArray(await rest.next(), rest)) as unknown as globalThis.ReadableStream;
}

async function* jsonArray(
  first: IteratorResult<readonly unknown[]>,
  rest: AsyncIterator<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  let separator = '[';
  for (let page = first; !page.done; page = await rest.next()) {
    if (page.value.length === 0) continue;
    yield encoder.encode(separator + page.value.map((row) => JSON.stringify(row)).join(','));
    separator = ',';
  }
  yield encoder.encode(separator === '[' ? '[]' : ']');
}
