import { askServer, type ServerRequest } from '../../live/browser/ask-server';
import { keepAsking } from '../../live/browser/use-live';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import { MAX_STEPS, STEPS, stepFor } from '../../readings/history/history-step';
import { type Reading, sensorOf } from '../../readings/reading';
import { DAY_MS, DAY_S } from '../../readings/time/durations';
import type { CalendarUnit, Span } from '../../readings/time/history-span';
import { formatTime } from '../../readings/time/span-address';
import { type ComparedHistory, type ComparedPiece, comparedPieces } from '../chart/compared-time';

const MOVING_MS = 150;
/** The previous answer stays on screen for up to this long while the next one loads. */
export const HOLD_MS = 400;
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

export interface WantedHistory {
  sensor: string;
  span: Span;
  /** The time to load, if that is more than the span. */
  reach?: Span;
  /** How far back the comparison goes; null without one. */
  before: CalendarUnit | null;
  points: number;
  isMoving: boolean;
}

/** Complete steps of a history. All numbers are in seconds. */
interface Steps {
  step: number;
  from: number;
  to: number;
}

interface HistoryPart extends Steps {
  sensor: string;
  before: CalendarUnit | null;
}

interface FetchedPart {
  answer: HistoryAnswer;
  compared: ComparedHistory | null;
}

export interface HistoryLoader {
  want(wanted: WantedHistory): void;
  /** Fetches the steps that new readings change, or everything for null. Ignores readings of other sensors. */
  arrived(readings: readonly Reading[] | null): void;
  stop(): void;
}

const NOTHING = { answer: null, answered: null, compared: null };
const NEVER = Number.POSITIVE_INFINITY;

/** Loads a chart's history, one request at a time. The current history stays visible until the next answer. */
export function loadHistory(onChange: (shown: ShownHistory) => void): HistoryLoader {
  let wanted: WantedHistory;
  let shown: ShownHistory | undefined;
  let held: HistoryPart | undefined;
  let asked: HistoryPart | undefined;
  /** The time of the oldest new reading that no request covers yet, in seconds. */
  let arrivedFrom = NEVER;
  /** The time of the oldest new reading that no answer but the current request covers, in seconds. */
  let unfetched = NEVER;
  let holdTimer: ReturnType<typeof setTimeout> | undefined;

  const asking = keepAsking<() => void>({
    // Fetches only new readings if the rest is loaded.
    ask: (request) => (held && hasAll(held, wanted) ? askArrived(held, request) : askAll(request)),
    onAnswer(showAnswer) {
      unfetched = NEVER;
      showAnswer();
      if (!hasAll(held, wanted)) return asking.again(MOVING_MS);
      clearTimeout(holdTimer);
      show({ span: wanted.span, isLoaded: true, problem: null });
    },
    onFailure({ message }) {
      arrivedFrom = Math.min(arrivedFrom, unfetched);
      showPart();
      show({ problem: message });
    },
  });

  async function askAll(request: ServerRequest): Promise<() => void> {
    const part = partToFetch(wanted);
    asked = part;
    const fetched = await fetchPart(part, { ...request, cache: takeArrived() });
    return () => {
      held = part;
      show({ ...fetched, sensor: part.sensor, answered: spanOf(part), problem: null });
    };
  }

  function askArrived(part: HistoryPart, request: ServerRequest): Promise<() => void> | null {
    if (arrivedFrom >= part.to) return null;
    const from = Math.max(part.from, Math.floor(arrivedFrom / part.step) * part.step);
    const tail = fetchPart({ ...part, from, before: null }, { ...request, cache: takeArrived() });
    return tail.then(({ answer }) => () => {
      if (shown?.answer) show({ answer: withTail(shown.answer, answer, from) });
    });
  }

  /** Returns how to use the browser's cache, which may hold an answer from before the new readings. */
  function takeArrived(): RequestCache {
    unfetched = Math.min(unfetched, arrivedFrom);
    arrivedFrom = NEVER;
    return unfetched < NEVER ? 'no-cache' : 'default';
  }

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

  return {
    want(next) {
      wanted = next;
      clearTimeout(holdTimer);
      if (hasAll(held, wanted)) {
        show({ span: wanted.span, isLoaded: true });
      } else if (wanted.isMoving) {
        showPart();
        asking.again(MOVING_MS);
      } else {
        holdTimer = setTimeout(showPart, HOLD_MS);
        if (!asking.isRunning() || !hasAll(asked, wanted)) asking.now();
      }
    },
    arrived(readings) {
      const own = readings?.filter((reading) => sensorOf(reading) === wanted.sensor);
      const isAskedFor = (time: number) =>
        [held, asked].some((part) => part && time >= part.from && time < part.to);
      const times = own?.map(({ created_at }) => Date.parse(created_at) / 1000).filter(isAskedFor) ?? [0];
      if (times.length === 0) return;
      arrivedFrom = Math.min(arrivedFrom, ...times);
      asking.again(LIVE_MS);
    },
    stop() {
      clearTimeout(holdTimer);
      asking.stop();
    },
  };
}

