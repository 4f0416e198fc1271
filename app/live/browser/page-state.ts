import { addReadings, catchUp, type History, isComplete, startHistory } from '../../readings/history';
import type { Reading } from '../../readings/reading';
import type { InitialReadings } from '../initial-readings';
import type { Connection } from './connection';
import type { FetchedReadings } from './fetch-readings';
import type { ServerClock } from './server-clock';

/** What a page knows about the store and its connection to it. */
export interface PageState {
  history: History;
  /** True while subscribing; the first insert clears it (specification, section 4). */
  isLoading: boolean;
  /** The page shows readings above this id. Null on a page that starts empty while the newest id is unknown. */
  floor: number | null;
  connection: Connection;
  clock: ServerClock;
}

/** `viewerTime` is `performance.now()`, `time` is `Date.now()`. */
export type PageAction =
  | { type: 'hydrated'; viewerTime: number }
  | { type: 'inserted'; reading: Reading }
  | { type: 'fetched'; fetched: FetchedReadings; isFullHistory: boolean; viewerTime: number }
  | { type: 'connected' }
  | { type: 'disconnected'; reason?: string; time: number };

/** The query for the readings that a page lacks. `isFullHistory` if that is everything, up to the capacity. */
export interface MissingReadings {
  limit: number;
  after?: number;
  isFullHistory: boolean;
}

/** Returns the state that a page is rendered with, on the server and in the browser. */
export function startPage(initial: InitialReadings, capacity: number): PageState {
  return {
    history: startHistory(initial, capacity),
    isLoading: true,
    floor: initial.startsEmpty ? initial.newestId : 0,
    connection: { state: 'connecting' },
    clock: { serverTime: initial.serverTime, viewerTime: null },
  };
}

/** Returns the state after an action; the same object if nothing changed. */
export function reducePage(page: PageState, action: PageAction): PageState {
  switch (action.type) {
    case 'hydrated':
      return { ...page, clock: { ...page.clock, viewerTime: page.clock.viewerTime ?? action.viewerTime } };
    case 'inserted': {
      const history = addReadings(page.history, [action.reading]);
      return history === page.history && !page.isLoading ? page : { ...page, history, isLoading: false };
    }
    case 'fetched':
      return reduceFetched(page, action);
    case 'connected':
      return { ...page, connection: { state: 'live' } };
    case 'disconnected': {
      const since = page.connection.state === 'disconnected' ? page.connection.since : action.time;
      return { ...page, connection: { state: 'disconnected', since, reason: action.reason } };
    }
  }
}

function reduceFetched(page: PageState, action: PageAction & { type: 'fetched' }): PageState {
  const { readings, serverTime } = action.fetched;
  const clock = serverTime === null ? page.clock : { serverTime, viewerTime: action.viewerTime };
  const known = page.history.newestId;
  if (page.floor === null) {
    // The server didn't know where this empty page begins. The newest stored reading now says it.
    const floor = Math.max(0, ...readings.map(({ id }) => id));
    return { ...page, clock, floor, history: { ...page.history, newestId: known ?? floor } };
  }
  const history = catchUp(page.history, readings, action.isFullHistory);
  // A reading above the newest known id was inserted after the page was rendered.
  const isLoading = page.isLoading && (known === null || history.newestId === known);
  return { ...page, clock, history, isLoading };
}

/**
 * Returns the query for the readings that a page lacks.
 *
 * @param lookback how many ids below the newest one a new row may still appear
 */
export function missingReadings({ history, floor }: PageState, lookback: number): MissingReadings {
  const limit = history.capacity;
  if (floor === null) return { limit: 1, isFullHistory: false };
  if (history.newestId === null || !isComplete(history)) return { limit, isFullHistory: true };
  return { limit, after: Math.max(history.newestId - lookback, floor), isFullHistory: false };
}
