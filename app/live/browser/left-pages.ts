import type { InitialReadings } from '../initial-readings';
import { addFetched, type PageState, startPage } from './page-state';

/**
 * The states of pages that were left within the app, by how many readings they keep: that differs from page to page.
 * Empty while a document hydrates, which has to match what the server rendered.
 */
const leftPages = new Map<number, PageState>();

/** Keeps the state of a page that is left, so that going back to it doesn't start over. One that starts empty does. */
export function leavePage(page: PageState): void {
  if (page.floor === 0) leftPages.set(page.history.capacity, page);
}

/**
 * Returns the state of a page that is opened: as it was left, with what the server has just sent added, or that alone if
 * there is nothing to continue.
 *
 * @param viewerTime the viewer's clock, see `ServerClock`
 */
export function openPage(initial: InitialReadings, capacity: number, viewerTime: number): PageState {
  const started = startPage(initial, capacity, viewerTime);
  const left = initial.startsEmpty ? undefined : leftPages.get(capacity);
  if (!left || left.history.newestId === null) return started;
  const { clock, connection } = started;
  const { newestId } = left.history;
  const sent = [...initial.readings, ...(initial.lastStored ?? [])];
  // Without a common reading there may be others between those of the page and these, or the table was emptied.
  const isJoined = initial.newestId === null || sent.some(({ id }) => id === newestId);
  if (!isJoined) return { ...started, isLoading: left.isLoading && initial.newestId === newestId };
  return {
    ...addFetched(
      left,
      { readings: sent, clock },
      { limit: capacity, after: newestId, isFullHistory: false },
    ),
    connection,
  };
}
