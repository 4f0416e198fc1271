import { createHash } from 'node:crypto';
import type { AlertEvent } from '../providers/alert-event';
import { WORST_FIRST } from '../readings/air/air-state';
import { at } from '../readings/at';
import { byMetric } from '../readings/metric';
import { UNNAMED } from '../readings/reading';
import { MINUTE_MS } from '../readings/time/durations';
import type { Delivery, OutboxMessage, Waiting } from '../store/alert-store';

/** The most messages about single sensors that an address gets in a minute, besides one summary. */
const PER_MINUTE = 5;
const NAMED = 3;

interface Sent extends Pick<Delivery, 'firstSeen' | 'isSummary'> {
  at: number;
}

/** The next step for an address: send a message, replace many with a summary, or wait. */
export type NextStep = { send: Delivery } | { summarize: Delivery[]; kept: Delivery[] } | { waitMs: number };

/**
 * Limits the messages to an address. A flood of new sensors doesn't send a message for each, nor delay the message of a
 * sensor that has been known for longer.
 */
export class MessageLimit {
  #sent: Sent[] = [];

  note(delivery: Delivery, now: number): void {
    this.#sent.push({ ...delivery, at: now });
  }

  /** `deliveries` must contain at least one message, and none that was tried before. */
  next({ deliveries, sensors }: Waiting, now: number): NextStep {
    // If the clock was set back, some times are in the future.
    this.#sent = this.#sent.filter((sent) => sent.at <= now && now - sent.at < MINUTE_MS);
    const summary = deliveries.find(({ isSummary }) => isSummary);
    const singles = deliveries.filter(({ isSummary }) => !isSummary);
    const sentSingles = this.#sent.filter(({ isSummary }) => !isSummary);
    const hasSentSummary = sentSingles.length < this.#sent.length;
    const isCrowd = sensors > PER_MINUTE;
    const room = PER_MINUTE - sentSingles.length;
    const [first] = singles;
    const isKnownLonger =
      first !== undefined && sentSingles.every(({ firstSeen }) => first.firstSeen < firstSeen);
    // In a flood, the last message of a minute is reserved for a sensor that has been known for longer than those
    // already notified.
    const isReserved = room === 1 && (isCrowd || hasSentSummary || summary !== undefined) && !isKnownLonger;
    if (isCrowd && !summary && !hasSentSummary) {
      const places = Math.max(room - 1, room === 1 && isKnownLonger ? 1 : 0);
      return { kept: singles.slice(0, places), summarize: singles.slice(places) };
    }
    if (first && room > 0 && !isReserved) return { send: first };
    if (summary && !hasSentSummary) return { send: summary };
    return { waitMs: at(this.#sent, 0).at + MINUTE_MS - now };
  }
}

/** Returns a message that sums up many sensors. `named` are the messages of the sensors known for longest. */
export function summaryOf(
  { states, newest }: Waiting,
  address: string,
  named: readonly Delivery[],
  sensors: number,
  publicUrl: string | null,
  now: number,
): Pick<OutboxMessage, 'id' | 'createdAt' | 'event'> {
  const createdAt = new Date(now).toISOString();
  const hash = createHash('sha256').update(JSON.stringify([address, newest, sensors]));
  const id = `msg_${hash.digest('base64url').slice(0, 24)}`;
  const state = WORST_FIRST.find((state) => states.includes(state)) ?? 'good';
  const titles = named.slice(0, NAMED).map(({ message }) => {
    const { title }: AlertEvent = JSON.parse(message.event);
    return title;
  });
  const others = sensors - titles.length;
  const event: AlertEvent = {
    id,
    kind: 'summary',
    sensor: UNNAMED,
    state,
    before: state,
    at: createdAt,
    since: createdAt,
    ...byMetric(() => null),
    title: `and ${countOf(sensors)} more sensors`,
    text: `${[...titles, ...(others > 0 ? [`${countOf(others)} more`] : [])].join('; ')}.`,
    url: publicUrl && `${publicUrl.replace(/\/+$/, '')}/notifications`,
  };
  return { id, createdAt, event: JSON.stringify(event) };
}

const countOf = (count: number) => count.toLocaleString('en-US');
