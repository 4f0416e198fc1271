import type { Delivery, OutboxMessage, Waiting } from '../../../app/store/alert-store';

/** A pending delivery. `number` is the place of its message in the outbox. */
interface Pending {
  number: number;
  message: OutboxMessage;
  address: string;
  attempts: readonly unknown[];
  retryAt: string | null;
}

export const isSummary = ({ transition, event }: OutboxMessage) =>
  transition === null && JSON.parse(event).kind === 'summary';

/** Returns what a store says of the pending deliveries of an address, and those that it replaces by newer ones. */
export function waitingOf<P extends Pending>(
  pending: readonly P[],
  sensors: readonly string[],
  atMost: number,
): { waiting: Waiting; replaced: P[] } {
  const aboutOf = ({ message }: P): string => {
    if (message.transition) return message.transition.sensor;
    return isSummary(message) ? message.id : (JSON.parse(message.event).sensor ?? message.id);
  };
  const newest = new Map(pending.map((one) => [aboutOf(one), one]));
  const left = [...newest.values()];
  const singles = left.filter(({ message }) => !isSummary(message));
  const deliveries = left.map((one): Delivery & { number: number } => {
    const { id, createdAt, event } = one.message;
    const place = sensors.indexOf(aboutOf(one));
    return {
      number: one.number,
      message: { id, createdAt, event },
      address: one.address,
      attempts: one.attempts.length,
      retryAt: one.retryAt,
      firstSeen: place < 0 ? Number.MAX_SAFE_INTEGER : place + 1,
      isSummary: isSummary(one.message),
    };
  });
  deliveries.sort(
    (a, b) =>
      Number(b.attempts > 0) - Number(a.attempts > 0) ||
      Number(b.isSummary) - Number(a.isSummary) ||
      a.firstSeen - b.firstSeen ||
      a.number - b.number,
  );
  return {
    waiting: {
      deliveries: deliveries.slice(0, atMost).map(({ number: _, ...delivery }) => delivery),
      sensors: singles.length,
      states: [
        ...new Set(singles.map(({ message }) => message.transition?.to ?? JSON.parse(message.event).state)),
      ],
      newest: Math.max(0, ...left.map(({ number }) => number)),
    },
    replaced: pending.filter((one) => newest.get(aboutOf(one)) !== one),
  };
}
