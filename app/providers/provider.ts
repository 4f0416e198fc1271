import type { AlertEvent, OutgoingRequest } from './alert-event';

/** A provider of notifications: the addresses in `NOTIFY_URLS` that belong to it, and the request that notifies one. */
export interface Provider {
  /** The name on pages. */
  name: string;
  /** An address for the pages. Words in capitals are to be replaced. */
  example: string;
  /** The scheme of its addresses for `http:`. For `https:`, they have an `s` more, unless there is `urlOf`. */
  scheme: string;
  /**
   * Builds the URL of a provider with one server, whose addresses have no host. Returns what the address lacks, as the rest of
   * a sentence, instead.
   *
   * @param rest what follows `SCHEME://`
   */
  urlOf?(rest: string): URL | string;
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
  /** Reads an answer that says more than its status, or something else. Returns null if the status says all. */
  read?(answer: ProviderAnswer, url: URL): ReadAnswer | null;
}

/** The answer of a provider. `body` is its beginning, of 4 KiB at most. */
interface ProviderAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** What an answer says. `note` explains it to people, and may be missing. */
type ReadAnswer = { note?: string } & (
  | { isFailed: true }
  /** The same message would be refused again, or was sent to some of its receivers. */
  | { isPermanent: true }
  | { retryAfterSeconds: number | undefined }
  /** The receiver has another URL from now on. */
  | { movedTo: URL }
);

/** True if somebody should open a window or check a sensor. */
export function isUrgent({ kind, state }: AlertEvent): boolean {
  return (
    (kind === 'entered' || kind === 'reminder' || kind === 'summary') &&
    (state === 'poor' || state === 'silent')
  );
}
