import type { ApiHandler } from '../http/answer';
import { conditionalJson } from '../http/json-response.server';
import { invalidQuery } from '../http/problem.server';
import { answerInTurn } from '../http/read-gate.server';
import type { FieldError } from '../readings/field-error';
import { getStore } from '../store/open-store.server';
import type { ReadingStore } from '../store/reading-store';
import { askedSpan, maxAgeSeconds, type Span, type SpanAnswer, type SpanQuery } from './asked-span.server';

interface Asked<Query> {
  /** Its reads end when all clients have left. */
  store: ReadingStore;
  span: Span;
  query: Query;
  /** The server's clock in milliseconds since 1970. */
  now: number;
}

type Parser<Query> = (
  parameters: URLSearchParams,
) => { ok: true; query: Query } | { ok: false; errors: FieldError[] };

/**
 * Returns the handler of a question about a span of one sensor's history. `answer` returns the answer, and the span's
 * end in seconds since 1970: the answer to a span in the past may be cached.
 */
export function spanRoute<Query extends SpanQuery>(
  parseQuery: Parser<Query>,
  answer: (asked: Asked<Query>) => Promise<SpanAnswer<{ answer: unknown; end: number }>>,
): ApiHandler {
  return async (request) => {
    const parsed = parseQuery(request.url.searchParams);
    if (!parsed.ok) return invalidQuery(parsed.errors);
    const { query } = parsed;
    return answerInTurn(request, async (signal) => {
      const now = Date.now();
      const store = getStore(signal);
      const span = await askedSpan(store, query, now);
      if (!span.ok) return invalidQuery(span.errors);
      const result = await answer({ store, span: span.value, query, now });
      if (!result.ok) return invalidQuery(result.errors);
      return conditionalJson(request, result.value.answer, maxAgeSeconds(result.value.end, now));
    });
  };
}
