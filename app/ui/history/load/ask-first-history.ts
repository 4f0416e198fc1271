import { historyAddress } from '../../../readings/history/history-part';
import { resolveSpan } from '../../../readings/time/history-span';
import { askedSpan } from '../span/asked-span';
import { chartPoints } from './chart-points';
import { askEarly } from './early-answer';
import { partToFetch } from './wanted-part';

/** Says on the server's page whose history it shows, and when that sensor was first heard. */
export interface HistorySubject {
  'data-history-of': string;
  'data-first-heard': string | undefined;
}

export function historySubject(sensor: string, firstHeard: string | undefined): HistorySubject {
  return { 'data-history-of': sensor, 'data-first-heard': firstHeard };
}

/**
 * Asks for the history that the page's address names while the rest of the page's scripts are loading. Does nothing if the
 * viewer has come from another page of airboard.
 */
function askFirstHistory(): void {
  const { historyOf: sensor, firstHeard } =
    document.querySelector<HTMLElement>('[data-history-of]')?.dataset ?? {};
  if (sensor === undefined) return;
  // If the viewer's clock is so wrong that the page shows another span, it asks again.
  const context = { now: Date.now(), first: firstHeard ? Date.parse(firstHeard) : null };
  const span = resolveSpan(askedSpan(location.search), context);
  const part = partToFetch({ sensor, span, before: null, points: chartPoints(span), isMoving: false });
  askEarly(historyAddress(part, sensor));
  new Worker(new URL('./first-format.ts', import.meta.url), { type: 'module' });
}

// This module and what it imports are a script of their own, which `FirstScript` runs before the others have come.
if (!import.meta.env.SSR) askFirstHistory();
