import { at } from '../app/readings/at';
/** Returns the middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5) + percentile(values, 0.5, Math.floor)) / 2;
}

/** Returns the percentile for a share from 0 to 1. */
export function percentile(values: readonly number[], share: number, round = Math.ceil): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) throw new Error('nothing was measured');
  return at(sorted, round(share * (sorted.length - 1)));
}

/** The results of the product and its baseline, one per round. */
export interface Rounds<Result> {
  value: Result[];
  baseline: Result[];
}

/** Measures the product and its baseline alternately (A B A B), so that changes of the machine's speed affect both. */
export async function interleave<Result>(
  value: () => Promise<Result>,
  baseline: () => Promise<Result>,
  rounds = 5,
): Promise<Rounds<Result>> {
  const measured: Rounds<Result> = { value: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    measured.value.push(await value());
    measured.baseline.push(await baseline());
  }
  return measured;
}

/** Returns the medians over all rounds of the number that `pick` returns for a result. */
export function medians<Result>(rounds: Rounds<Result>, pick: (result: Result) => number) {
  return { value: median(rounds.value.map(pick)), baseline: median(rounds.baseline.map(pick)) };
}
