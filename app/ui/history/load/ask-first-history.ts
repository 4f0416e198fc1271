import { historyAddress } from '../../../readings/history/history-part';
import { resolveSpan, type Span, type SpanContext } from '../../../readings/time/history-span';
import { askedSpan } from '../span/asked-span';
import { chartPoints } from './chart-points';
import { askEarly } from './early-answer';
import { partToFetch, spanOf } from './wanted-part';

declare global {
  /** The document has this script in it, and later scripts import it: both of them know what the first one asked for. */
  var firstHistory: FirstHistory | undefined;
}

/** The history that was asked for first. Times are milliseconds since 1970. */
interface FirstHistory {
  /** Of the request. */
  address: string;
  /** Fulfilled once the answer has arrived or failed. */
  settled: Promise<void>;
  /** The span that it is of. */
  answered: Span;
  /** The span of the page. */
  view: Span;
  context: SpanContext;
}

/**
 * Asks for the history that the page's address names while the rest of the page is loading. Its element in the document
 * (`historySubject`) says whose history that is, and the times of that sensor's first and newest reading.
 *
 * @returns undefined if the viewer has come from another page of airboard
 */
function askFirstHistory(): FirstHistory | undefined {
  const {
    historyOf: sensor,
    firstHeard,
    lastHeard,
  } = document.querySelector<HTMLElement>('[data-history-of]')?.dataset ?? {};
  if (sensor === undefined) return;
  // If the viewer's clock is so wrong that the page shows another span, it asks again.
  const timeOf = (heard?: string) => (heard ? Date.parse(heard) : null);
  const context = { now: Date.now(), first: timeOf(firstHeard), last: timeOf(lastHeard) };
  const view = resolveSpan(askedSpan(location.search, context), context);
  const part = partToFetch({ sensor, span: view, before: null, points: chartPoints(view), isMoving: false });
  const address = historyAddress(part, sensor);
  const settled = askEarly(address);
  return { address, settled, answered: spanOf(part), view, context };
}

/** The script that this module and what it imports are (`scripts/build/shared-scripts.js`). The document has it in it. */
export const FIRST_HISTORY = 'first-history';

if (!import.meta.env.SSR) globalThis.firstHistory ??= askFirstHistory();
