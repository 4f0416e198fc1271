import { useEffect, useRef, useState } from 'react';
import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { type Reading, sensorOf } from '../../../readings/reading';
import type { CalendarUnit, Span } from '../../../readings/time/history-span';
import type { ComparedHistory } from '../../chart/compared-time';
import {
  chartPoints,
  type FetchedPart,
  fetchPart,
  type HistoryPart,
  hasAll,
  partToFetch,
  spanOf,
  type WantedHistory,
  withTail,
} from './fetch-history';
import { type Arrivals, createRequests } from './requests';

const MOVING_MS = 150;
/** The minimum time between two requests for new readings. */
const LIVE_MS = 2000;

/** The history on screen, perhaps incomplete. */
export interface ShownHistory {
  /** The span in view. Becomes the wanted span once there is something to show. */
  span: Span;
  /** The sensor in view. Becomes the wanted sensor once there is something to show. */
  sensor: string;
  /** Null before the first answer. May belong to another span while the next one loads. */
  answer: HistoryAnswer | null;
  answered: Span | null;
  compared: ComparedHistory | null;
  /** True after the first answer, perhaps for another sensor. */
  wasAnswered: boolean;
  /** True if `answer` covers the whole view in the right steps. */
  isLoaded: boolean;
  problem: string | null;
}

interface HistoryOptions {
  sensor: string;
  span: Span | null;
  isMoving: boolean;
  before: CalendarUnit | null;
}

/** Loads a sensor's history and keeps it up to date. Null until there is something to show. */
export function useHistory(
  { sensor, span, isMoving, before }: HistoryOptions,
  arrivals: Arrivals,
): ShownHistory | null {
  const [shown, show] = useState<ShownHistory | null>(null);
  const loader = useRef<HistoryLoader>();

  useEffect(() => {
    const own = loadHistory(show);
    loader.current = own;
    const unsubscribe = arrivals.subscribe(own.arrived);
    return () => {
      unsubscribe();
      own.stop();
    };
  }, [arrivals]);

  useEffect(() => {
    if (span) loader.current?.want({ sensor, span, before, points: chartPoints(span), isMoving });
  }, [sensor, span, before, isMoving]);

  return shown;
}

export interface HistoryLoader {
  want(wanted: WantedHistory): void;
  /** Fetches the steps that new readings change, or everything for null. Ignores readings of other sensors. */
  arrived(readings: readonly Reading[] | null): void;
  stop(): void;
}

const NOTHING = { answer: null, answered: null, compared: null };

/** Loads a chart's history, one request at a time. The current history stays visible until the next answer. */
export function loadHistory(onChange: (shown: ShownHistory) => void): HistoryLoader {
  let wanted: WantedHistory;
  let shown: ShownHistory | undefined;
  let held: HistoryPart | undefined;
  let asked: HistoryPart | undefined;
  /** The time of the oldest new reading that no request covers yet, in seconds. */
  let arrivedFrom = Number.POSITIVE_INFINITY;
  /** The time of the oldest new reading that the current request covers, in seconds. */
  let unfetched = arrivedFrom;
  // Fetches only new readings if the rest is loaded.
  const requests = createRequests(() => (hasAll(held, wanted) ? fetchArrived() : fetchAll()));

  function show(next: Partial<ShownHistory>): void {
    const { span, sensor } = wanted;
    const before = { span, sensor, ...NOTHING, wasAnswered: false, isLoaded: false, problem: null };
    shown = { ...before, ...shown, ...next };
    shown.wasAnswered ||= shown.answer !== null;
    onChange(shown);
  }

  /** Shows the wanted span while parts are still missing. */
  function showPart(): void {
    const kept = held?.sensor === wanted.sensor ? {} : NOTHING;
    show({ span: wanted.span, sensor: wanted.sensor, isLoaded: false, ...kept });
  }

  function want(next: WantedHistory): void {
    wanted = next;
    requests.release();
    if (hasAll(held, wanted)) {
      show({ span: wanted.span, isLoaded: true });
    } else if (wanted.isMoving) {
      showPart();
      if (!requests.isRunning()) requests.again(MOVING_MS);
    } else {
      requests.hold(showPart);
      if (!requests.isRunning() || !hasAll(asked, wanted)) fetchAll();
    }
  }

  function fetchAll(): void {
    const part = partToFetch(wanted);
    asked = part;
    ask(part, (fetched) => {
      held = part;
      show({ ...fetched, sensor: part.sensor, answered: spanOf(part), problem: null });
    });
  }

  function fetchArrived(): void {
    if (!held || arrivedFrom >= held.to) return;
    const from = Math.max(held.from, Math.floor(arrivedFrom / held.step) * held.step);
    ask({ ...held, from, before: null }, ({ answer: tail }) => {
      if (shown?.answer) show({ answer: withTail(shown.answer, tail, from) });
    });
  }

  function ask(part: HistoryPart, onAnswer: (fetched: FetchedPart) => void): void {
    unfetched = Math.min(arrivedFrom, requests.isRunning() ? unfetched : Number.POSITIVE_INFINITY);
    arrivedFrom = Number.POSITIVE_INFINITY;
    // The browser's cache may hold an answer from before the new readings.
    const cache = unfetched < Number.POSITIVE_INFINITY ? 'no-cache' : 'default';
    requests.run(
      (request) => fetchPart(part, { cache, ...request }),
      (fetched) => {
        onAnswer(fetched);
        settle();
      },
      ({ message }) => {
        arrivedFrom = Math.min(arrivedFrom, unfetched);
        showPart();
        show({ problem: message });
      },
    );
  }

  function settle(): void {
    if (hasAll(held, wanted)) {
      requests.release();
      show({ span: wanted.span, isLoaded: true, problem: null });
      if (held && arrivedFrom < held.to) requests.again(LIVE_MS);
    } else {
      requests.again(MOVING_MS);
    }
  }

  return {
    want,
    arrived(readings) {
      const own = readings?.filter((reading) => sensorOf(reading) === wanted.sensor);
      const isAskedFor = (time: number) =>
        [held, asked].some((part) => part && time >= part.from && time < part.to);
      const times = own?.map(({ created_at }) => Date.parse(created_at) / 1000).filter(isAskedFor) ?? [0];
      if (times.length === 0) return;
      arrivedFrom = Math.min(arrivedFrom, ...times);
      if (!requests.isRunning()) requests.again(LIVE_MS);
    },
    stop: requests.stop,
  };
}
