import {
  addReadings,
  catchUp,
  type History,
  highestId,
  isComplete,
  startHistory,
  withUnknownRest,
} from '../../readings/chart/history';
import { dropOldest } from '../../readings/drop-oldest';
import { addToSensors } from '../../readings/known-sensors';
import { type Reading, type SensorSummary, sensorOf } from '../../readings/reading';
import { firstByName } from '../../readings/sensor';
import type { InitialReadings } from '../initial-readings';
import type { FetchedReadings } from './fetch-readings';
import type { Purpose, Report } from './follow';
import type { LiveFeed } from './live-feed';
import { addLeads, type KnownClocks, type ServerClock, setClock } from './server-clock';

/**
 * The state of the page's live feed. `since` is the viewer's time of day in milliseconds. A live page has a `reason` if
 * the older part of its history can't be fetched.
 */
export type Connection =
  | { state: 'connecting' }
  /** `isChecking` is true while a fetch checks if the feed is dead. */
  | { state: 'live'; reason?: string; isChecking?: true }
  | { state: 'disconnected'; since: number; reason?: string };

/** Returns true if something keeps the page from getting all readings. */
export function isImpaired(connection: Connection): boolean {
  return connection.state === 'disconnected' || (connection.state === 'live' && !!connection.reason);
}

/** The readings and sensors that a page knows, and its connection. */
export interface PageState extends KnownClocks {
  sensor: string;
  /** True if the address names the sensor. */
  isChosen: boolean;
  history: History;
  /** All sensors, most recent first. */
  sensors: readonly SensorSummary[];
  /** The highest known id of any sensor; null until the store has been read. */
  newestId: number | null;
  /** The reading with the id `newestId`, if the page has seen it. */
  newest?: Reading;
  /**
   * True if the whole history and the list of sensors have to be fetched, because the server couldn't read the store,
   * or more readings were stored than one response contains.
   */
  isUnread: boolean;
  /** The mark of the last fetch, which changes when readings were deleted or brought back. Undefined to trust the next one. */
  deletions?: string;
  /** The next full history replaces the readings up to this id, some of which were deleted. */
  outdatedTo?: number;
  /** The page shows only readings above this id. Null on a page that starts empty while the newest id is unknown. */
  floor: number | null;
  connection: Connection;
}

/** The query for the readings that a page lacks. */
export interface MissingReadings {
  limit: number;
  after?: number;
  /** Restricts the query to this sensor's readings. */
  sensor?: string;
  /** True if the list of sensors is fetched too, before the readings. */
  withSensors?: boolean;
  /** True if the query asks for all readings of the page's sensor, up to the capacity. */
  isFullHistory: boolean;
  /** A reading that the response must contain unless the table was emptied. */
  known?: Reading;
}

/** A reading that the feed delivered. */
export interface Insert {
  reading: Reading;
  /** The clock that timed the reading, and the time of arrival; undefined if the server's clock timed it. */
  stored?: ServerClock;
}

/** Returns a page's state for its first render. `viewerTime` is the viewer's clock, see `ServerClock`. */
export function startPage(initial: InitialReadings, capacity: number, viewerTime: number): PageState {
  const { sensor, isChosen = false, sensors, readings, lastStored = [], newestId } = initial;
  const seen = [...readings, ...lastStored, ...sensors.map(({ newest }) => newest)];
  return {
    sensor,
    isChosen,
    history: startHistory(initial, capacity),
    sensors,
    newestId,
    newest: seen.find(({ id }) => id === newestId),
    isUnread: newestId === null,
    floor: initial.startsEmpty ? newestId : 0,
    connection: { state: 'connecting' },
    clock: { serverTime: initial.serverTime, viewerTime },
    leadsMs: initial.clockLeadMs ? [initial.clockLeadMs] : [],
  };
}

/** Adds inserts of any sensors. */
export function addInserts(page: PageState, inserts: readonly Insert[]): PageState {
  const readings = inserts.map(({ reading }) => reading);
  const sensors = addToSensors(page.sensors, readings, page.sensor);
  // Before the list of sensors has been read, the page doesn't know that its sensor has no reading.
  const sensor = page.newestId === null ? page.sensor : shownSensor(page, sensors);
  const own = readings.filter((reading) => sensorOf(reading) === sensor);
  const leadsMs = addLeads(
    page,
    inserts.map(({ stored }) => stored),
  );
  // Readings of other sensors don't show which readings of this one are stored.
  if (page.newestId === null && own.length === 0) return { ...page, sensors, leadsMs };
  const history = addReadings(page.history, own);
  return {
    ...page,
    ...newestOf(page, readings),
    sensor,
    sensors,
    leadsMs,
    history: page.newestId === null && page.floor !== null ? withUnknownRest(history) : history,
  };
}

