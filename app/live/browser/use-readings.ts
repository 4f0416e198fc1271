import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { cookiePath } from '../../base-path';
import { leaveStoredPage, STORED_AT, storedForMs } from '../../offline/stored-page';
import { latestReadings } from '../../readings/chart/history';
import { HISTORY_LIMIT } from '../../readings/chart/range';
import type { Reading, SensorSummary } from '../../readings/reading';
import type { InitialReadings } from '../initial-readings';
import { createLiveFeed } from './create-live-feed';
import { fetchSensors } from './fetch-readings';
import type { Report } from './follow';
import { type Follower, followReadings } from './follow-readings';
import type { FeedSettings } from './live-feed';
import {
  addFetched,
  addInserts,
  type Connection,
  haveBeenDeleted,
  type Insert,
  leavePage,
  type MissingReadings,
  missingReadings,
  openPage,
  outcomeOf,
  type PageState,
  setChecking,
  setConnection,
  setSensors,
  switchSensor,
  withOutdatedHistory,
} from './page-state';
import { fitsClock, readingClock, type ServerClock, serverTimeAt } from './server-clock';

/** The interval at which a page of a hosted store asks for changed settings. */
const SETTINGS_MS = 30_000;

/** The readings that a page shows, kept up to date with the store. */
export interface LiveReadings {
  sensor: string;
  /** Every sensor with its newest reading, most recent first, at most `MAX_SENSORS`. */
  sensors: readonly SensorSummary[];
  /** Oldest first, at most `capacity`. */
  history: readonly Reading[];
  /** True once the store has been read. Until then, an empty history doesn't mean that there are no readings. */
  hasLoaded: boolean;
  /** The number of stored readings, up to `capacity`. Higher than the length of `history` until the rest is fetched. */
  count: number;
  /** The newest reading by time, or the one stored last if the newest is from the future. */
  last: Reading | null;
  previous: Reading | null;
  /** True if the page shows only readings stored after it was opened. */
  startsEmpty?: true;
  connection: Connection;
  clock: ServerClock;
}

/**
 * Owns a page's live state. Fetches the history once, then adds inserts as they arrive. Catches up after a drop, a
 * hidden tab or a restart of the server, and when the viewer returns to the page or switches to another sensor.
 * `settings` and `onArrival` must be the same on every render. `onArrival` gets the readings of any sensor that have
 * just arrived, some of them twice, or null if the page was away for too long to know all of them.
 */
