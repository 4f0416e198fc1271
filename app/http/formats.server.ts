/** The formats of readings and metrics: chooses the one that a client prefers, and streams pages of rows in it. */
import Negotiator from 'negotiator';
import type { ApiRequest } from './answer';

/** The media types with every parameter that a client may name. The first wins if a client prefers neither. */
const JSON_TYPE = 'application/json; charset=utf-8';
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export function preferredFormat(request: ApiRequest): 'json' | 'csv' {
  const accept = request.header('accept');
  if (!accept || !/csv|text\/\*/i.test(accept)) return 'json';
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes([JSON_TYPE, CSV_TYPE]);
  return preferred === CSV_TYPE ? 'csv' : 'json';
}

const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** The media types of metrics with every parameter that Prometheus may name. */
const METRICS_TYPES = [METRICS_TEXT, OPEN_METRICS].flatMap((type) => [
  type,
  ...['allow-utf-8', 'underscores', 'dots', 'values'].map((scheme) => `${type}; escaping=${scheme}`),
]);

export function preferredMetrics(request: ApiRequest): typeof METRICS_TEXT | typeof OPEN_METRICS {
  const accept = request.header('accept') ?? '*/*';
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(METRICS_TYPES);
  return preferred?.startsWith('application/') ? OPEN_METRICS : METRICS_TEXT;
}

/** A format for pages of rows. The text is `start`, the encoded pages with `separator` between them, and `end`. */
export interface PageFormat<Row> {
  start: string;
  separator: string;
  end: string;
  encode(rows: readonly Row[]): string;
}

export const JSON_FORMAT: PageFormat<unknown> = {
  start: '[',
  separator: ',',
  end: ']',
  encode: (rows) => rows.map((row) => JSON.stringify(row)).join(','),
};

const encoder = new TextEncoder();

/**
 * Streams all rows of `pages` in a format, with one page in memory at a time. Rejects if the first page fails, so that
 * the response can still be an error. A later failure cuts the connection, so that no client takes a partial response
 * for a complete one.
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
