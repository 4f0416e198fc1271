import type { AlertEvent, OutgoingRequest } from './alert-event';

/** A provider of notifications: the addresses in `NOTIFY_URLS` that belong to it, and the request that notifies one. */
export interface Provider {
  /** The name on pages. */
  name: string;
  /** An address for the pages. Words in capitals are to be replaced. */
  example: string;
  /** The scheme of its addresses for `http:`. For `https:`, they have an `s` more. */
  scheme: string;
  /**
   * Returns what an address lacks besides a host, as the rest of a sentence, or null. Left out if a host is enough.
   *
   * @param scheme the scheme as it is written in the address
   */
  fault?(url: URL, scheme: string): string | null;
  /** Set for a program. It gets every message, because a summary wouldn't end its open alerts. */
  takesAll?: true;
  /**
   * Builds the request for an event. Texts contain names of sensors, which any client can choose: mentions, links and
   * formatting have to be escaped.
   *
   * @param url the address, with `http:` or `https:`
   * @param secret `NOTIFY_SECRET`
   */
  request(event: AlertEvent, url: URL, secret: string | null): OutgoingRequest;
}

/** True if somebody should open a window or check a sensor. */
export function isUrgent({ kind, state }: AlertEvent): boolean {
  return (
    (kind === 'entered' || kind === 'reminder' || kind === 'summary') &&
    (state === 'poor' || state === 'silent')
  );
}
