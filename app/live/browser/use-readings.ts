import { useEffect, useMemo, useRef, useState } from 'react';
import { latestReadings } from '../../readings/history';
import { HISTORY_LIMIT } from '../../readings/range';
import type { Reading, SensorSummary } from '../../readings/reading';
import type { InitialReadings } from '../initial-readings';
import type { Connection } from './connection';
import { createLiveFeed } from './create-live-feed';
import { followReadings } from './follow-readings';
import type { Report } from './follow-state';
import { leavePage, openPage } from './left-pages';
import type { FeedSettings } from './live-feed';
import {
  addFetched,
  addInsert,
  fitsClock,
  missingReadings,
  outcomeOf,
  type PageState,
  readingClock,
  setConnection,
} from './page-state';
import { type ServerClock, serverTimeAt } from './server-clock';

/** The readings that a page shows, kept up to date with the store. */
export interface LiveReadings {
  /** The sensor whose readings these are. */
  sensor: string;
  /** Every sensor, newest heard first, at most 100. */
  sensors: readonly SensorSummary[];
  /** Oldest first, at most `capacity`. */
  history: readonly Reading[];
  /** True once the store has been read. Until then an empty history says nothing. */
  hasLoaded: boolean;
  /** How many readings exist, up to `capacity`: more than `history` holds until the rest is fetched. */
  count: number;
  /** The newest reading; the one stored last if the newest is from the future. */
  last: Reading | null;
  /** The last reading, and the one before it; null until the first insert arrives. */
  current: Reading | null;
  previous: Reading | null;
  /** True while subscribing; the first insert clears it. */
  loading: boolean;
  connection: Connection;
  /** The clock that timed the readings, as far as it is known. */
  clock: ServerClock;
}

/**
 * Owns a page's live state: fetches the history once, then adds inserts as they arrive. Nothing is missed over
 * a drop, a hidden tab or a restart of the server, and going back to a page within the app doesn't start over.
 *
 * @param initial the readings that the page was rendered with
 * @param settings the feed to use; must be the same object on every render
 * @param capacity how many of the newest readings are kept
 */
export function useReadings(
  initial: InitialReadings,
  settings: FeedSettings,
  capacity: number = HISTORY_LIMIT,
): LiveReadings {
  const [page, show] = useState(() => openPage(initial, capacity, performance.now()));
  // Ahead of `page` until React renders. React batches these updates: `useSyncExternalStore` would render once
  // for each insert of a burst.
  const latest = useRef(page);

  useEffect(() => {
    const update = (next: PageState) => {
      latest.current = next;
      show(next);
    };
    const onReport = (report: Report) => update(setConnection(latest.current, report, Date.now()));
    let stop: (() => void) | undefined;
    let isGone = false;
    createLiveFeed(settings).then(
      (feed) => {
        if (isGone) return;
        stop = followReadings(feed, {
          missing: (purpose) => missingReadings(latest.current, feed, purpose),
          fitsClock: (reading) => fitsClock(latest.current, reading, performance.now()),
          onInsert(reading, storedAt) {
            const stored = storedAt ? { serverTime: storedAt, viewerTime: performance.now() } : undefined;
            update(addInsert(latest.current, reading, stored));
          },
          onFetched(fetched, missing) {
            update(addFetched(latest.current, fetched, missing));
            return outcomeOf(latest.current);
          },
          onReport,
        });
      },
      () => onReport({ isLive: false, reason: "The live feed can't be loaded. Reload this page." }),
    );
    return () => {
      isGone = true;
      stop?.();
      leavePage(latest.current);
    };
  }, [settings]);

  return useMemo(() => {
    const { history, isLoading, connection } = page;
    const clock = readingClock(page);
    const latest = latestReadings(history, serverTimeAt(clock, performance.now()));
    const last = latest.at(-1) ?? null;
    return {
      sensor: initial.sensor,
      sensors: initial.sensors,
      history: history.readings,
      hasLoaded: history.newestId !== null,
      count: history.count,
      last,
      current: isLoading ? null : last,
      previous: isLoading ? null : (latest.at(-2) ?? null),
      loading: isLoading,
      connection,
      clock,
    };
  }, [page, initial]);
}
