import { type ApiResponse, JSON_HEADERS, jsonResponse } from '../http/api-handler.server';
import { apiFunction } from '../http/api-route.server';
import { problem, unavailable } from '../http/problem.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { cachedJson } from '../http/response-cache.server';
import { streamJsonArray } from '../http/stream-json.server';
import { postBatch } from '../ingest/post-batch.server';
import { postReading } from '../ingest/post-reading.server';
import { receiveBody } from '../ingest/receive-body.server';
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

/** POST /api/data: stores one reading, or several as JSON, CSV or NDJSON. */
export const action = apiFunction((request) => {
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  return receiveBody(request, async (received) => {
    if (!received.ok) return problem(received);
    const { body } = received;
    const answer =
      body.format === 'reading'
        ? await postReading(getStore(), request, body.bytes)
        : await postBatch(getStore(), request, body);
    return answer.ok ? jsonResponse(answer.value, { status: answer.status }) : problem(answer);
  });
});

function failureResponse(error: unknown): ApiResponse {
  if (error instanceof ReadingRejectedError) return problem({ status: 400, detail: error.message });
  if (!(error instanceof StoreUnavailableError)) throw error;
  return unavailable(error.message, error.retryAfterSeconds, error.mayBeStored);
}
