/** A format of rows in pages: `start`, the encoded pages with `separator` between them, `end`. */
export interface PageFormat<Row> {
  start: string;
  separator: string;
  end: string;
  /** Returns the text of a page, which has at least one row. */
  encode(rows: readonly Row[]): string;
}

const encoder = new TextEncoder();

/**
 * Returns all rows of `pages` in a format, as a stream of bytes that reads one page at a time: any number of rows
 * needs the memory of one page.
 *
 * Rejects if the first page fails, so that the response can still be an error. A later failure is thrown
 * by the stream, which cuts the connection: no client takes the part that was sent for the whole.
 */
export async function streamPages<Row>(
  pages: AsyncIterable<readonly Row[]>,
  format: PageFormat<Row>,
): Promise<AsyncIterable<Uint8Array>> {
  const rest = pages[Symbol.asyncIterator]();
  return encodePages(await rest.next(), rest, format);
}

async function* encodePages<Row>(
  first: IteratorResult<readonly Row[]>,
  rest: AsyncIterator<readonly Row[]>,
  { start, separator, end, encode }: PageFormat<Row>,
): AsyncGenerator<Uint8Array> {
  let isStarted = false;
  for (let page = first; !page.done; page = await rest.next()) {
    if (page.value.length === 0) continue;
    yield encoder.encode((isStarted ? separator : start) + encode(page.value));
    isStarted = true;
  }
  const last = isStarted ? end : start + end;
  if (last) yield encoder.encode(last);
}
