import { elapsedPart, elapsedTime } from '../history/asked-span.server';
import { spanRoute } from '../history/span-route.server';
import { summarize } from '../history/summarize.server';
import { readingQueryParser } from '../http/query.server';
import { settingsFor } from '../store/open-store.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to');

/** GET /api/summary: the lowest, average and highest values of a span, and its time in each level. */
export const loader = spanRoute(parseQuery, async ({ store, span, now }) => {
  const part = elapsedPart(span, await elapsedTime(store, span.sensor, now));
  const answer = await summarize(store, part, settingsFor(span.sensor).thresholds);
  return { ok: true, value: { answer, end: span.to } };
});
