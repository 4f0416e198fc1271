import type { ApiHandler } from '../http/answer';
import { cachedJson, JSON_HEADERS } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser();

/** The most sensors in an answer: the default of `MAX_SENSORS`. */
const SENSOR_LIMIT = 5000;

/** GET /api/sensors: the sensors with the newest readings, newest first. */
export const loader: ApiHandler = async (request) => {
  const query = parseQuery(request.url.searchParams);
  if (!query.ok) return invalidQuery(query.errors);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  return answerInTurn(request, async (signal) => {
    const store = getStore(signal);
    return cachedJson(request, await store.version?.(), () => store.sensors(SENSOR_LIMIT));
  });
};
