const encoder = new TextEncoder();

/**
 * Returns a JSON array of everything in `pages`, as a stream of bytes that reads one page at a time: any
 * number of rows needs the memory of one page.
 *
 * Rejects if the first page fails, so that the response can still be an error. A later failure is thrown
 * by the stream, which cuts the connection: no client takes the part that was sent for the whole array.
 */
export async function streamJsonArray(
  pages: AsyncIterable<readonly unknown[]>,
): Promise<AsyncIterable<Uint8Array>> {
  const rest = pages[Symbol.asyncIterator]();
  return jsonArray(await rest.next(), rest);
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
