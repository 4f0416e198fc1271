import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { type Reading, sensorOf } from '../../../readings/reading';
import type { Span } from '../../../readings/time/history-span';
import type { ComparedHistory } from '../../chart/compared-time';
import { type FetchedPart, fetchPart, hasAll } from './fetch-history';
import { withTail } from './history-part';
import { latestRequest } from './latest-request';
import { partToFetch, spanOf, type WantedHistory, type WantedPart } from './wanted-part';

/** How often a view that moves is fetched. */
const MOVING_MS = 150;
/** New readings are fetched at once if there were none for this long. */
const LIVE_MS = 2000;
/** Keeps the previous span on screen for up to this long while the next one loads. */
const HOLD_MS = 400;
const RETRY_MS = 3000;

/** The history on screen, and whether it is complete. */
export interface ShownHistory {
  /** The span in view: the wanted one, once there is something to show of it. */
  span: Span;
  /** The sensor that all of it is of: the wanted one, once there is something to show of it. */
  sensor: string;
  /** Null before the first answer. It may be of another span while that is fetched. */
  answer: HistoryAnswer | null;
  /** The time that the answer is of. */
  answered: Span | null;
  compared: ComparedHistory | null;
  /** True if `answer` has all of the view, at its resolution. */
  isLoaded: boolean;
  /** Why fetching failed; null if it didn't. */
  problem: string | null;
}

const NOTHING = { answer: null, answered: null, compared: null };

export interface HistoryLoader {
  /** Shows this from now on. */
  want(wanted: WantedHistory): void;
  /** Fetches what readings have changed; with null everything. Those of other sensors are ignored. */
  arrived(readings: readonly Reading[] | null): void;
  stop(): void;
}

/**
 * Fetches what a chart of history shows, one request at a time. It keeps what it has until the next answer is there, and
 * drops answers that have been overtaken.
 */
export function loadHistory(onChange: (shown: ShownHistory) => void): HistoryLoader {
  let wanted: WantedHistory;
  let shown: ShownHistory | undefined;
  let held: WantedPart | undefined;
  const request = latestRequest();
  /** The part that was asked for last. */
  let asked: WantedPart | undefined;
  /** The time of the oldest reading that isn't fetched yet, in seconds. */
  let arrivedFrom = Number.POSITIVE_INFINITY;
  /** The same of those that the request under way brings. */
  let unfetched = arrivedFrom;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let holdTimer: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(next: Partial<ShownHistory>): void {
    const { span, sensor } = wanted;
    shown = { span, sensor, ...NOTHING, isLoaded: false, problem: null, ...shown, ...next };
    onChange(shown);
  }

  /** Shows the wanted span before all of it is there. */
  function showPart(): void {
    const kept = held?.sensor === wanted.sensor ? {} : NOTHING;
    show({ span: wanted.span, sensor: wanted.sensor, isLoaded: false, ...kept });
  }

  function want(next: WantedHistory): void {
    wanted = next;
    clearTimeout(holdTimer);
    if (hasAll(held, wanted)) {
      show({ span: wanted.span, isLoaded: true });
    } else if (wanted.isMoving) {
      showPart();
      if (!request.isRunning()) fetchIn(fetchedAt + MOVING_MS - performance.now());
    } else {
      holdTimer = setTimeout(showPart, HOLD_MS);
      if (!request.isRunning() || !hasAll(asked, wanted)) fetchAll();
    }
  }

  /** Fetches all of the view, or only what has arrived if the rest is there. */
  function fetchIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => (hasAll(held, wanted) ? fetchArrived() : fetchAll()), Math.max(0, ms));
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

  /** Fetches a part, which has every reading that has arrived until now. */
  function ask(part: WantedPart, onAnswer: (fetched: FetchedPart) => void): void {
    clearTimeout(timer);
    fetchedAt = performance.now();
    unfetched = Math.min(arrivedFrom, request.isRunning() ? unfetched : Number.POSITIVE_INFINITY);
    arrivedFrom = Number.POSITIVE_INFINITY;
    // The browser may have an answer from before they arrived.
    const cache = unfetched < Number.POSITIVE_INFINITY ? 'no-cache' : 'default';
    request.run(
      (signal) => fetchPart(part, { cache, signal }),
      (fetched) => {
        onAnswer(fetched);
        settle();
      },
      ({ message }) => {
        arrivedFrom = Math.min(arrivedFrom, unfetched);
        showPart();
        show({ problem: message });
        fetchIn(RETRY_MS);
      },
    );
  }

  function settle(): void {
    if (hasAll(held, wanted)) {
      clearTimeout(holdTimer);
      show({ span: wanted.span, isLoaded: true, problem: null });
      if (held && arrivedFrom < held.to) fetchIn(fetchedAt + LIVE_MS - performance.now());
    } else {
      fetchIn(fetchedAt + MOVING_MS - performance.now());
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
      if (!request.isRunning()) fetchIn(fetchedAt + LIVE_MS - performance.now());
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(holdTimer);
      request.abort();
    },
  };
}
