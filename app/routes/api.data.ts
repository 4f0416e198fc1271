import { type ApiResponse, JSON_HEADERS, jsonResponse } from '../http/api-handler.server';
import { apiFunction } from '../http/api-route.server';
import { problem, unavailable } from '../http/problem.server';
import { readJson } from '../http/read-json.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { cachedJson } from '../http/response-cache.server';
import { streamJsonArray } from '../http/stream-json.server';
import { notePost } from '../ingest/device-posts.server';
import { parseReading } from '../ingest/parse-reading.server';
import { rememberAddress, returnRoom, takeRoom } from '../ingest/post-rate.server';
import { refuseWrite } from '../ingest/write-access.server';
import { HISTORY_LIMIT } from '../readings/range';
import { getStore } from '../store/open-store.server';
import { ReadingRejectedError, StoreUnavailableError } from '../store/reading-store';

/** GET /api/data: readings as a JSON array, oldest first. */
export const loader = apiFunction(async (request) => {
  const query = parseReadingQuery(request.url.searchParams);
  if (!query.ok) return problem({ status: 400, detail: 'The query is invalid.', errors: query.errors });
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  const store = getStore();
  const { limit = Number.POSITIVE_INFINITY, after } = query.query;
  try {
    // Pages ask for at most this many, and often many pages at once.
    if (limit <= HISTORY_LIMIT) {
      return await cachedJson(request, await store.version?.(), () => store.newest(limit, after));
    }
    return { headers: JSON_HEADERS, body: await streamJsonArray(store.read(query.query)) };
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
