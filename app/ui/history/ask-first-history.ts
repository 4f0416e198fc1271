import { historyAddress } from '../../readings/history/history-part';
import { resolveSpan } from '../../readings/time/history-span';
import { chartPoints } from './chart-points';
import { askEarly } from './early-answers';
import { partToFetch } from './fetch-history';
import { askedSpan } from './use-span';

/**
 * Asks for the history that the page's address names while React hydrates the page, which takes longer than the answer. Does
 * nothing if the viewer has come from another page of airboard.
 */
export function askFirstHistory(): void {
  const { historyOf: sensor, firstHeard } =
    document.querySelector<HTMLElement>('[data-history-of]')?.dataset ?? {};
  if (sensor === undefined) return;
  // If the viewer's clock is so wrong that the page shows another span, it asks again.
  const context = { now: Date.now(), first: firstHeard ? Date.parse(firstHeard) : null };
  const span = resolveSpan(askedSpan(location.search), context);
  const part = partToFetch({ sensor, span, before: null, points: chartPoints(), isMoving: false });
  askEarly(historyAddress(part, sensor));
}
