import { getEnv } from '../config/env.server';
import { askedSpan, elapsedPart, elapsedTime, maxAgeSeconds } from '../history/asked-span.server';
import { summarize } from '../history/summarize.server';
import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to');

/** GET /api/summary: the lowest, average and highest values of a span, and its time in each level. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    const span = await askedSpan(store, parsed.query, now);
    if (!span.ok) return invalidQuery(span.errors);
    const part = elapsedPart(span.value, await elapsedTime(store, span.value.sensor, now));
    const summary = await summarize(store, part, getEnv().thresholds);
    return conditionalJson(request, summary, maxAgeSeconds(span.value.to, now));
  });
};