/** Adds the result of a fetch. */
export function addFetched(page: PageState, fetched: FetchedReadings, missing: MissingReadings): PageState {
  const { readings } = fetched;
  const clocks = setClock(page, fetched.clock ?? page.clock);
  if (wasEmptied(readings, missing)) {
    // All readings that are in the table now were stored after the page was opened.
    const history = startHistory({ readings: [], count: 0, newestId: null }, page.history.capacity);
    const unknown = { sensors: [], newestId: null, newest: undefined, isUnread: true, floor: 0 };
    return { ...page, ...clocks, ...unknown, history };
  }
  const listed = fetched.sensors ?? [];
  const known = [...readings, ...page.sensors.map(({ newest }) => newest)];
  const sensors = addToSensors(fetched.sensors ?? page.sensors, known, page.sensor);
  const sensor = shownSensor(page, sensors);
  const isFiltered = missing.sensor !== undefined;
  // Readings stored after the list was fetched have higher ids than the newest in it.
  const ordered = isFiltered ? listed.map(({ newest }) => newest) : readings;
  const next = {
    ...page,
    ...clocks,
    ...newestOf(page, ordered),
    sensor,
    sensors,
    deletions: fetched.deletions,
  };
  // The server didn't know the newest id when it rendered the page.
  if (page.floor === null)
    return { ...next, floor: newestOf({ newestId: null }, readings).newestId, isUnread: false };
  const own = readings.filter((reading) => sensorOf(reading) === sensor);
  const isReplaced = missing.isFullHistory && page.outdatedTo !== undefined;
  const history = catchUp(isReplaced ? withoutOutdated(page) : page.history, own, missing.isFullHistory);
  const isCatchUp = missing.after !== undefined && !missing.isFullHistory;
  const isCut = readings.length >= missing.limit && (isCatchUp || own.length < readings.length);
  return {
    ...next,
    history: missing.isFullHistory || isCatchUp ? history : withUnknownRest(history),
    outdatedTo: isReplaced ? undefined : page.outdatedTo,
    isUnread: isFiltered ? sensor !== page.sensor : isCut,
  };
}

/** Returns true if a fetch shows that readings were deleted or brought back since the last one. A restarted server counts from 0. */
export function haveBeenDeleted({ deletions: before }: PageState, { deletions }: FetchedReadings): boolean {
  return before !== undefined && deletions !== undefined && before !== deletions && !deletions.endsWith('.0');
}

/**
 * Makes the next fetch replace the page's history, after readings were deleted or brought back.
 *
 * @param sensor theirs; undefined if unknown
 */
export function withOutdatedHistory(page: PageState, sensor = page.sensor): PageState {
  // The newest reading may be one of them, even if it is another sensor's.
  const unknown = { newest: undefined, deletions: undefined };
  if (sensor !== page.sensor) return { ...page, ...unknown };
  return { ...page, ...unknown, isUnread: true, outdatedTo: page.newestId ?? 0 };
}

/** Returns the readings that arrived after others were deleted. */
function withoutOutdated({ history, outdatedTo = 0 }: PageState): History {
  const readings = history.readings.filter(({ id }) => id > outdatedTo);
  return startHistory({ readings, count: readings.length, newestId: outdatedTo }, history.capacity);
}

/** Replaces the list of sensors, after settings, names or readings have changed. */
export function setSensors(page: PageState, sensors: readonly SensorSummary[]): PageState {
  return { ...page, sensors };
}

/** Returns the page's sensor. If the address names none and it has no readings, returns the first one by name. */
function shownSensor({ sensor, isChosen }: PageState, sensors: readonly SensorSummary[]): string {
  const isSettled = isChosen || sensors.some(({ name }) => name === sensor);
  return isSettled ? sensor : (firstByName(sensors)?.name ?? sensor);
}

