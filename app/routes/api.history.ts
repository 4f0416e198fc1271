import { getEnv } from '../config/env.server';
import { askedSpan, maxAgeSeconds } from '../history/asked-span.server';
import { historySteps } from '../history/history-steps.server';
import { apiFunction } from '../http/api-route.server';
import { conditionalJson } from '../http/conditional-json.server';
import { invalidQuery, problem } from '../http/problem.server';
import { answerInTurn } from '../http/read-gate.server';
import { readingQueryParser } from '../http/reading-query.server';
import { refusalOf } from '../ingest/write-refusal';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'step', 'points');

/** GET /api/history: a span of a sensor's history in steps, oldest first. */
export const loader = apiFunction(async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { step, points, ...query } = parsed.query;
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    try {
      const span = await askedSpan(store, query, now);
      if (!span.ok) return invalidQuery(span.errors);
      const history = await historySteps(store, span.value, { step, points }, getEnv().thresholds, now);
      if (!history.ok) return invalidQuery(history.errors);
      const { answer, end } = history.value;
      return await conditionalJson(request, answer, maxAgeSeconds(end, now));
    } catch (error) {
      return problem(refusalOf(error));
    }
  });
});
