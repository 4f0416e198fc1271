import { type Answer, apiFunction, JSON_HEADERS, jsonAnswer } from '../http/api-route.server';
import { keptJson } from '../http/kept-json.server';
import { problem, unavailable } from '../http/problem.server';
import { readJson } from '../http/read-json.server';
import { parseReadingQuery } from '../http/reading-query.server';
import { streamJsonArray } from '../http/stream-json.server';
import { refuseWrite } from '../http/write-access.server';
import { parseReading } from '../readings/parse-reading';
import { HISTORY_LIMIT } from '../readings/ranges';
import { ReadingRefused } from '../store/reading-refused.server';
import { getStore } from '../store/store.server';
import { StoreUnavailable } from '../store/store-unavailable.server';

/** GET /api/data: readings as a JSON array, oldest first. */
export const loader = apiFunction(async (request) => {
  const query = parseReadingQuery(request.url.searchParams);
  if (!query.ok) return problem({ status: 400, detail: 'The query is wrong.', errors: query.errors });
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  const store = getStore();
  const { limit = Number.POSITIVE_INFINITY, after } = query.query;
  try {
    // What pages ask for is short, and many ask at once.
    if (limit <= HISTORY_LIMIT)
      return await keptJson(request, await store.version?.(), () => store.newest(limit, after));
    return { headers: JSON_HEADERS, body: await streamJsonArray(store.read(query.query)) };
  } catch (error) {
    return answerFailure(error);
  }
});

/** POST /api/data: stores one reading. */
export const action = apiFunction(async (request) => {
  const refusal = refuseWrite(request);
  if (refusal) return problem(refusal);
  const body = await readJson(request);
  if (!body.ok) return problem(body);
  const parsed = parseReading(body.value);
  if (!parsed.ok) return problem({ status: 400, detail: 'The reading was refused.', errors: parsed.errors });
  try {
    const stored = await getStore().insert(parsed.reading);
    return jsonAnswer(stored, { status: 201 });
  } catch (error) {
    return answerFailure(error);
  }
});

function answerFailure(error: unknown): Answer {
  if (error instanceof ReadingRefused) return problem({ status: 400, detail: error.message });
  if (!(error instanceof StoreUnavailable)) throw error;
  return unavailable(error.message, error.retryAfterSeconds, error.mayBeStored);
}
