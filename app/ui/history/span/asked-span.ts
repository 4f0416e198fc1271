import { type AskedSpan, openingSpan, type SpanContext } from '../../../readings/time/history-span';
import { parseSpan, SPAN_PARAMETERS } from '../../../readings/time/span-address';

/** Returns the span of an address. The server rejects a wrong one before a page is shown. */
export function askedSpan(search: string, context: SpanContext): AskedSpan {
  const query = new URLSearchParams(search);
  try {
    if (SPAN_PARAMETERS.some((name) => query.get(name))) return parseSpan(query);
  } catch {}
  return openingSpan(context);
}