/** Enough for a day in 2-minute steps (720), a month in hours (745) or two years in days. */
const POINTS = 750;
/** On a narrow screen, enough for a month in 2-hour steps (373). Also for a year in days (367), which is clearer than half days. */
const FEW_POINTS = 375;

/** A media query, because reading the width would force a layout. */
const WIDE = '(min-width: 600px)';
const LONG_MS = 200 * DAY_MS;
/** Above this, steps are days or weeks. */
const VERY_LONG_MS = FEW_POINTS * DAY_MS;

/** Returns the maximum number of points in a span's chart. */
export function chartPoints({ from, to }: Span): number {
  if (to - from > VERY_LONG_MS) return POINTS;
  return to - from > LONG_MS || !window.matchMedia(WIDE).matches ? FEW_POINTS : POINTS;
}

const MOVING_MARGIN = 0.5;

function partToFetch({ sensor, span, reach = span, before, points, isMoving }: WantedHistory): HistoryPart {
  return { ...stepsOf(reach, stepOf(span, points), isMoving ? MOVING_MARGIN : 0), sensor, before };
}

export function hasAll(part: HistoryPart | undefined, wanted: WantedHistory): boolean {
  const needed = partToFetch({ ...wanted, isMoving: false });
  return (
    part?.sensor === needed.sensor &&
    part.before === needed.before &&
    part.step === needed.step &&
    part.from <= needed.from &&
    part.to >= needed.to
  );
}

/** Returns the step length in seconds for a span drawn with at most `points` points. */
export function stepOf({ from, to }: Span, points: number): number {
  return stepFor(Math.floor(from / 1000), Math.ceil(to / 1000), points) ?? Math.max(...STEPS);
}

/**
 * Returns the steps that cover a span and one more on each side. With `margin`, adds this share of them on each side, as
 * far as `MAX_STEPS` allows.
 */
export function stepsOf({ from, to }: Span, step: number, margin = 0): Steps {
  const [first, end] = [Math.floor(from / 1000 / step) - 1, Math.ceil(to / 1000 / step) + 1];
  const more = Math.floor(Math.min((end - first) * margin, (MAX_STEPS - (end - first)) / 2));
  return { step, from: (first - more) * step, to: (end + more) * step };
}

function spanOf({ from, to }: Steps): Span {
  return { from: from * 1000, to: to * 1000 };
}

async function fetchPart(part: HistoryPart, request: ServerRequest): Promise<FetchedPart> {
  const { sensor, before, step } = part;
  const get = async (steps: Steps) =>
    (await askServer<HistoryAnswer>(historyAddress(steps, sensor), request)).value;
  const pieces = before ? comparedPieces(spanOf(part), before) : [];
  const earlier = earlierSteps(step, pieces);
  const [answer, compared] = await Promise.all([
    get(part),
    earlier ? get(earlier) : { step_seconds: step, steps: [] },
  ]);
  return { answer, compared: before && { answer: compared, unit: before, pieces } };
}

/** Returns the earlier steps to compare with; null if there are no pieces. */
function earlierSteps(step: number, pieces: readonly ComparedPiece[]): Steps | null {
  if (pieces.length === 0) return null;
  const from = Math.min(...pieces.map((piece) => piece.from - piece.shift));
  const to = Math.max(...pieces.map((piece) => piece.to - piece.shift));
  return { step, from: Math.floor(from / 1000 / step) * step, to: Math.ceil(to / 1000 / step) * step };
}

/** Returns the API address of some steps. Daily steps start at the viewer's midnight. */
export function historyAddress({ step, from, to }: Steps, sensor: string): string {
  const asked: Record<string, string> = { step: String(step) };
  if (step === DAY_S) asked.zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return apiAddress('history', sensor, spanOf({ step, from, to }), asked);
}

export function apiAddress(
  path: 'history' | 'summary' | 'pattern',
  sensor: string,
  { from, to }: Span,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ from: formatTime(from), to: formatTime(to), ...more, sensor });
  // A colon needs no encoding, and the address is easier to read without it.
  return `/api/${path}?${String(query).replaceAll('%3A', ':')}`;
}

/** Replaces an answer's steps from a time on (seconds since 1970). The first replaced step may start earlier. */
export function withTail(answer: HistoryAnswer, tail: HistoryAnswer, from: number): HistoryAnswer {
  const replaced = Math.min(from * 1000, Date.parse(tail.steps[0]?.start ?? '') || Number.POSITIVE_INFINITY);
  const kept = answer.steps.filter(({ start }) => Date.parse(start) < replaced);
  return { ...answer, steps: [...kept, ...tail.steps] };
}
