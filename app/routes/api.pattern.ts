import { getEnv } from '../config/env.server';
import { askedSpan, maxAgeSeconds } from '../history/asked-span.server';
import { computePattern } from '../history/pattern.server';
import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { readingQueryParser } from '../http/query.server';
import { answerInTurn } from '../http/read-gate.server';
import { getStore } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'zone', 'by');

/** GET /api/pattern: the hours or days of a span in a time zone, and the span's typical day. */
export const loader: ApiHandler = async (request) => {
  const parsed = parseQuery(request.url.searchParams);
  if (!parsed.ok) return invalidQuery(parsed.errors);
  const { zone = 'UTC', by, ...query } = parsed.query;
  return answerInTurn(request, async (signal) => {
    const now = Date.now();
    const store = getStore(signal);
    const span = await askedSpan(store, query, now);
    if (!span.ok) return invalidQuery(span.errors);
    const pattern = await computePattern(store, span.value, { zone, by }, getEnv().thresholds);
    if (!pattern.ok) return invalidQuery(pattern.errors);
    const { answer, end } = pattern.value;
    return conditionalJson(request, answer, maxAgeSeconds(end, now));
  });
};
