import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { drawFirstHistory } from '../../chart/first/first-history';
import { arrivedEarly } from './early-answer';

/** Draws the history that was asked for first, unless the page has taken the answer to draw it itself. */
async function drawWhenArrived(): Promise<void> {
  if (!globalThis.firstHistory) return;
  const { address, settled, ...shown } = globalThis.firstHistory;
  await settled;
  const answer = arrivedEarly<HistoryAnswer>(address);
  if (answer) drawFirstHistory({ answer, ...shown });
}

/** The script that this module and what it imports are (`scripts/build/shared-scripts.js`). It runs before React has come. */
export const FIRST_SPAN = 'first-span';

if (!import.meta.env.SSR) drawWhenArrived();
