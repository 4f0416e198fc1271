import { randomUUID } from 'node:crypto';
import { singleton } from '../config/singleton.server';
import type { AlertAddress, AlertEvent, SendOutcome } from '../providers/alert-event';
import type { TestAnswer } from '../readings/air/air-report';
import { byMetric } from '../readings/metric';
import { UNNAMED } from '../readings/reading';

/** The shortest time between tests. Any client that may post can send one, and each disturbs people. */
const INTERVAL_MS = 10_000;

const last = singleton('alert-test', () => ({ at: Number.NEGATIVE_INFINITY, isRunning: false }));

export type TestResult = { answers: TestAnswer[] } | { retryAfterSeconds: number };

/** Sends a test to every address, unless one was sent in the last 10 s. */
export async function sendTest(addresses: AlertAddress[]): Promise<TestResult> {
  const waitMs = last.isRunning ? INTERVAL_MS : last.at + INTERVAL_MS - performance.now();
  if (waitMs > 0) return { retryAfterSeconds: Math.ceil(waitMs / 1000) };
  last.isRunning = true;
  try {
    const outcomes = await tryAddresses(addresses);
    return {
      answers: outcomes.map(({ label, outcome: { isDelivered, text } }) => ({
        address: label,
        isDelivered,
        answer: text,
      })),
    };
  } finally {
    last.isRunning = false;
    last.at = performance.now();
  }
}

/** Sends a test to all addresses in parallel. Takes at most 10 s. */
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
    ...byMetric(() => null),
    title: 'airboard: test',
    text: 'Notifications from airboard arrive here.',
    url: null,
  };
}
