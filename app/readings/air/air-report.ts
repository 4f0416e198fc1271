import type { MetricValues } from '../reading';
import type { AirState, Transition } from './air-state';

/**
 * The report that `GET /api/notifications` returns and `/notifications` shows. Times are ISO 8601 in UTC; durations are in
 * milliseconds.
 */
export interface AirReport {
  /** The server's time. */
  now: string;
  settings: ReportedSettings;
  /** A page of the sensors by name, worst air first. */
  sensors: SensorReport[];
  sensorCount: number;
  /** In the order of `NOTIFY_URLS`. */
  addresses: AddressReport[];
  /** The newest transitions of all sensors, newest first, at most 50. */
  transitions: TransitionReport[];
  /** The newest messages without a transition, newest first, at most 50. */
  messages: MessageReport[];
}

/** An address and its recent deliveries, taken from the reported transitions and messages. */
export interface AddressReport {
  /** The address with its secrets hidden. */
  address: string;
  /** The newest attempt; null if there was none. */
  last: AttemptReport | null;
  /** The time since which attempts have failed; null unless the newest one failed. */
  failingSince: string | null;
  /** The time of the next attempt; null if nothing is pending or another server sends. */
  nextAttempt: string | null;
}

/** The values of `NOTIFY_ON` besides states: a window can be closed, or a sensor can't be believed. */
export type RoomNoticeKind = 'aired' | 'sensor';

/** The notification settings. */
export interface ReportedSettings {
  afterMs: number;
  /** Null if it is learnt for each sensor. */
  silentAfterMs: number | null;
  on: (AirState | RoomNoticeKind)[];
  /** Times of day in `timeZone`, such as `22:00`; null for no quiet hours. */
  quiet: { from: string; to: string } | null;
  timeZone: string;
  /** The time between reminders; null for no reminders. */
  againMs: number | null;
}

export interface SensorReport extends MetricValues {
  sensor: string;
  state: AirState;
  /** The time of the first reading in the run that led to the level, or of the last reading before a silence. */
  since: string;
  /** The states that the sensor will enter if its readings stay as they are. */
  pending: PendingState[];
  /** The time of the newest reading. */
  newest: string;
}

/** A state that hasn't lasted long enough to count. */
export interface PendingState {
  to: AirState;
  since: string;
  at: string;
}

/** A change of a sensor's state, with its deliveries. */
export interface TransitionReport extends Transition {
  /** The reason why nothing was sent; null if something was. */
  untold: UntoldReason | null;
  deliveries: DeliveryReport[];
}

/**
 * The reason why nothing was sent about a transition:
 *
 * - `not-chosen`: neither of its states is in `NOTIFY_ON`.
 * - `over`: the new state had ended before it was known.
 * - `over-in-quiet`: the new state ended during quiet hours.
 * - `quiet`: the message waits for the end of quiet hours.
 * - `not-yet`: the message waits for more readings.
 * - `before`: the sensor was already in this state when first seen.
 */
export type UntoldReason = 'not-chosen' | 'over' | 'over-in-quiet' | 'quiet' | 'not-yet' | 'before';

/** A message without a transition: a reminder, a notice about a room, or a summary. */
export interface MessageReport extends MetricValues {
  id: string;
  title: string;
  /** The server's time when it created the message. */
  at: string;
  kind: 'entered' | 'ended' | 'reminder' | RoomNoticeKind | 'summary';
  sensor: string;
  state: AirState;
  deliveries: DeliveryReport[];
}

/** One message to one address. */
export interface DeliveryReport {
  /** The id of the event, as in `webhook-id`. */
  id: string;
  /** The address with its secrets hidden; null if it is no longer set. */
  address: string | null;
  /** `replaced` if a newer message about the sensor, or a summary, was sent instead. */
  state: 'pending' | 'delivered' | 'failed' | 'replaced';
  /** The newest 20 attempts, oldest first. */
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

/** An entry of `GET /api/air`, from which browsers make their own notifications. */
export interface AirAnswer {
  sensor: string;
  /** One of `NOTIFY_ON`, or good; null while more readings may still decide otherwise. */
  state: AirState | null;
  /** The notification for the change from the state `before`; null to show nothing. Only if one sensor is requested. */
  notification?: { title: string; text: string } | null;
}
