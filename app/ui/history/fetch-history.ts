import { type ComparedHistory, comparedPieces } from '../../readings/history/compared-time';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import {
  earlierPart,
  type HistoryPart,
  hasPart,
  historyAddress,
  partOf,
  stepOf,
} from '../../readings/history/history-part';
import type { CalendarUnit, Span } from '../../readings/time/history-span';
import { arrivedEarly, askHistory } from './early-answers';

/** How much more is fetched on both sides of a view that moves, as a share of it. */
const MOVING_MARGIN = 0.5;

/** The view that the chart needs data for. */
export interface WantedHistory {
  sensor: string;
  span: Span;
  /** The unit before, with which it is compared; null without comparison. */
  before: CalendarUnit | null;
  /** The most points that the chart draws. */
  points: number;
  /** True while the viewer zooms or moves the chart. */
  isMoving: boolean;
}

/** The steps of a sensor, and the unit before, with which they are compared. */
export interface WantedPart extends HistoryPart {
  sensor: string;
  before: CalendarUnit | null;
}

/** Returns the steps to fetch for a view. */
export function partToFetch({ sensor, span, before, points, isMoving }: WantedHistory): WantedPart {
  return { ...partOf(span, stepOf(span, points), isMoving ? MOVING_MARGIN : 0), sensor, before };
}

/** Returns true if a part has all that a view needs. */
export function hasAll(part: WantedPart | undefined, wanted: WantedHistory): boolean {
  const needed = partToFetch({ ...wanted, isMoving: false });
  return part?.sensor === needed.sensor && part.before === needed.before && hasPart(part, needed);
}

/** A part, and what it is compared with. */
export interface FetchedPart {
  answer: HistoryAnswer;
  compared: ComparedHistory | null;
}

/** Returns the part that a view needs if its answer has been asked for early, and has arrived. */
export function earlyPart(wanted: WantedHistory): { part: WantedPart; answer: HistoryAnswer } | null {
  const part = partToFetch(wanted);
  const answer =
    part.before === null ? arrivedEarly<HistoryAnswer>(historyAddress(part, part.sensor)) : undefined;
  return answer ? { part, answer } : null;
}

/** Fetches a part, and what it is compared with. Rejects with the reason. */
export async function fetchPart(part: WantedPart, options: RequestInit): Promise<FetchedPart> {
  const { sensor, before, step, from, to } = part;
  const get = (address: string) => askHistory<HistoryAnswer>(address, options);
  const pieces = before ? comparedPieces({ from: from * 1000, to: to * 1000 }, before) : [];
  const earlier = earlierPart(step, pieces);
  const [answer, compared] = await Promise.all([
    get(historyAddress(part, sensor)),
    earlier ? get(historyAddress(earlier, sensor)) : { step_seconds: step, steps: [] },
  ]);
  return { answer, compared: before && { answer: compared, unit: before, pieces } };
}
