import type { AirState } from '../readings/air/air-state';
import type { MetricValues } from '../readings/reading';

/**
 * The reason of an event: a state began, all is well again, a state lasts, many sensors changed at once, or a person tests the
 * addresses.
 */
export type EventKind = 'entered' | 'ended' | 'reminder' | 'summary' | 'test';

/**
 * The content of a message, stored in the outbox as JSON. Its values are those of the reading that decided it; the last known ones of
 * a silence and a reminder.
 */
export interface AlertEvent extends MetricValues {
  /** The same at each attempt and for every address. */
  id: string;
  kind: EventKind;
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  state: AirState;
  /** The state before it, outside quiet hours; that of a reminder is the same. */
  before: AirState;
  /**
   * When the state changed, and since when it is so: times of the sensor, ISO 8601 in UTC. A reminder is `at` the server's
   * time.
   */
  at: string;
  since: string;
  title: string;
  /** A sentence such as `CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.` */
  text: string;
  /** The span around it on `/history`; null where the server doesn't know its own address (`PUBLIC_URL`). */
  url: string | null;
}

/** An answer of an address. `text` is for people: a status and the beginning of the body, or what failed, without secrets. */
export type SendOutcome =
  | { isDelivered: true; text: string }
  | { isDelivered: false; text: string; retryAfterSeconds?: number; isGone?: true };

/** A POST of JSON that notifies a provider. */
export interface OutgoingRequest {
  /** May have a user and a password, which are sent as Basic authentication. */
  url: URL;
  /** Text is sent as it is, anything else as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface AlertAddress {
  /** Names the address in the store, over restarts, without its secrets: a hash. */
  key: string;
  /** The address for people, with its secrets hidden. */
  label: string;
  /** True if it gets each message: it isn't a person's, and a summary would leave it with states that are over. */
  takesAll?: boolean;
  /** Sends an event once; never rejects. Ends when `signal` is aborted. */
  send(event: AlertEvent, signal: AbortSignal): Promise<SendOutcome>;
}
