import type { AlertEvent } from '../../../app/providers/alert-event';
import type { Transition } from '../../../app/readings/air/air-state';
import type {
  AlertChange,
  AlertStore,
  Attempt,
  Delivery,
  OutboxMessage,
  WatchedSensor,
} from '../../../app/store/alert-store';

/** Returns a time on 2026-01-02, in seconds after midnight. */
export const timeAt = (seconds: number) => new Date(Date.UTC(2026, 0, 2) + seconds * 1000).toISOString();

/** A sensor with good air whose newest reading brought its own time. */
export function watched(sensor: string, changed: Partial<WatchedSensor> = {}): WatchedSensor {
  const air: WatchedSensor['air'] = {
    level: 'good',
    silentSince: null,
    levelSince: timeAt(0),
    pending: [timeAt(1), null],
    oldest: timeAt(0),
    newest: '2026-01-02T00:00:00.000001Z',
    newestId: 2,
    co2: 1234.567891234567,
    voc: null,
    measuredAt: { co2: '2026-01-02T00:00:00.000001Z', voc: null },
  };
  return { sensor, air, notified: 'good', notifiedAt: null, ...changed };
}

/** A transition to poor air. */
export function poorAt(sensor: string, at: string, changed: Partial<Transition> = {}): Transition {
  return {
    sensor,
    at,
    from: 'good',
    to: 'poor',
    since: timeAt(-300),
    co2: 2104.1,
    voc: null,
    ...changed,
  };
}

/** A message about a transition, or without one. */
export function messageOf(
  id: string,
  transition: Pick<Transition, 'sensor' | 'at' | 'to'> | null,
  ...addresses: string[]
): OutboxMessage {
  const key = transition && { sensor: transition.sensor, at: transition.at, to: transition.to };
  const event = JSON.stringify({ id, title: `“${transition?.sensor ?? ''}” \u0001 \\ 'x'` });
  return { id, createdAt: timeAt(1000), transition: key, event, addresses };
}

/** A change of the cursor only, plus the members of `changed`. */
export function changeOf(changed: Partial<AlertChange>): AlertChange {
  return { cursor: 1, sensors: [], transitions: [], messages: [], ...changed };
}

/** An attempt that fails and is repeated a minute later. */
export function attemptAt(
  seconds: number,
  [messageId, address]: [messageId: string, address: string],
  outcome: Attempt['outcome'] = 'retry',
): Attempt {
  const retryAt = outcome === 'retry' ? timeAt(seconds + 60) : null;
  return { messageId, address, at: timeAt(seconds), outcome, answer: `${outcome} at ${seconds}`, retryAt };
}

/** Returns the next message for an address; null if none is pending. */
export async function nextDelivery(store: AlertStore, address: string): Promise<Delivery | null> {
  return (await store.waiting(address)).deliveries[0] ?? null;
}

/** Returns an event of the sensor Kitchen with poor air. */
export function alertEvent(parts: Partial<AlertEvent> = {}): AlertEvent {
  return {
    id: 'msg_1',
    kind: 'entered',
    sensor: 'Kitchen',
    state: 'poor',
    before: 'good',
    at: '2026-03-01T10:05:00.000Z',
    since: '2026-03-01T10:00:00.000Z',
    co2: 2104,
    voc: null,
    title: 'Kitchen: poor air',
    text: 'CO2 is 2104 PPM, above 2000 for 5 min.',
    url: 'https://air.example.org/history?from=2026-03-01T09%3A00%3A00Z&sensor=Kitchen',
    ...parts,
  };
}

/** Returns a message about a new sensor for addresses with these keys. */
export function outboxMessage(id: string, createdAt: string, addresses: string[]): OutboxMessage {
  return {
    id,
    createdAt,
    transition: null,
    event: JSON.stringify(alertEvent({ id, sensor: `sensor ${id}` })),
    addresses,
  };
}
