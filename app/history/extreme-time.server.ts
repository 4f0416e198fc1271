import type { MetricField } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { type ReadSteps, readAll, TIERS } from './whole-steps.server';

/** A roll-up and the length of its step. */
export type SizedRollUp = RollUp & { step: number };

/**
 * Returns the second in which the lowest or the highest value was measured, the first one of several, in seconds since
 * 1970. It is looked for in ever shorter steps.
 *
 * @param rollUps of a span in the order of time; at least one has a value of the metric
 */
export async function extremeTime(
  read: ReadSteps,
  rollUps: readonly SizedRollUp[],
  field: MetricField,
  extreme: 'lowest' | 'highest',
): Promise<number> {
  const sign = extreme === 'lowest' ? 1 : -1;
  const best = (all: readonly SizedRollUp[]) =>
    all.reduce<{ value: number; start: number; step: number } | null>(
      (found, { start, step, ...metrics }) => {
        const totals = metrics[field];
        if (!totals || (found && sign * totals[extreme] >= sign * found.value)) return found;
        return { value: totals[extreme], start, step };
      },
      null,
    );
  let found = best(rollUps);
  while (found && found.step > 1) {
    const { start, step: longer } = found;
    const step = TIERS.find((tier) => tier < longer) as number;
    const parts = await readAll(read, { from: start, to: start + longer, step });
    // Readings that were deleted meanwhile leave nothing to find.
    found = best(parts.map((part) => ({ ...part, step }))) ?? { ...found, step: 1 };
  }
  return found?.start ?? Number.NaN;
}
