import type { AirState, SensorAir, Transition } from '../readings/air/air-state';

/** A sensor's state for notifications. */
export interface WatchedSensor {
  sensor: string;
  air: SensorAir;
  /** The last notified state, or a later one that needed no notification; `good` at first. */
  notified: AirState;
  /** The time of the last message, by the server's clock. Null if `notified` was set without a message. */
  notifiedAt: string | null;
}

/** The changes of one round of judging, stored as a whole or not at all. */
export interface AlertChange {
  /** All readings up to this id are judged. */
  cursor: number;
  /** The complete states of the changed sensors. */
  sensors: WatchedSensor[];
  /** New transitions. Each replaces a stored one with the same sensor, time and state. */
  transitions: Transition[];
  messages: OutboxMessage[];
}

/** An event to deliver to each of `addresses`. Messages are delivered in the order of `AlertChange.messages`. */
export interface OutboxMessage {
  /** The event's id. A message whose id is already stored is ignored. */
  id: string;
  createdAt: string;
  /** The transition that caused the message; null for a reminder, or if there is no single cause. */
  transition: Pick<Transition, 'sensor' | 'at' | 'to'> | null;
  /** The `AlertEvent` as JSON. */
  event: string;
  /** The keys of the addresses. */
  addresses: string[];
}

/** A message that hasn't been delivered to an address yet. */
export interface Delivery {
  message: Pick<OutboxMessage, 'id' | 'createdAt' | 'event'>;
  address: string;
  /** The number of attempts so far. */
  attempts: number;
  /** The message isn't tried again before this time; null if it was never tried. */
  retryAt: string | null;
  /** Lower for a sensor that has been known for longer. */
  firstSeen: number;
  isSummary: boolean;
}

/** An address's undelivered messages: one for each sensor, and summaries. */
export interface Waiting {
  /**
   * The first `WAITING_DELIVERIES` messages: first a message that was already tried, then summaries, then messages about
   * the sensors that have been known for longest.
   */
  deliveries: Delivery[];
  /** The number of sensors with an undelivered message, and the states in these messages. */
  sensors: number;
  states: AirState[];
  /** The outbox position of the newest undelivered message. */
  newest: number;
}

/** An attempt to deliver. `delivered` and `failed` end the delivery; after `retry`, the next attempt is at `retryAt`. */
export interface Attempt {
  messageId: string;
  address: string;
  at: string;
  outcome: 'delivered' | 'failed' | 'retry';
  /** The provider's answer, or the error, for people to read. */
  answer: string;
  retryAt: string | null;
}

/** A transition with the deliveries of its messages. */
export interface RecordedTransition extends Transition {
  deliveries: RecordedDelivery[];
}

/** The last watch for silent sensors. */
export interface Watch {
  /** The end of the watch: ISO 8601 in UTC, by the server's clock. */
  until: string;
  /** The time that sensors still have to send a reading after the last interruption of the watch. */
  patienceMs: number;
}

/** A message that belongs to no single transition, with its deliveries. */
export interface RecordedMessage extends Pick<OutboxMessage, 'id' | 'createdAt' | 'event'> {
  deliveries: RecordedDelivery[];
}

export interface RecordedDelivery {
  messageId: string;
  address: string;
  /** `replaced` if a newer message of the sensor, or a summary, was sent instead. */
  state: 'pending' | 'delivered' | 'failed' | 'replaced';
  /** The newest `RECORDED_ATTEMPTS` attempts, oldest first. */
  attempts: Pick<Attempt, 'at' | 'outcome' | 'answer'>[];
}

/**
 * Stores the state of the notifications, and the outbox of messages. Every method except `close` fails with
 * `StoreUnavailableError` when the store can't be reached.
 */
export interface AlertStore {
  /**
   * Takes or renews the lease for `LEASE_SECONDS`. Only the process with the lease judges and delivers. Returns false
   * while another process has the lease. Also returns false once afterwards, because the state that this process has loaded
   * is then out of date. `waiting` and every change renew the lease too, and fail with `LeaseLostError` without it.
   */
  hold(): Promise<boolean>;
  /** Returns the cursor (null before the first `commit`) and the watched sensors, at most `limit`. */
  load(limit?: number): Promise<{ cursor: number | null; sensors: WatchedSensor[] }>;
  commit(change: AlertChange): Promise<void>;
  /** Stores the last watch. Returns the previous watch, of this or another process; null at first. */
  watch(watch: Watch): Promise<Watch | null>;
  /** Returns a sensor's newest transition; null if there is none. */
  lastTransition(sensor: string): Promise<Transition | null>;
  /**
   * Returns an address's messages that are neither delivered nor failed, due or not. Marks a message as `replaced` if
   * there is a newer one about the same sensor.
   */
  waiting(address: string): Promise<Waiting>;
  /**
   * Adds a summary for an address. It replaces all messages up to the position `newest`, except those with the ids
   * `kept` and earlier summaries. Repeating it is harmless.
   */
  summarize(
    address: string,
    { kept, newest }: { kept: readonly string[]; newest: number },
    summary: Pick<OutboxMessage, 'id' | 'createdAt' | 'event'>,
  ): Promise<void>;
  /** Stores an attempt. Ignores an attempt that is already stored: one with the same message, address and time. */
  record(attempt: Attempt): Promise<void>;
  /** Returns the newest transitions of all sensors, newest first. */
  recent(limit: number): Promise<RecordedTransition[]>;
  /** Returns the newest messages that belong to no single transition, newest first. */
  recentMessages(limit: number): Promise<RecordedMessage[]>;
  /** Removes transitions and completed messages from before a time. A sensor's last transition stays. */
  prune(before: string): Promise<void>;
  /** Releases the lease. */
  close(): Promise<void>;
}

/** The most deliveries that `waiting` returns. */
export const WAITING_DELIVERIES = 8;

/** The most attempts of each delivery that `recent` returns. */
export const RECORDED_ATTEMPTS = 20;

/** After a crash, no other process can notify for up to this long. */
export const LEASE_SECONDS = 30;

/** Thrown when another process judges and delivers now. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}
