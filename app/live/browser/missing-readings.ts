import type { Purpose } from './follow-state';
import type { LiveFeed } from './live-feed';
import { isWhole, type MissingReadings, type PageState } from './page-state';

/** How many missed readings of all sensors a page asks for at least. If there are more, it fetches its history again. */
const CATCH_UP_LIMIT = 1000;

/** Returns the query for the readings that a page lacks: of a long history the newest part, unless it wants the rest. */
export function missingReadings(
  page: PageState,
  { lookback, firstPart }: Pick<LiveFeed, 'lookback' | 'firstPart'>,
  purpose: Purpose = 'catch-up',
): MissingReadings {
  const { history, floor, newestId, newest } = page;
  if (floor === null) return { limit: 1, after: 0, withSensors: true, isFullHistory: false };
  if (newestId === null || !isWhole(page)) return missingHistory(page, floor, firstPart, purpose);
  const after = Math.max(newestId - lookback, floor);
  const limit = Math.max(history.capacity, CATCH_UP_LIMIT);
  return { limit, after, isFullHistory: false, known: after < newestId ? newest : undefined };
}

/**
 * The readings of one sensor don't show what the others have stored: the list of sensors does. While the page knows no
 * other sensor it asks for all readings, which shows that there is none.
 */
function missingHistory(
  { history, sensor, sensors, newestId, isUnread }: PageState,
  floor: number,
  firstPart: number,
  purpose: Purpose,
): MissingReadings {
  const { capacity: limit, count } = history;
  const hasOthers = sensors.some(({ name }) => name !== sensor);
  const isLong = limit > firstPart && (newestId === null || isUnread || count > firstPart);
  const isPart = isLong && floor === 0 && purpose !== 'rest';
  return {
    limit: isPart ? firstPart : limit,
    after: floor > 0 ? floor : undefined,
    sensor: hasOthers ? sensor : undefined,
    withSensors: isUnread || (hasOthers && purpose !== 'rest') || undefined,
    isFullHistory: !isPart,
  };
}
