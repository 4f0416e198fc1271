import { CLOCK_TOLERANCE_MS } from '../../readings/freshness';
import { addReadings, catchUp, type History, isComplete, startHistory } from '../../readings/history';
import type { Reading } from '../../readings/reading';
import type { InitialReadings } from '../initial-readings';
import type { Connection } from './connection';
import type { FetchedReadings } from './fetch-readings';
import type { Purpose, Report } from './follow-state';
import type { LiveFeed } from './live-feed';
import { type ServerClock, serverTimeAt } from './server-clock';

/** The server's clock is read to the second, and answers take time. A larger difference is a jump. */
const JUMP_MS = 5000;
/** How many of the newest inserts tell the lead of the clock that timed them. */
const LEADS = 10;

/** What a page knows about the store and its connection to it. */
export interface PageState {
  history: History;
  /** True while subscribing; the first insert clears it (specification, section 4). */
  isLoading: boolean;
  /** The page shows readings above this id. Null on a page that starts empty while the newest id is unknown. */
  floor: number | null;
  connection: Connection;
  clock: ServerClock;
  /** How far the clock that times the readings was ahead of the server's at the newest inserts, in milliseconds. */
  leadsMs: readonly number[];
}

/** The query for the readings that a page lacks. `isFullHistory` if that is everything, up to the capacity. */
export interface MissingReadings {
  limit: number;
  after?: number;
  isFullHistory: boolean;
  /** A reading that the answer contains, unless the table was emptied. */
  known?: Reading;
}

/** Returns the state that a page is rendered with. `viewerTime` is the viewer's clock, see `ServerClock`. */
export function startPage(initial: InitialReadings, capacity: number, viewerTime: number): PageState {
  return {
    history: startHistory(initial, capacity),
    isLoading: true,
    floor: initial.startsEmpty ? initial.newestId : 0,
    connection: { state: 'connecting' },
    clock: { serverTime: initial.serverTime, viewerTime },
    leadsMs: [],
  };
}

/**
 * Adds an insert, which ends the loading.
 *
 * @param stored the clock that timed the reading, and when it arrived; undefined if that is the server's clock
 */
export function addInsert(page: PageState, reading: Reading, stored?: ServerClock): PageState {
  const lead = stored ? [stored.serverTime - serverTimeAt(page.clock, stored.viewerTime)] : [];
  const history = addReadings(page.history, [reading]);
  return {
    ...page,
    history: page.history.newestId === null && page.floor !== null ? withUnknownRest(history) : history,
    isLoading: false,
    leadsMs: [...page.leadsMs, ...lead].slice(-LEADS),
  };
}

/** Adds fetched readings. One above the newest known id was inserted since the page was rendered. */
export function addFetched(
  page: PageState,
  { readings, clock = page.clock }: FetchedReadings,
  missing: MissingReadings,
): PageState {
  const { floor, isLoading } = page;
  // A lead that was measured while the viewer's clock stood still, in a sleep, is wrong.
  const jumpMs = Math.abs(clock.serverTime - serverTimeAt(page.clock, clock.viewerTime));
  const leadsMs = jumpMs > JUMP_MS ? [] : page.leadsMs;
  if (wasEmptied(readings, missing)) {
    const history = startHistory({ readings: [], count: 0, newestId: null }, page.history.capacity);
    // Whatever the table holds now was stored after the page was opened.
    return { ...page, clock, leadsMs, history, floor: 0 };
  }
  const known = page.history.newestId;
  if (floor === null) {
    // The server didn't know where this empty page begins. The newest stored reading now says it.
    const newestId = Math.max(0, ...readings.map(({ id }) => id));
    return {
      ...page,
      clock,
      leadsMs,
      floor: newestId,
      history: { ...page.history, newestId: known ?? newestId },
    };
  }
  const history = catchUp(page.history, readings, missing.isFullHistory);
  const isPart = missing.after === undefined && !missing.isFullHistory;
  return {
    ...page,
    clock,
    leadsMs,
    history: isPart ? withUnknownRest(history) : history,
    isLoading: isLoading && (known ?? history.newestId) === history.newestId,
  };
}

/**
 * Returns the clock that timed the readings, as far as it is known. An insert that arrives late makes its lead look too
 * small, so the highest of the newest ones counts.
 */
export function readingClock({ clock, leadsMs }: PageState): ServerClock {
  return { ...clock, serverTime: clock.serverTime + (leadsMs.length > 0 ? Math.max(...leadsMs) : 0) };
}

/** Returns true if a reading that has just arrived was stored at about the time `now` of the viewer's clock. */
export function fitsClock(page: PageState, { created_at }: Reading, now: number): boolean {
  return Math.abs(Date.parse(created_at) - serverTimeAt(readingClock(page), now)) <= CLOCK_TOLERANCE_MS;
}

/** Returns true if the answer lacks a reading that it has to contain, or has another one with its id. */
function wasEmptied(readings: readonly Reading[], { known, limit }: MissingReadings): boolean {
  const isSame = ({ id, created_at }: Reading) => id === known?.id && created_at === known.created_at;
  return known !== undefined && readings.length < limit && !readings.some(isSame);
}

/** Marks a history as incomplete. How many readings exist isn't known until the whole of it is fetched. */
function withUnknownRest(history: History): History {
  return { ...history, count: Math.max(history.count, history.readings.length + 1) };
}

/** What a page has after a fetch; nothing if the table was emptied. */
export type Outcome = 'emptied' | 'incomplete' | 'complete';

export function outcomeOf({ history }: PageState): Outcome {
  if (history.newestId === null) return 'emptied';
  return isComplete(history) ? 'complete' : 'incomplete';
}

/** Sets the connection. A page stays disconnected since the first failure; `time` is the time of day. */
export function setConnection(page: PageState, { isLive, reason }: Report, time: number): PageState {
  const since = page.connection.state === 'disconnected' ? page.connection.since : time;
  return {
    ...page,
    connection: isLive ? { state: 'live', reason } : { state: 'disconnected', since, reason },
  };
}

/** Returns the query for the readings that a page lacks: of a long history the newest part, unless it wants the rest. */
export function missingReadings(
  { history, floor }: PageState,
  { lookback, firstPart }: Pick<LiveFeed, 'lookback' | 'firstPart'>,
  purpose: Purpose = 'catch-up',
): MissingReadings {
  const { newestId, count, capacity: limit } = history;
  if (floor === null) return { limit: 1, isFullHistory: false };
  if (newestId === null || !isComplete(history)) {
    const isLong = limit > firstPart && (newestId === null || count > firstPart);
    return isLong && purpose !== 'rest'
      ? { limit: firstPart, isFullHistory: false }
      : { limit, isFullHistory: true };
  }
  const after = Math.max(newestId - lookback, floor);
  const known = after < newestId ? history.readings.find(({ id }) => id === newestId) : undefined;
  return { limit, after, isFullHistory: false, known };
}
