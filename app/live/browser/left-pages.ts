import { hearReadings } from '../../readings/heard-sensors';
import type { InitialReadings } from '../initial-readings';
import { addFetched, type PageState, startPage } from './page-state';

/** The most pages that are kept: a chart of every sensor would take much memory. */
const MAX_LEFT = 8;

/**
 * The states of pages that were left within the app, the latest last, by their sensor and by how many readings they
 * keep: that differs from page to page. Empty while a document hydrates, which has to match what the server rendered.
 */
const leftPages = new Map<string, PageState>();

const keyOf = (sensor: string, capacity: number) => `${capacity} ${sensor}`;

/** Keeps the state of a page that is left, so that going back to it doesn't start over. One that starts empty does. */
export function leavePage(page: PageState): void {
  if (page.floor !== 0) return;
  const key = keyOf(page.sensor, page.history.capacity);
  leftPages.delete(key);
  leftPages.set(key, page);
  const [oldest = key] = leftPages.keys();
  if (leftPages.size > MAX_LEFT) leftPages.delete(oldest);
}

/**
 * Returns the state of a page that is opened: as it was left, with what the server has just sent added, or that alone if
 * there is nothing to continue.
 *
 * @param viewerTime the viewer's clock, see `ServerClock`
 */
export function openPage(initial: InitialReadings, capacity: number, viewerTime: number): PageState {
  const started = startPage(initial, capacity, viewerTime);
  const left = initial.startsEmpty ? undefined : leftPages.get(keyOf(initial.sensor, capacity));
  if (!left || left.newestId === null) return started;
  const { clock, connection, isChosen } = started;
  const { history, newestId } = left;
  const { sensors, lastStored = [] } = initial;
  const readings = [...initial.readings, ...lastStored];
  const [last, lastSent] = [history.readings.at(-1), initial.readings.at(-1)];
  // Without a common reading there may be others between those of the page and these, or the table was emptied.
  const isJoined =
    initial.newestId === null || last?.id === lastSent?.id || readings.some(({ id }) => id === last?.id);
  if (!isJoined) return started;
  // Late readings that were stored meanwhile come with the catch-up, which begins where the page was left.
  const missing = { limit: Number.POSITIVE_INFINITY, after: newestId, isFullHistory: false };
  const page = addFetched(left, { readings, sensors, clock }, missing);
  const { newest, isUnread } = left;
  return { ...page, newestId, newest, isUnread, isChosen, connection };
}

/**
 * Leaves a page for the one of another sensor, whose readings the server has just sent. The feed and the clocks go on.
 *
 * @param viewerTime the viewer's clock, see `ServerClock`
 */
export function switchSensor(page: PageState, initial: InitialReadings, viewerTime: number): PageState {
  leavePage(page);
  const opened = openPage(initial, page.history.capacity, viewerTime);
  const { clock, leadsMs, connection } = page;
  const heard = page.sensors.map(({ newest }) => newest);
  return {
    ...opened,
    clock,
    leadsMs,
    connection,
    sensors: hearReadings(opened.sensors, heard, opened.sensor),
  };
}
