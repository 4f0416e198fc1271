import { singleton } from '../config/singleton.server';

/** The outcomes of a received reading. `refused` means invalid or in conflict with a stored one. */
export const OUTCOMES = ['stored', 'duplicate', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OPERATIONS = ['read', 'write'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Statuses that are exported even at 0: Prometheus's `increase` misses the first refusal if a counter appears at 1. */
const WATCHED_STATUSES = [400, 401, 409, 429, 503];

/** Counts since the process started. They are plain numbers because every post adds to them, but few servers export them. */
export const counts = singleton('counts', () => ({
  readings: { stored: 0, duplicate: 0, refused: 0 } satisfies Record<Outcome, number>,
  storeErrors: { read: 0, write: 0 } satisfies Record<Operation, number>,
  refusals: new Map(WATCHED_STATUSES.map((status) => [status, 0])),
}));

export function noteReadings(outcome: Outcome, added = 1): void {
  counts.readings[outcome] += added;
}

export function countRefusal(status: number): void {
  counts.refusals.set(status, (counts.refusals.get(status) ?? 0) + 1);
}

export function countStoreError(operation: Operation): void {
  counts.storeErrors[operation] += 1;
}
