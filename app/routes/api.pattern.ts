import { getEnv } from '../config/env.server';
import { askedSpan, maxAgeSeconds } from '../history/asked-span.server';
import { computePattern } from '../history/pattern.server';
import { apiFunction } from '../http/api-route.server';
import { conditionalJson } from '../http/conditional-json.server';
import { invalidQuery, problem } from '../http/problem.server';
import { answerInTurn } from '../http/read-gate.server';
import { readingQueryParser } from '../http/reading-query.server';
import { refusalOf } from '../ingest/write-refusal';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'zone', 'by');

/** GET /api/pattern: the hours or days of a span by the clocks of a time zone, and its typical day. */
export const loader = apiFunction(async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { zone = 'UTC', by, ...query } = parsed.query;
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    try {
      const span = await askedSpan(store, query, now);
      if (!span.ok) return invalidQuery(span.errors);
      const pattern = await computePattern(store, span.value, { zone, by }, getEnv().thresholds);
      if (!pattern.ok) return invalidQuery(pattern.errors);
      const { answer, end } = pattern.value;
      return await conditionalJson(request, answer, maxAgeSeconds(end, now));
    } catch (error) {
      return problem(refusalOf(error));
    }
  });
});
