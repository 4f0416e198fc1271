import { JSON_HEADERS } from '../http/api-handler.server';
import { apiFunction } from '../http/api-route.server';
import { invalidQuery, problem } from '../http/problem.server';
import { answerInTurn } from '../http/read-gate.server';
import { readingQueryParser } from '../http/reading-query.server';
import { cachedJson } from '../http/response-cache.server';
import { refusalOf } from '../ingest/write-refusal';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser();

/** GET /api/sensors: every sensor with its newest reading, the one that was heard last first. */
export const loader = apiFunction(async (request) => {
  const query = parseQuery(request.url.searchParams);
  if (!query.ok) return invalidQuery(query.errors);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  return answerInTurn(request, async (signal) => {
    const store = getStore(signal);
    try {
      return await cachedJson(request, await store.version?.(), () => store.sensors());
    } catch (error) {
      return problem(refusalOf(error));
    }
  });
});
