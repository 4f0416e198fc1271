import { CLOCK_TOLERANCE_MS } from '../../readings/freshness';
import { addReadings, catchUp, type History, isComplete, startHistory } from '../../readings/history';
import type { Reading } from '../../readings/reading';
import type { InitialReadings } from '../initial-readings';
import type { Connection } from './connection';
import type { FetchedReadings } from './fetch-readings';
import type { Report } from './follow-rules';
import { type ServerClock, serverTimeAt } from './server-clock';

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

/** The query for the readings that a page lacks. `isFullHistory` if that is everything, up to the capacity. */
export interface MissingReadings {
  limit: number;
  after?: number;
  isFullHistory: boolean;
}

/** Returns the state that a page is rendered with. `viewerTime` is the viewer's clock, see `ServerClock`. */
export function startPage(initial: InitialReadings, capacity: number, viewerTime: number): PageState {
  return {
    history: startHistory(initial, capacity),
    isLoading: true,
    floor: initial.startsEmpty ? initial.newestId : 0,
    connection: { state: 'connecting' },
    clock: { serverTime: initial.serverTime, viewerTime },
  };
}

/** Adds an insert, which ends the loading. */
export function addInsert(page: PageState, reading: Reading): PageState {
  return { ...page, history: addReadings(page.history, [reading]), isLoading: false };
}

/** Adds fetched readings. One above the newest known id was inserted since the page was rendered. */
export function addFetched(
  page: PageState,
  { readings, clock = page.clock }: FetchedReadings,
  isFullHistory: boolean,
): PageState {
  const { floor, isLoading } = page;
  const known = page.history.newestId;
  if (floor === null) {
    // The server didn't know where this empty page begins. The newest stored reading now says it.
    const newestId = Math.max(0, ...readings.map(({ id }) => id));
    return { ...page, clock, floor: newestId, history: { ...page.history, newestId: known ?? newestId } };
  }
  const history = catchUp(page.history, readings, isFullHistory);
  return {
    ...page,
    clock,
    history,
    isLoading: isLoading && (known ?? history.newestId) === history.newestId,
  };
}

/** Returns true if a reading that has just arrived was stored at about the time `now` of the viewer's clock. */
export function fitsClock({ clock }: PageState, { created_at }: Reading, now: number): boolean {
  return Math.abs(Date.parse(created_at) - serverTimeAt(clock, now)) <= CLOCK_TOLERANCE_MS;
}

/** Sets the connection. A page stays disconnected since the first failure; `time` is the time of day. */
export function setConnection(page: PageState, { isLive, reason }: Report, time: number): PageState {
  const since = page.connection.state === 'disconnected' ? page.connection.since : time;
  return { ...page, connection: isLive ? { state: 'live' } : { state: 'disconnected', since, reason } };
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
