import type { AirState, SensorAir, Transition } from '../readings/air/air-state';

/** A sensor's state for notifications. */
export interface WatchedSensor {
  sensor: string;
  air: SensorAir;
  /** The last notified state, or a later one that needed no notification; `good` at first. */
  notified: AirState;
  /** The time of the last message by the server's clock; null if `notified` was set without a message. */
  notifiedAt: string | null;
}

/** The changes of one round of judging, stored as a whole or not at all. */
export interface AlertChange {
  /** All readings up to this id are judged. */
  cursor: number;
  /** The complete states of the changed sensors. */
  sensors: WatchedSensor[];
  /**
   * The new transitions. A transition with the same sensor, time and state as a stored one replaces it, and is no longer
   * withdrawn.
   */
  transitions: Transition[];
  /**
   * Transitions that late readings have disproved. Those with a message stay stored, marked as withdrawn. They are
   * withdrawn before `transitions` are stored.
   */
  withdrawn: Pick<Transition, 'sensor' | 'at' | 'to'>[];
  messages: OutboxMessage[];
}

/** An event to deliver to each of `addresses`. Messages are delivered in the order of `AlertChange.messages`. */
export interface OutboxMessage {
  /** The event's id. A message whose id is already stored is ignored. */
  id: string;
  createdAt: string;
  /** The transition that caused the message; null for a reminder or if no single transition explains it. */
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

/** The messages that haven't been delivered to an address yet: one for each sensor, and summaries. */
export interface Waiting {
  /**
   * The first `WAITING_DELIVERIES` messages. A message that was already tried comes first, then summaries, then the
   * sensors known for longest.
   */
  deliveries: Delivery[];
  /** The number of sensors with a message, and the states of these messages. */
  sensors: number;
  states: AirState[];
  /** The position of the newest message in the outbox. */
  newest: number;
}

/** The result of an attempt. `delivered` and `failed` end the delivery; after `retry` it is due again at `retryAt`. */
export interface Attempt {
  messageId: string;
  address: string;
  at: string;
  outcome: 'delivered' | 'failed' | 'retry';
  /** The answer or the error, for people. */
  answer: string;
  retryAt: string | null;
}

/** A transition with the deliveries of its messages. */
export interface RecordedTransition extends Omit<Transition, 'air'> {
  isWithdrawn: boolean;
  deliveries: RecordedDelivery[];
}

/** The end of the last watch for silent sensors. */
export interface Watch {
  /** ISO 8601 in UTC, by the server's clock. */
  until: string;
  /** The time that sensors without a reading since the last break still have to send one. */
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
   * Takes or renews the lease for `LEASE_SECONDS`. Only the process that holds the lease judges and delivers. Returns
   * false while another process holds it, and once after another process has held it, because the state that this process
   * has loaded is then out of date. Without the lease, every change and `waiting` fail with `LeaseLostError`. Each of
   * them also renews the lease.
   */
  hold(): Promise<boolean>;
  /** Returns the cursor (null before the first `commit`) and every watched sensor. */
  load(): Promise<{ cursor: number | null; sensors: WatchedSensor[] }>;
  commit(change: AlertChange): Promise<void>;
  /** Stores the last watch. Returns the previous one, from this or another process; null at first. */
  watch(watch: Watch): Promise<Watch | null>;
  /**
   * Returns a sensor's transitions from a time on, oldest first, preceded by the last earlier one. Leaves out withdrawn
   * transitions.
   */
  transitionsSince(sensor: string, from: string): Promise<Transition[]>;
  /**
   * Returns an address's messages that are neither delivered nor failed, due or not. Marks a message as `replaced` if a
   * newer one of its sensor exists.
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
  /** Stores an attempt. Ignores one whose message, address and time are already stored. */
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

/** The part of a store that an evaluator needs. It may be in memory. */
export type EvaluatorStore = Pick<
  AlertStore,
  'load' | 'commit' | 'watch' | 'transitionsSince' | 'recentMessages'
>;

/** The most deliveries that `waiting` returns. */
export const WAITING_DELIVERIES = 8;

/** The most attempts of each delivery that `recent` returns. */
export const RECORDED_ATTEMPTS = 20;

/** A process that has crashed keeps others from notifying for up to this long. */
export const LEASE_SECONDS = 30;

/** Thrown when another process judges and delivers now. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}
