import { historySteps } from '../history/history-steps.server';
import { asPostedStore } from '../history/posted-roll-ups.server';
import { spanRoute } from '../history/span-route.server';
import { readingQueryParser } from '../http/query.server';
import { getSettings, settingsFor } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to', 'step', 'points', 'zone', 'raw');

/** GET /api/history: a sensor's history over a span, in steps, oldest first. */
export const loader = spanRoute(parseQuery, ({ store, span, query: { raw, ...query }, now }) => {
  const settings = getSettings();
  const isCorrected = settings.of(span.sensor).corrections.length > 0 || settings.isRecomputing(span.sensor);
  const source = raw && isCorrected ? asPostedStore(store) : store;
  return historySteps(source, span, query, settingsFor(span.sensor).thresholds, now);
});
