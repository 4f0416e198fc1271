import { getEnv } from '../config/env.server';
import { elapsedPart, elapsedTime } from '../history/asked-span.server';
import { spanRoute } from '../history/span-route.server';
import { summarize } from '../history/summarize.server';
import { readingQueryParser } from '../http/query.server';

const parseQuery = readingQueryParser('sensor', 'from', 'to');

/** GET /api/summary: the lowest, average and highest values of a span, and its time in each level. */
export const loader = spanRoute(parseQuery, async ({ store, span, now }) => {
  const part = elapsedPart(span, await elapsedTime(store, span.sensor, now));
  const answer = await summarize(store, part, getEnv().thresholds);
  return { ok: true, value: { answer, end: span.to } };
});
