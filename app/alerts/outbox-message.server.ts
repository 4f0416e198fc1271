import { createHash } from 'node:crypto';
import type { AirState, Transition } from '../readings/air/air-state';
import type { AlertStore, OutboxMessage } from '../store/alert-store';
import type { AlertEvent } from './alert-event';
import { describeEvent, type EventRules, type Occasion } from './describe-event';

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

/** Returns the newest stored transition of a sensor. */
export async function lastTransition(
  alerts: Pick<AlertStore, 'transitionsSince'>,
  sensor: string,
): Promise<Transition | null> {
  return (await alerts.transitionsSince(sensor, END_OF_TIME)).at(-1) ?? null;
}

/**
 * Returns a message for the outbox. Its id is the same whenever it is made for the same occasion, so that it isn't told twice
 * if the store's answer to a commit is lost.
 *
 * @param told the state that it tells
 * @param addresses keys of addresses
 */
export function outboxMessage(
  occasion: Occasion,
  told: AirState,
  addresses: readonly string[],
  rules: EventRules,
): OutboxMessage {
  const { kind, watched, transition, now } = occasion;
  const words = describeEvent(occasion, rules);
  const id = messageId([watched.sensor, kind, told, watched.told, watched.toldAt, words.at]);
  return {
    id,
    createdAt: new Date(now).toISOString(),
    transition: transition && { sensor: transition.sensor, at: transition.at, to: transition.to },
    event: JSON.stringify({ id, ...words } satisfies AlertEvent),
    addresses: [...addresses],
  };
}

function messageId(parts: readonly (string | null)[]): string {
  return `msg_${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24)}`;
}
