import type { RoomNoticeKind } from '../readings/air/air-report';
import type { AirState } from '../readings/air/air-state';
import type { MetricValues } from '../readings/reading';

/**
 * The reason for an event: a state began (`entered`) or a notified state is over (`ended`), a state lasts (`reminder`),
 * a window can be closed (`aired`), a sensor can't be believed (`sensor`), many sensors changed at once (`summary`), or a
 * person tests the addresses (`test`).
 */
export type EventKind = 'entered' | 'ended' | 'reminder' | RoomNoticeKind | 'summary' | 'test';

/**
 * The content of a message, stored in the outbox as JSON. The metric values are from the reading that caused it; for a
 * silence or a reminder, they are the last known ones.
 */
export interface AlertEvent extends MetricValues {
  /** The same for every attempt and every address. */
  id: string;
  kind: EventKind;
  /** Empty for the unnamed sensor. */
  sensor: string;
  state: AirState;
  /** The previously notified state. For a reminder or a notice about a room, the same as `state`. */
  before: AirState;
  /**
   * `at` is when the state changed, and `since` when the air first reached it. Both are ISO 8601 in UTC, by the
   * sensor's clock. For a reminder, `at` is the server's time. For a notice about a room, `at` is the server's time,
   * and `since` the start of the airing.
   */
  at: string;
  since: string;
  title: string;
  /** A sentence such as `CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.` */
  text: string;
  /**
   * A link to `/history` around the event; null without `PUBLIC_URL`, because the server doesn't know its own address.
   */
  url: string | null;
}

/**
 * The outcome of one attempt. `text` is for people and contains no secrets: the status and the beginning of the body,
 * or the error. `isPermanent` ends the attempts.
 */
export type SendOutcome =
  | { isDelivered: true; text: string }
  | { isDelivered: false; text: string; retryAfterSeconds?: number; isPermanent?: true };

/** A POST request that notifies a provider. */
export interface OutgoingRequest {
  /** A user and a password in the URL are sent as Basic authentication. */
  url: URL;
  /** A string is sent unchanged, anything else as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface AlertAddress {
  /** A hash that identifies the address in the store across restarts, without its secrets. */
  key: string;
  /** The address to show to people, with its secrets hidden. */
  label: string;
  /** True for a program such as Alertmanager. It gets every message, because a summary wouldn't end its open alerts. */
  takesAll?: boolean;
  /** Sends an event once. Never rejects; stops when `signal` is aborted. */
  send(event: AlertEvent, signal: AbortSignal): Promise<SendOutcome>;
}
