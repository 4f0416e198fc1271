import { type AskedSpan, TODAY } from '../../../readings/time/history-span';
import { parseSpan } from '../../../readings/time/span-address';

/** Returns the span of an address. The server rejects a wrong one before a page is shown. */
export function askedSpan(search: string): AskedSpan {
  try {
    return parseSpan(new URLSearchParams(search));
  } catch {
    return TODAY;
  }
}
