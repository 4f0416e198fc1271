import { ReadableStream } from 'node:stream/web';

interface Client {
  drained(): Promise<boolean>;
}

type Pages = AsyncIterator<readonly unknown[]>;

const encoder = new TextEncoder();

/**
 * The body of a JSON array of what the pages hold, written page by page as the client takes it, so that
 * any number of rows needs the memory of one page. Rejects with the pages' error if the first one fails;
 * a later failure cuts the connection, which no client takes for the end of the array.
 */
export async function streamJsonArray(
  pages: AsyncIterable<readonly unknown[]>,
  client: Client,
): Promise<BodyInit> {
  const rest = pages[Symbol.asyncIterator]();
  const chunks = jsonArray(await rest.next(), rest, client);
  // Node's own type of stream: the DOM's does not know `from`.
  return ReadableStream.from(chunks) as unknown as BodyInit;
}

async function* jsonArray(first: Awaited<ReturnType<Pages['next']>>, rest: Pages, client: Client) {
  let separator = '[';
  for (let page = first; !page.done; page = await rest.next()) {
    if (!(await client.drained())) return;
    if (page.value.length === 0) continue;
    yield encoder.encode(separator + page.value.map((row) => JSON.stringify(row)).join(','));
    separator = ',';
  }
  yield encoder.encode(separator === '[' ? '[]' : ']');
}
