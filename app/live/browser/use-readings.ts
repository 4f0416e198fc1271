import { useEffect, useMemo, useReducer, useRef } from 'react';
import {
  catchUp,
  currentOf,
  type History,
  insertReading,
  isComplete,
  previousOf,
  startHistory,
} from '../../readings/history';
import { HISTORY_LIMIT } from '../../readings/range';
import type { Reading } from '../../readings/reading';
import type { InitialReadings } from '../initial-readings';
import type { Connection } from './connection';
import { createLiveFeed } from './create-live-feed';
import { followReadings, type Missing } from './follow-readings';
import type { FeedSettings } from './live-feed';
import type { ServerClock } from './server-clock';

/** What a page knows, kept up with the store. */
export interface LiveReadings {
  /** Oldest first, at most `keep`. */
  history: readonly Reading[];
  /** Whether the store has been read at all: before, an empty history says nothing. */
  hasLoaded: boolean;
  /** How many readings exist, up to `keep`: more than `history` holds until the rest has been fetched. */
  count: number;
  /** The newest reading and the one before, once the first insert has arrived. */
  current: Reading | null;
  previous: Reading | null;
  /** Set while subscribing, cleared by the first insert. */
  loading: boolean;
  connection: Connection;
  clock: ServerClock;
}

interface State {
  history: History;
  connection: Connection;
  clock: ServerClock;
}

type Action = (state: State) => State;

const reduce = (state: State, action: Action): State => action(state);

/**
 * The one owner of a page's live state: all readings that matter are fetched once, then inserts roll
 * current, previous and history. Nothing is missed over a drop, a hidden tab or a restart of the server.
 *
 * @param initial what the page was rendered with
 * @param settings which feed the server asks the page to use; must be the same object on every render
 * @param keep how many of the newest readings are kept
 */
export function useReadings(
  initial: InitialReadings,
  settings: FeedSettings,
  keep: number = HISTORY_LIMIT,
): LiveReadings {
  const [state, dispatch] = useReducer(reduce, undefined, (): State => {
    return {
      history: startHistory(initial, keep),
      connection: { state: 'connecting' },
      clock: { serverTime: initial.serverTime, viewerTime: null },
    };
  });
  const latest = useRef(state);
  latest.current = state;
  // Where a page that starts empty begins: older readings are none of its own. Null until that is known.
  const floor = useRef(initial.startsEmpty ? initial.newestId : 0);

  useEffect(() => {
    dispatch((was) => ({ ...was, clock: { ...was.clock, viewerTime: performance.now() } }));
    let stop: (() => void) | undefined;
    let isGone = false;
    const onDisconnected = (reason?: string) =>
      dispatch((was) => ({
        ...was,
        connection: {
          state: 'disconnected',
          since: was.connection.state === 'disconnected' ? was.connection.since : Date.now(),
          reason,
        },
      }));
    createLiveFeed(settings).then(
      (feed) => {
        if (isGone) return;
        stop = followReadings(feed, {
          missing: (overlap) => missingFrom(latest.current.history, overlap, floor.current),
          onInsert: (reading) =>
            dispatch((was) => ({ ...was, history: insertReading(was.history, reading) })),
          onCaughtUp({ readings, serverTime }, everything) {
            // Where the server could not say where an empty page begins, its newest reading now does.
            const isBeginning = floor.current === null;
            if (isBeginning) floor.current = Math.max(0, ...readings.map(({ id }) => id));
            const newestId = floor.current;
            dispatch((was) => ({
              ...was,
              history: isBeginning
                ? { ...was.history, newestId: was.history.newestId ?? newestId }
                : catchUp(was.history, readings, everything),
              clock: serverTime === null ? was.clock : { serverTime, viewerTime: performance.now() },
            }));
          },
          onLive: () => dispatch((was) => ({ ...was, connection: { state: 'live' } })),
          onDisconnected,
        });
      },
      () => onDisconnected('The live feed can’t be loaded. Reload this page.'),
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [settings]);

  const { history, connection, clock } = state;
  return useMemo(
    () => ({
      history: history.readings,
      hasLoaded: history.newestId !== null,
      count: history.count,
      current: currentOf(history),
      previous: previousOf(history),
      loading: history.loading,
      connection,
      clock,
    }),
    [history, connection, clock],
  );
}

/** The query that brings what a page does not have. */
function missingFrom(history: History, overlap: number, floor: number | null): Missing {
  if (floor === null) return { limit: 1, isFullHistory: false };
  if (history.newestId === null || !isComplete(history))
    return { limit: history.capacity, isFullHistory: true };
  const after = Math.max(history.newestId - overlap, floor);
  return { limit: history.capacity, after, isFullHistory: false };
}
