import type { MetricValues } from '../reading';
import type { AirState, Transition } from './air-state';

/** The content of `/notifications`, as `/api/notifications` sends it. Times are ISO 8601 in UTC, durations milliseconds. */
export interface AirReport {
  /** The server's clock when it made the report. */
  now: string;
  settings: ReportedSettings;
  /** The worst air first, at most `MAX_SENSORS`. */
  sensors: SensorReport[];
  sensorCount: number;
  /** In the order of `NOTIFY_URLS`. */
  addresses: AddressReport[];
  /** The newest transitions of all sensors, newest first, at most 50. */
  transitions: TransitionReport[];
  /** The newest messages without a transition, newest first, at most 50. */
  messages: MessageReport[];
}

/** The recent deliveries to an address, from the reported transitions and messages. */
export interface AddressReport {
  /** With its secrets hidden. */
  address: string;
  /** The newest attempt; null if there was none. */
  last: AttemptReport | null;
  /** The time of the first attempt since the last one that was delivered; null unless the newest one failed. */
  failingSince: string | null;
  /** The time of the next attempt; null if nothing waits, or another server sends. */
  nextAttempt: string | null;
}

/** The settings of notifications. */
export interface ReportedSettings {
  afterMs: number;
  /** Null: learnt for each sensor. */
  silentAfterMs: number | null;
  on: AirState[];
  /** Times of day in `timeZone`, such as `22:00`; null if it is told at any time. */
  quiet: { from: string; to: string } | null;
  timeZone: string;
  /** The interval of reminders; null for none. */
  againMs: number | null;
}

export interface SensorReport extends MetricValues {
  sensor: string;
  state: AirState;
  /** The first reading of the run that led to the level; the last reading before a silence. */
  since: string;
  /** The states that it changes to if its readings go on as they are. */
  pending: PendingState[];
  /** The time and the values of its newest reading. */
  newest: string;
}

/** A state that hasn't lasted long enough yet. */
export interface PendingState {
  to: AirState;
  since: string;
  at: string;
}

/** A change of a sensor's state, and what was sent about it. */
export interface TransitionReport extends Omit<Transition, 'air'> {
  /** True if late readings have shown that it didn't happen. */
  isWithdrawn: boolean;
  /** Why nothing was sent; null if something was. */
  untold: UntoldReason | null;
  deliveries: DeliveryReport[];
}

/**
 * Why nothing was sent about a transition: its states aren't in `NOTIFY_ON`; it was over when it became known, or in quiet
 * hours; it waits for the end of quiet hours, or for readings that decide it; or it was so when its sensor was first seen.
 */
export type UntoldReason = 'not-chosen' | 'over' | 'over-in-quiet' | 'quiet' | 'not-yet' | 'before';

/** A message that no single transition caused: a reminder, a summary, or a state after readings had come late. */
export interface MessageReport extends MetricValues {
  id: string;
  title: string;
  /** When it was made, by the server's clock. */
  at: string;
  kind: 'entered' | 'ended' | 'reminder' | 'summary';
  sensor: string;
  state: AirState;
  deliveries: DeliveryReport[];
}

/** What was sent to one address. */
export interface DeliveryReport {
  /** The id of the event, as in `webhook-id`. */
  id: string;
  /** The address with its secrets hidden; null if it is no longer set. */
  address: string | null;
  /** `replaced` if a newer message of the sensor, or a summary, was sent instead. */
  state: 'pending' | 'delivered' | 'failed' | 'replaced';
  /** The newest 20, oldest first. */
  attempts: AttemptReport[];
}

export interface AttemptReport {
  at: string;
  outcome: 'delivered' | 'failed' | 'retry';
  answer: string;
}

export interface TestAnswer {
  address: string;
  isDelivered: boolean;
  answer: string;
}

/** The state of a sensor's air as `/api/air` says it, by which browsers show notifications of their own. */
export interface AirAnswer {
  sensor: string;
  /** One of `NOTIFY_ON`, or good; null while it may be another one as soon as more is known. */
  state: AirState | null;
  /** Only for one sensor: what to show where the state before was `before`; null for nothing. */
  notification?: { title: string; text: string } | null;
}
