import { historySteps } from '../history/history-steps.server';
import { spanRoute } from '../history/span-route.server';
import { readingQueryParser } from '../http/query.server';
import { settingsFor } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'step', 'points', 'zone');

/** GET /api/history: a sensor's history over a span, in steps, oldest first. */
export const loader = spanRoute(parseQuery, ({ store, span, query, now }) =>
  historySteps(store, span, query, settingsFor(span.sensor).thresholds, now),
);
