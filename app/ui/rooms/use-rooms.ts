import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FeedSettings } from '../../live/browser/live-feed';
import { serverTimeAt } from '../../live/browser/server-clock';
import { useLive } from '../../live/browser/use-live';
import { type LiveReadings, useReadings } from '../../live/browser/use-readings';
import type { InitialReadings } from '../../live/initial-readings';
import { DEFAULT_RANGE } from '../../readings/chart/range';
import type { MetricField, Thresholds } from '../../readings/metric';
import { NO_FACTS, type RoomNow, roomNow, withTime } from '../../readings/now/room-now';
import { compareTimes, type Reading, sensorOf } from '../../readings/reading';
import { useNow } from '../hydration';
import { useThresholds } from '../page-contexts';

/** Rooms are fetched again at this interval, for their lines and airings. New readings arrive by the feed. */
const RENEW_MS = 60_000;
/** New readings are shown together at this interval: 2,000 sensors that post each minute send 33 a second. */
const SHOW_MS = 1000;

export interface LiveRooms {
  rooms: readonly RoomNow[];
  /** True once all rooms are known, rather than those of the document. */
  isComplete: boolean;
  /** The server's clock in milliseconds. */
  now: number;
  readings: LiveReadings;
  /** The reason why rooms can't be fetched; null if they can. */
  failure: string | null;
}

interface Asked {
  address: string;
  group: string;
  metric?: MetricField;
}

const readClock = () => performance.now();

/** Keeps the rooms of a group up to date: one request for all of them, then new readings of the feed. */
export function useRooms(
  initial: InitialReadings,
  first: readonly RoomNow[],
  feed: FeedSettings,
  { group, metric }: Omit<Asked, 'address'>,
): LiveRooms {
  const thresholds = useThresholds();
  const query = new URLSearchParams();
  if (group) query.set('group', group);
  if (metric) query.set('metric', metric);
  const question: Asked = { address: `/api/rooms${query.size > 0 ? `?${query}` : ''}`, group, metric };
  const { answered, failure, again } = useLive<RoomNow[], Asked>(question, { everyMs: RENEW_MS });
  const arrived = useRef(new Map<string, Reading>());
  const onArrival = useCallback(
    (readings: readonly Reading[] | null) => {
      if (readings === null) {
        // They may have been deleted.
        arrived.current.clear();
        return again(0);
      }
      for (const reading of readings) {
        const known = arrived.current.get(sensorOf(reading));
        if (!known || compareTimes(reading.created_at, known.created_at) > 0)
          arrived.current.set(sensorOf(reading), reading);
      }
    },
    [again],
  );
  const readings = useReadings(initial, feed, DEFAULT_RANGE.maxPoints, onArrival);
  const now = serverTimeAt(readings.clock, useNow(readClock));
  const [shown, show] = useState<{ rooms: readonly RoomNow[]; of: unknown }>({ rooms: first, of: null });
  const judged = answered?.question.metric;
  const judgedGroup = answered?.question.group ?? group;

  useEffect(() => {
    if (answered) show({ rooms: answered.answer, of: answered });
  }, [answered]);

  const serverNow = useRef(now);
  serverNow.current = now;
  useEffect(() => {
    const timer = setInterval(() => {
      show((before) => {
        const rooms = withArrivals(before.rooms, arrived.current, {
          thresholds,
          metric: judged,
          now: serverNow.current,
          isWhole: judgedGroup === '',
        });
        return rooms === before.rooms ? before : { ...before, rooms };
      });
    }, SHOW_MS);
    return () => clearInterval(timer);
  }, [thresholds, judged, judgedGroup]);

  return useMemo(
    () => ({
      rooms: shown.rooms,
      isComplete: shown.of !== null,
      now,
      readings,
      failure: failure && !answered ? failure.message : null,
    }),
    [shown, now, readings, failure, answered],
  );
}

interface Arrivals {
  thresholds: Thresholds;
  metric?: MetricField;
  now: number;
  /** True if the list has all rooms, so that a new sensor is added. Its group is unknown until the next request. */
  isWhole: boolean;
}

/** Returns the rooms with newer readings, judged at a later time. Returns the same array if nothing has changed. */
export function withArrivals(
  rooms: readonly RoomNow[],
  arrived: ReadonlyMap<string, Reading>,
  { thresholds, metric, now, isWhole }: Arrivals,
): readonly RoomNow[] {
  let hasChanged = false;
  const known = new Set<string>();
  const next = rooms.map((room) => {
    known.add(room.sensor);
    const reading = arrived.get(room.sensor);
    const isNewer = reading && compareTimes(reading.created_at, room.at) > 0;
    const after = isNewer
      ? roomNow(room.sensor, reading, room, { thresholds, metric }, now)
      : withTime(room, now);
    hasChanged ||= after !== room;
    return after;
  });
  const added = isWhole ? [...arrived].filter(([sensor]) => !known.has(sensor)) : [];
  if (added.length > 0)
    return [
      ...next,
      ...added.map(([sensor, reading]) => roomNow(sensor, reading, NO_FACTS, { thresholds, metric }, now)),
    ];
  return hasChanged ? next : rooms;
}
