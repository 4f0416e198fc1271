import type { Thresholds } from '../readings/level/level';
import type { RollUp } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../readings/roll-up/slot';
import type { HistoryQuery, ReadingStore } from '../store/reading-store';

/** Whole steps of one length, as in `HistoryQuery`. */
export type Steps = Pick<HistoryQuery, 'from' | 'to' | 'step' | 'phase'>;

/** Reads the roll-ups of one sensor. */
export type ReadSteps = (steps: Steps) => AsyncIterable<RollUp[]>;

/** The lengths of steps that long spans are read by: a day, an hour, a slot, and a second where a slot is cut. */
export const TIERS = [86_400, 3600, SLOT_SECONDS, 1] as const;

/** Returns the reader of one sensor's roll-ups. */
export function stepReader(
  store: Pick<ReadingStore, 'rollUps'>,
  sensor: string,
  thresholds: Thresholds,
): ReadSteps {
  return (steps) => store.rollUps({ ...steps, sensor, thresholds });
}

/** Returns all roll-ups of these steps. */
export async function readAll(read: ReadSteps, steps: Steps): Promise<RollUp[]> {
  const all: RollUp[] = [];
  if (steps.from < steps.to) for await (const page of read(steps)) all.push(...page);
  return all;
}

/** Splits a span into whole steps of the `TIERS`, in the order of time, with the longest ones in the middle. */
export function wholeSteps(from: number, to: number, tiers: readonly number[] = TIERS): Steps[] {
  const [step, ...shorter] = tiers;
  if (from >= to || step === undefined) return [];
  const first = Math.ceil(from / step) * step;
  const last = Math.floor(to / step) * step;
  if (first >= last) return wholeSteps(from, to, shorter);
  return [
    ...wholeSteps(from, first, shorter),
    { from: first, to: last, step },
    ...wholeSteps(last, to, shorter),
  ];
}
