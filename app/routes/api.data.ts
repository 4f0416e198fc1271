import { type ApiResponse, JSON_HEADERS, jsonResponse } from '../http/api-handler.server';
import { apiFunction } from '../http/api-route.server';
import { CSV_FORMAT } from '../http/csv-format.server';
import { csvHeaders } from '../http/csv-headers.server';
import { JSON_FORMAT } from '../http/json-format.server';
import { preferredFormat } from '../http/preferred-format.server';
import { problem, unavailable } from '../http/problem.server';
import { readJson } from '../http/read-json.server';
import { readingQueryParser } from '../http/reading-query.server';
import { cachedJson } from '../http/response-cache.server';
import { streamPages } from '../http/stream-pages.server';
import { notePost } from '../ingest/device-posts.server';
import { parseReading } from '../ingest/parse-reading.server';
import { rememberAddress, returnRoom, takeRoom } from '../ingest/post-rate.server';
import { refuseWrite } from '../ingest/write-access.server';
import { HISTORY_LIMIT } from '../readings/range';
import { getStore } from '../store/open-store.server';
import { ReadingRejectedError, StoreUnavailableError } from '../store/reading-store';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'limit', 'after', 'format');

/** GET /api/data: readings as a JSON array or as CSV, oldest first. */
export const loader = apiFunction(async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return problem({ status: 400, detail: 'The query is invalid.', errors: parsed.errors });
  const { format = preferredFormat(request), ...query } = parsed.query;
  const headers = format === 'csv' ? csvHeaders(query) : { ...JSON_HEADERS, Vary: 'Accept' };
  if (request.method === 'HEAD') return { headers, body: null };
  const store = getStore();
  const { limit = Number.POSITIVE_INFINITY, after, sensor, from, to } = query;
  try {
    if (format === 'csv') return { headers, body: await streamPages(store.read(query), CSV_FORMAT) };
    // Pages ask for at most this many, and often many pages at once.
    if (limit <= HISTORY_LIMIT && from === undefined && to === undefined) {
      const load = () => store.newest(limit, { after, sensor });
      const answer = await cachedJson(request, await store.version?.(), load);
      return { ...answer, headers: { ...answer.headers, Vary: 'Accept, Accept-Encoding' } };
    }
    return { headers, body: await streamPages(store.read(query), JSON_FORMAT) };
  } catch (error) {
    return failureResponse(error);
  }
});

/** POST /api/data: stores one reading. */
export const action = apiFunction(async (request) => {
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const body = await readJson(request);
  if (!body.ok) return problem(body);
  const parsed = parseReading(body.value);
  if (!parsed.ok) return problem({ status: 400, detail: 'The reading is invalid.', errors: parsed.errors });
  const address = request.address();
  const noRoom = takeRoom(address);
  if (noRoom) return problem(noRoom);
  try {
    const stored = await getStore().insert(parsed.reading);
    rememberAddress(address);
    notePost(request.header);
    return jsonResponse(stored, { status: 201 });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError && error.mayBeStored)) returnRoom(address);
    return failureResponse(error);
  }
});

function failureResponse(error: unknown): ApiResponse {
  if (error instanceof ReadingRejectedError) return problem({ status: 400, detail: error.message });
  if (!(error instanceof StoreUnavailableError)) throw error;
  return unavailable(error.message, error.retryAfterSeconds, error.mayBeStored);
}
