import { randomUUID } from 'node:crypto';
import { UNNAMED } from '../../readings/reading';
import type { AlertAddress, AlertEvent, SendOutcome } from '../alert-event';

/** Sends a test to every address at once, and returns what each one answered. Takes at most 10 s. */
export function tryAddresses(addresses: AlertAddress[]): Promise<{ label: string; outcome: SendOutcome }[]> {
  const event = testEvent(new Date().toISOString());
  return Promise.all(
    addresses.map(async ({ label, send }) => ({
      label,
      outcome: await send(event, new AbortController().signal),
    })),
  );
}

function testEvent(at: string): AlertEvent {
  return {
    id: `test_${randomUUID()}`,
    kind: 'test',
    sensor: UNNAMED,
    state: 'good',
    before: 'good',
    at,
    since: at,
    co2: null,
    voc: null,
    title: 'airboard: test',
    text: 'Notifications of airboard arrive here.',
    url: null,
  };
}
