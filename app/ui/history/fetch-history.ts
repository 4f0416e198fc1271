import type { HistoryAnswer } from '../../readings/history-answer';
import {
  earlierPart,
  type HistoryPart,
  hasPart,
  historyAddress,
  partOf,
  stepOf,
} from '../../readings/history-part';
import type { Span } from '../../readings/history-span';
import { arrivedEarly, askHistory } from './early-answers';

/** How much more is fetched on both sides of a view that moves, as a share of it. */
const MOVING_MARGIN = 0.5;

/** What is to be shown. */
export interface WantedHistory {
  sensor: string;
  span: Span;
  /** How much later than the compared span, in milliseconds; null without comparison. */
  shift: number | null;
  /** The most points that the chart draws. */
  points: number;
  /** True while the viewer zooms or moves the chart. */
  isMoving: boolean;
}

/** The answer for the time before, which is drawn `shift` milliseconds later. */
export interface ComparedHistory {
  answer: HistoryAnswer;
  shift: number;
}

/** The steps of a sensor, and by how much those that they are compared with are moved. */
export interface WantedPart extends HistoryPart {
  sensor: string;
  shift: number | null;
}

/** Returns the steps to fetch for a view. */
export function partToFetch({ sensor, span, shift, points, isMoving }: WantedHistory): WantedPart {
  return { ...partOf(span, stepOf(span, points), isMoving ? MOVING_MARGIN : 0), sensor, shift };
}

/** Returns true if a part has all that a view needs. */
export function hasAll(part: WantedPart | undefined, wanted: WantedHistory): boolean {
  const needed = partToFetch({ ...wanted, isMoving: false });
  return part?.sensor === needed.sensor && part.shift === needed.shift && hasPart(part, needed);
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
    part.shift === null ? arrivedEarly<HistoryAnswer>(historyAddress(part, part.sensor)) : undefined;
  return answer ? { part, answer } : null;
}

/** Fetches a part, and what it is compared with. Rejects with the reason. */
export async function fetchPart(part: WantedPart, options: RequestInit): Promise<FetchedPart> {
  const { sensor, shift } = part;
  const get = (address: string) => askHistory<HistoryAnswer>(address, options);
  const [answer, compared] = await Promise.all([
    get(historyAddress(part, sensor)),
    shift === null ? null : get(historyAddress(earlierPart(part, shift), sensor)),
  ]);
  return { answer, compared: compared && shift !== null ? { answer: compared, shift } : null };
}