export function useReadings(
  initial: InitialReadings,
  settings: FeedSettings,
  capacity: number = HISTORY_LIMIT,
  onArrival?: (arrived: readonly Reading[] | null) => void,
): LiveReadings {
  const [page, show] = useState(() => openPage(initial, capacity, performance.now() - storedForMs()));
  // Newer than `page` until React renders. React batches these updates; `useSyncExternalStore` would render once for
  // each insert of a burst.
  const latest = useRef(page);

  const update = useCallback((next: PageState) => {
    latest.current = next;
    show(next);
  }, []);
  const follower = useRef<Follower>();

  useEffect(() => {
    const onReport = (report: Report) =>
      update(setConnection(latest.current, report, STORED_AT ?? Date.now()));
    const { add, flush, end } = batchInserts((inserts) => {
      update(addInserts(latest.current, inserts));
      onArrival?.(inserts.map(({ reading }) => reading));
    });
    let isGone = false;
    const refreshSensors = async () => {
      const { sensor } = latest.current;
      const sensors = await fetchSensors(sensor).catch(() => null);
      if (isGone || !sensors || sensor !== latest.current.sensor) return;
      const own = (list: readonly SensorSummary[]) => list.find(({ name }) => name === sensor);
      const [before, after] = [own(latest.current.sensors), own(sensors)];
      // The server knows the new name of a sensor. Corrected readings have other values than those on the page.
      if (before && (!after || (isCorrectedAnew(before, after) && !after.is_recomputing))) location.reload();
      else update(setSensors(latest.current, sensors));
    };
    const replaceReadings = async (sensor?: string) => {
      // The list first, because fetched readings are added to it.
      await refreshSensors();
      if (isGone) return;
      update(withOutdatedHistory(latest.current, sensor));
      if (sensor === undefined || sensor === latest.current.sensor) follower.current?.switched();
      onArrival?.(null);
    };
    // The hosted store's feed doesn't announce changes of settings.
    const timer =
      settings.kind === 'supabase'
        ? setInterval(() => document.hidden || refreshSensors(), SETTINGS_MS)
        : undefined;
    createLiveFeed(settings).then(
      (feed) => {
        if (isGone) return;
        follower.current = followReadings(feed, {
          missing(purpose) {
            flush();
            return missingReadings(latest.current, feed, purpose);
          },
          newestId: () => latest.current.newestId ?? 0,
          fitsClock: (reading) => fitsClock(latest.current, reading, performance.now()),
          onInsert(reading, storedAt) {
            const stored = storedAt ? { serverTime: storedAt, viewerTime: performance.now() } : undefined;
            add({ reading, stored });
          },
          onFetched(fetched, missing) {
            leaveStoredPage();
            flush();
            const { newestId } = latest.current;
            // The event was missed: the page was hidden, or its store sends none.
            if (haveBeenDeleted(latest.current, fetched)) setTimeout(replaceReadings);
            update(addFetched(latest.current, fetched, missing));
            onArrival?.(arrivedSince(newestId ?? 0, fetched.readings, missing));
            return outcomeOf(latest.current);
          },
          onSettings: refreshSensors,
          onChanged: replaceReadings,
          onReport,
          onCheck: () => update(setChecking(latest.current)),
        });
      },
      () => onReport({ isLive: false, reason: "The live feed can't be loaded. Reload this page." }),
    );
    return () => {
      isGone = true;
      clearInterval(timer);
      follower.current?.stop();
      follower.current = undefined;
      end();
      leavePage(latest.current);
    };
  }, [settings, update, onArrival]);

  const opened = useRef(initial);
  useEffect(() => {
    if (initial === opened.current) return;
    opened.current = initial;
    // Compares with the current sensor. If the page was opened with a sensor without readings, the first sensor that
    // posted has replaced it.
    if (initial.sensor === latest.current.sensor) return;
    update(switchSensor(latest.current, initial, performance.now()));
    follower.current?.switched();
  }, [initial, update]);

  const { sensor, sensors } = page;
  // If it isn't remembered, other pages show the first sensor by name.
  const isRemembered = sensors.length > 1 && sensors.some(({ name }) => name === sensor);
  useEffect(() => {
    if (isRemembered) rememberSensor(sensor);
  }, [sensor, isRemembered]);

  return useMemo(() => {
    const { sensor, sensors, history, newestId, floor, connection } = page;
    const clock = readingClock(page);
    const latest = latestReadings(history, serverTimeAt(clock, performance.now()));
    return {
      sensor,
      sensors,
      history: history.readings,
      hasLoaded: newestId !== null,
      count: history.count,
      last: latest.at(-1) ?? null,
      previous: latest.at(-2) ?? null,
      startsEmpty: floor === 0 ? undefined : true,
      connection,
      clock,
    };
  }, [page]);
}

/** Returns true if corrections have changed stored readings, or still do. */
function isCorrectedAnew(before: SensorSummary, after: SensorSummary): boolean {
  const isSame = JSON.stringify(before.corrections) === JSON.stringify(after.corrections);
  return before.is_recomputing === true || !isSame;
}

/** Returns the fetched readings with ids above `newestId`, or null if there may be more than were fetched. */
function arrivedSince(
  newestId: number,
  fetched: readonly Reading[],
  { isFullHistory, limit }: MissingReadings,
): readonly Reading[] | null {
  return isFullHistory || fetched.length >= limit ? null : fetched.filter(({ id }) => id > newestId);
}

/** The interval of updates during a burst, so that thousands of readings at once don't keep the page busy. */
const BATCH_MS = 50;

export interface InsertBatches {
  /** Passes an insert on at once if it is the first for a while, else together with others within `BATCH_MS`. */
  add(insert: Insert): void;
  flush(): void;
  end(): void;
}

export function batchInserts(addAll: (inserts: readonly Insert[]) => void): InsertBatches {
  let waiting: Insert[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    if (waiting.length === 0) return;
    const inserts = waiting;
    waiting = [];
    addAll(inserts);
  }

  function onTimer(): void {
    timer = waiting.length > 0 ? setTimeout(onTimer, BATCH_MS) : undefined;
    flush();
  }

  return {
    add(insert) {
      waiting.push(insert);
      if (timer !== undefined) return;
      timer = setTimeout(onTimer, BATCH_MS);
      flush();
    },
    flush,
    end() {
      clearTimeout(timer);
      flush();
    },
  };
}

const YEAR_SECONDS = 31_536_000;

/** Remembers the sensor that this browser shows, for pages whose address names none. */
export function rememberSensor(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context.
  document.cookie = `sensor=${encodeURIComponent(name)}; Path=${cookiePath()}; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
