import type { PageNumbers } from '../readings/history/history-answer';
import type { Thresholds } from '../readings/metric';
import type { ShownSensor } from '../readings/sensor';
import { resolveSpan } from '../readings/time/history-span';
import { spanInAddress } from '../readings/time/span-address';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { elapsedPart } from './asked-span.server';
import { summarize } from './summarize.server';

/**
 * Returns the numbers of the span in a page's address, for browsers without JavaScript. A day begins at midnight in the
 * server's time zone, because the viewer's is unknown. Returns null without readings, or if the store can't be reached.
 *
 * @param now the server's clock in milliseconds since 1970
 */
export async function pageNumbers(
  store: ReadingStore,
  { sensor, sensors }: ShownSensor,
  search: string,
  thresholds: Thresholds,
  now: number,
): Promise<PageNumbers | null> {
  const known = sensors.find(({ name }) => name === sensor);
  if (!known) return null;
  const [first, last] = [Date.parse(known.first_heard), Date.parse(known.last_heard)];
  const context = { now, first, last };
  const span = resolveSpan(spanInAddress(search, context), context);
  const inSeconds = (ms: number) => Math.floor(ms / 1000);
  const part = elapsedPart(
    { sensor, from: inSeconds(span.from), to: Math.ceil(span.to / 1000) },
    { from: inSeconds(first), to: inSeconds(now) + 1 },
  );
  try {
    return { ...span, now, first, summary: await summarize(store, part, thresholds) };
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}
