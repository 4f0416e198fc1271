import { JSON_HEADERS } from '../http/api-handler.server';
import { apiFunction } from '../http/api-route.server';
import { CSV_FORMAT } from '../http/csv-format.server';
import { csvHeaders } from '../http/csv-headers.server';
import { JSON_FORMAT } from '../http/json-format.server';
import { preferredFormat } from '../http/preferred-format.server';
import { invalidQuery, problem } from '../http/problem.server';
import { answerInTurn } from '../http/read-gate.server';
import { readingQueryParser } from '../http/reading-query.server';
import { cachedJson } from '../http/response-cache.server';
import { streamPages } from '../http/stream-pages.server';
import { writeResponse } from '../http/write-response.server';
import { takePost } from '../ingest/take-post.server';
import { refuseWrite } from '../ingest/write-access.server';
import { refusalOf } from '../ingest/write-refusal';
import { HISTORY_LIMIT } from '../readings/chart/range';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'limit', 'after', 'format');

/** GET /api/data: readings as a JSON array or as CSV, oldest first. */
export const loader = apiFunction(async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { format = preferredFormat(request), ...query } = parsed.query;
  const headers = format === 'csv' ? csvHeaders(query) : { ...JSON_HEADERS, Vary: 'Accept' };
  if (request.method === 'HEAD') return { headers, body: null };
  const { limit = Number.POSITIVE_INFINITY, after, sensor, from, to } = query;
  // Pages ask for at most this many, and often many pages at once.
  const isCached = format === 'json' && limit <= HISTORY_LIMIT && from === undefined && to === undefined;
  const answer = async (signal: AbortSignal) => {
    const store = getStore(signal);
    try {
      if (isCached) {
        const load = () => store.newest(limit, { after, sensor });
        const answer = await cachedJson(request, await store.version?.(), load);
        return { ...answer, headers: { ...answer.headers, Vary: 'Accept, Accept-Encoding' } };
      }
      const [pages, form] = [store.read(query), format === 'csv' ? CSV_FORMAT : JSON_FORMAT];
      return { headers, body: await streamPages(pages, form) };
    } catch (error) {
      return problem(refusalOf(error));
    }
  };
  return answerInTurn(request, answer, !isCached);
});

/** POST /api/data: stores one reading, or several as JSON, CSV or NDJSON. */
export const action = apiFunction(async (request) => {
  const refusal = refuseWrite(request);
  return refusal ? problem(refusal) : writeResponse(await takePost(getStore(), request));
});
