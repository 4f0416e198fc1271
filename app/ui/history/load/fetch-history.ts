import { askServer } from '../../../live/browser/ask-server';
import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { type ComparedHistory, comparedPieces } from '../../chart/compared-time';
import { earlierPart, hasPart, historyAddress } from './history-part';
import { partToFetch, type WantedHistory, type WantedPart } from './wanted-part';

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

/** Fetches a part, and what it is compared with. Rejects with the reason. */
export async function fetchPart(part: WantedPart, options: RequestInit): Promise<FetchedPart> {
  const { sensor, before, step, from, to } = part;
  const get = async (address: string) => (await askServer<HistoryAnswer>(address, options)).value;
  const pieces = before ? comparedPieces({ from: from * 1000, to: to * 1000 }, before) : [];
  const earlier = earlierPart(step, pieces);
  const [answer, compared] = await Promise.all([
    get(historyAddress(part, sensor)),
    earlier ? get(historyAddress(earlier, sensor)) : { step_seconds: step, steps: [] },
  ]);
  return { answer, compared: before && { answer: compared, unit: before, pieces } };
}
