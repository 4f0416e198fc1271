import { computePattern } from '../history/pattern.server';
import { spanRoute } from '../history/span-route.server';
import { readingQueryParser } from '../http/query.server';
import { settingsFor } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'zone', 'by');

/** GET /api/pattern: the hours or days of a span in a time zone, and the span's typical day. */
export const loader = spanRoute(parseQuery, ({ store, span, query: { zone = 'UTC', by } }) =>
  computePattern(store, span, { zone, by }, settingsFor(span.sensor).thresholds),
);
