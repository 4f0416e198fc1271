import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiHandler } from '../http/answer';
import { documentHeaders } from '../http/guard/security-headers.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { acceptsGzip } from '../http/question.server';
import { apiPage } from '../openapi/api-page.server';

const parseQuery = readingQueryParser();

/** The compressed page, cached because it never changes. */
let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** GET /api/docs: the API's documentation as a page. */
export const loader: ApiHandler = async (request) => {
  const query = parseQuery(request.url.searchParams);
  if (!query.ok) return invalidQuery(query.errors);
  const headers = {
    ...documentHeaders('/api/docs', null, []),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  };
  if (request.method === 'HEAD') return { headers, body: null };
  if (!acceptsGzip(request)) return { headers, body: await apiPage() };
  compressed ??= apiPage().then((html) => promisify(gzip)(html));
  return { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: await compressed };
};
