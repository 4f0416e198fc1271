import { getEnv } from '../config/env.server';
import { askedSpan, maxAgeSeconds } from '../history/asked-span.server';
import { historySteps } from '../history/history-steps.server';
import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'step', 'points', 'zone');

/** GET /api/history: a sensor's history over a span, in steps, oldest first. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { step, points, zone, ...query } = parsed.query;
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    const span = await askedSpan(store, query, now);
    if (!span.ok) return invalidQuery(span.errors);
    const history = await historySteps(store, span.value, { step, points, zone }, getEnv().thresholds, now);
    if (!history.ok) return invalidQuery(history.errors);
    const { answer, end } = history.value;
    return conditionalJson(request, answer, maxAgeSeconds(end, now));
  });
};
