import type { AlertEvent } from '../../../app/alerts/alert-event';
import type { OutboxMessage } from '../../../app/store/alert-store';

/** Returns an event of the sensor Kitchen, whose air is poor. */
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

/** Returns a message about a sensor of its own for addresses with these keys. */
export function outboxMessage(id: string, createdAt: string, addresses: string[]): OutboxMessage {
  return {
    id,
    createdAt,
    transition: null,
    event: JSON.stringify(alertEvent({ id, sensor: `sensor ${id}` })),
    addresses,
  };
}