/** Returns the highest known id, and its reading if the page has seen it. */
function newestOf(
  { newestId, newest }: Pick<PageState, 'newestId' | 'newest'>,
  readings: readonly Reading[],
): { newestId: number; newest?: Reading } {
  const known = newestId ?? 0;
  const highest = highestId(readings);
  return highest && highest.id > known
    ? { newestId: highest.id, newest: highest }
    : { newestId: known, newest };
}

/** True if the response lacks a reading that it must contain, or has another one with its id. */
function wasEmptied(readings: readonly Reading[], { known, limit }: MissingReadings): boolean {
  const isSame = ({ id, created_at }: Reading) => id === known?.id && created_at === known.created_at;
  return known !== undefined && readings.length < limit && !readings.some(isSame);
}

/** The completeness of a page after a fetch; `emptied` if the table was emptied. */
export type Outcome = 'emptied' | 'incomplete' | 'complete';

export function outcomeOf(page: PageState): Outcome {
  if (page.newestId === null) return 'emptied';
  return isWhole(page) ? 'complete' : 'incomplete';
}

function isWhole({ history, isUnread }: Pick<PageState, 'history' | 'isUnread'>): boolean {
  return !isUnread && isComplete(history);
}

/** Marks a live page whose feed is being checked. The next report removes the mark. */
export function setChecking(page: PageState): PageState {
  const { connection } = page;
  return connection.state === 'live' ? { ...page, connection: { ...connection, isChecking: true } } : page;
}

/** `since` keeps the time of the first failure. `time` is the time of day in milliseconds. */
export function setConnection(page: PageState, { isLive, reason }: Report, time: number): PageState {
  const since = page.connection.state === 'disconnected' ? page.connection.since : time;
  return {
    ...page,
    connection: isLive ? { state: 'live', reason } : { state: 'disconnected', since, reason },
  };
}

/**
 * A page asks for at least this many missed readings of all sensors. If there are more, it fetches its history again.
 */
const CATCH_UP_LIMIT = 1000;

/** Returns the query for missing readings. A long history is fetched in two parts, the newest first, then the rest. */
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
 * One sensor's readings don't show the newest readings of the others, so the list of sensors is fetched too. A page
 * that knows no other sensor asks for the readings of all sensors, to find out.
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

/** The most pages that are kept, because charts of many sensors would take much memory. */
const MAX_LEFT = 8;

/**
 * The states of pages that were left within the app, latest last, by sensor and capacity. Empty during hydration, which
 * must match the server's document.
 */
const leftPages = new Map<string, PageState>();

const keyOf = (sensor: string, capacity: number) => `${capacity} ${sensor}`;

/** Keeps the state of a page, so that returning to it doesn't start over. Doesn't keep pages that start empty. */
export function leavePage(page: PageState): void {
  if (page.floor !== 0) return;
  const key = keyOf(page.sensor, page.history.capacity);
  leftPages.delete(key);
  leftPages.set(key, page);
  dropOldest(leftPages, MAX_LEFT);
}

/**
 * Returns the state of an opened page: the state in which it was left with the server's readings added, or only the
 * server's readings if they don't continue it. `viewerTime` is the viewer's clock, see `ServerClock`.
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
  // Without a common reading, some may be missing in between, or the table was emptied.
  const isJoined =
    initial.newestId === null || last?.id === lastSent?.id || readings.some(({ id }) => id === last?.id);
  if (!isJoined) return started;
  // The catch-up begins where the page was left, and brings late readings.
  const missing = { limit: Number.POSITIVE_INFINITY, after: newestId, isFullHistory: false };
  const page = addFetched(left, { readings, sensors, clock }, missing);
  const { newest, isUnread } = left;
  return { ...page, newestId, newest, isUnread, isChosen, connection };
}

/** Switches to another sensor, whose readings the server has just sent. Keeps the feed and the clocks. */
export function switchSensor(page: PageState, initial: InitialReadings, viewerTime: number): PageState {
  leavePage(page);
  const opened = openPage(initial, page.history.capacity, viewerTime);
  const { clock, leadsMs, connection } = page;
  const known = page.sensors.map(({ newest }) => newest);
  return {
    ...opened,
    clock,
    leadsMs,
    connection,
    sensors: addToSensors(opened.sensors, known, opened.sensor),
  };
}
