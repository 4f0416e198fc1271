import type { AirState, SensorAir, Transition } from '../readings/air/air-state';

/** A sensor as the alerts know it. */
export interface WatchedSensor {
  sensor: string;
  air: SensorAir;
  /** The state that people were notified of last, or that they didn't want to be notified of since; `good` at first. */
  notified: AirState;
  /** When the last message was sent, by the server's clock; null if `notified` counts as known without one. */
  notifiedAt: string | null;
}

/** What one round of judging changed. It is stored whole or not at all. */
export interface AlertChange {
  /** All readings up to this id are judged. */
  cursor: number;
  /** The sensors that changed, each whole. */
  sensors: WatchedSensor[];
  /** One with the sensor, time and state of a stored one takes its place, and is no longer withdrawn. */
  transitions: Transition[];
  /**
   * Transitions that late readings have shown to be none. Those that a message tells of stay, marked as withdrawn. They
   * are withdrawn before `transitions` are stored.
   */
  withdrawn: Pick<Transition, 'sensor' | 'at' | 'to'>[];
  messages: OutboxMessage[];
}

/** An event to deliver to each of `addresses`, in the order of `messages`. */
export interface OutboxMessage {
  /** The event's id. A message with the id of a stored one changes nothing. */
  id: string;
  createdAt: string;
  /** The transition that it tells of; null for a reminder, and for what no single transition explains. */
  transition: Pick<Transition, 'sensor' | 'at' | 'to'> | null;
  /** The `AlertEvent`, as JSON. */
  event: string;
  /** Keys of addresses. */
  addresses: string[];
}

/** A message that an address has not got yet. */
export interface Delivery {
  message: Pick<OutboxMessage, 'id' | 'createdAt' | 'event'>;
  address: string;
  /** Attempts so far. */
  attempts: number;
  /** Before this time it is not tried again; null if it was never tried. */
  retryAt: string | null;
  /** Lower for a sensor that has been known for longer. */
  firstSeen: number;
  isSummary: boolean;
}

/** The messages that an address has not got yet: one of each sensor, and summaries. */
export interface Waiting {
  /**
   * The first `WAITING_DELIVERIES` of them: one that was tried before, then summaries, then those of the sensors that have
   * been known longest.
   */
  deliveries: Delivery[];
  /** The number of sensors that have a message, and the states of these messages. */
  sensors: number;
  states: AirState[];
  /** The place of the newest message in the outbox. */
  newest: number;
}

/** What an attempt came to. `delivered` and `failed` end the delivery; after `retry` it is due again at `retryAt`. */
export interface Attempt {
  messageId: string;
  address: string;
  at: string;
  outcome: 'delivered' | 'failed' | 'retry';
  /** What was answered, for people. */
  answer: string;
  retryAt: string | null;
}

/** A transition with what was sent about it. */
export interface RecordedTransition extends Omit<Transition, 'air'> {
  isWithdrawn: boolean;
  deliveries: RecordedDelivery[];
}

/** Until when readings were watched. */
export interface Watch {
  /** ISO 8601 in UTC, by the server's clock. */
  until: string;
  /** How long sensors that haven't been heard since the last break still had to be heard. */
  patienceMs: number;
}

/** A message that tells of no single transition, with what was sent. */
export interface RecordedMessage extends Pick<OutboxMessage, 'id' | 'createdAt' | 'event'> {
  deliveries: RecordedDelivery[];
}

export interface RecordedDelivery {
  messageId: string;
  address: string;
  /** `replaced` if a newer message of the sensor, or a summary, was sent instead. */
  state: 'pending' | 'delivered' | 'failed' | 'replaced';
  /** The newest `RECORDED_ATTEMPTS`, oldest first. */
  attempts: Pick<Attempt, 'at' | 'outcome' | 'answer'>[];
}

/**
 * Keeps what the alerts know, and the outbox of messages. Every method except `close` fails with
 * `StoreUnavailableError` when the store can't be reached.
 */
export interface AlertStore {
  /**
   * Makes this process the only one that judges and delivers, for `LEASE_SECONDS` from now on; false while another one
   * is, and once if another one was meanwhile: what this process has loaded before is out of date then. Every change by a
   * process that is no longer the one fails with `LeaseLostError`, and so does `waiting`. While it is, each of them
   * makes it so for another `LEASE_SECONDS`.
   */
  hold(): Promise<boolean>;
  /** Returns the cursor, null before the first `commit`, and every watched sensor. */
  load(): Promise<{ cursor: number | null; sensors: WatchedSensor[] }>;
  commit(change: AlertChange): Promise<void>;
  /** Notes until when readings are watched. Returns what was noted before, by this or another process; null at first. */
  watch(watch: Watch): Promise<Watch | null>;
  /**
   * Returns the transitions of a sensor at or after a time, oldest first, and before them the last one earlier. Leaves out
   * those that are withdrawn.
   */
  transitionsSince(sensor: string, from: string): Promise<Transition[]>;
  /**
   * Returns the messages that an address hasn't got and that haven't failed for good, due or not. A message that is older
   * than another one of its sensor is `replaced`.
   */
  waiting(address: string): Promise<Waiting>;
  /**
   * Adds a summary for an address, which gets it instead of all messages up to the place `newest`, but for those with the
   * ids `kept` and earlier summaries. Repeating it is harmless.
   */
  summarize(
    address: string,
    { kept, newest }: { kept: readonly string[]; newest: number },
    summary: Pick<OutboxMessage, 'id' | 'createdAt' | 'event'>,
  ): Promise<void>;
  /** Stores an attempt. One with the message, address and time of a stored one changes nothing. */
  record(attempt: Attempt): Promise<void>;
  /** Returns the newest transitions of all sensors, newest first. */
  recent(limit: number): Promise<RecordedTransition[]>;
  /** Returns the newest messages that tell of no single transition, newest first. */
  recentMessages(limit: number): Promise<RecordedMessage[]>;
  /** Removes transitions and ended messages from before a time; a sensor's last transition stays. */
  prune(before: string): Promise<void>;
  /** Gives the lease back. */
  close(): Promise<void>;
}

/** The part of a store that an evaluator needs; it may be in memory. */
export type EvaluatorStore = Pick<AlertStore, 'load' | 'commit' | 'watch' | 'transitionsSince'>;

/** Deliveries that `waiting` returns. */
export const WAITING_DELIVERIES = 8;

/** Attempts of each delivery that `recent` returns. */
export const RECORDED_ATTEMPTS = 20;

/** How long a process that has stopped without a word keeps others from telling. */
export const LEASE_SECONDS = 30;

/** Thrown when another process judges and delivers by now. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}
