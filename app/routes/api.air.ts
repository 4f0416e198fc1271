import { airRules, judgedNow, notGood, notificationOf } from '../alerts/air-now.server';
import type { ApiHandler } from '../http/answer';
import { JSON_HEADERS, jsonResponse } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'before', 'zone');

/** GET /api/air: the sensors whose air isn't good, or one sensor with the notification for its change. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  if (request.method === 'HEAD') return { headers: JSON_HEADERS, body: null };
  const { sensor, before = 'good', zone = 'UTC' } = parsed.query;
  return answerInTurn(request, async () => {
    // Not cancelled with the request, because other requests share the result.
    const judged = await judgedNow(getStore());
    const [rules, now] = [airRules(), Date.now()];
    if (sensor === undefined) return jsonResponse(notGood(judged, rules, now));
    return jsonResponse([await notificationOf(judged, { sensor, before, zone }, rules, now)].filter(Boolean));
  });
};
