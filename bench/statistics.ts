import { at } from '../app/readings/at';
/** Returns the middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5) + percentile(values, 0.5, Math.floor)) / 2;
}

/** Returns the value that a share (0 to 1) of all values don't exceed. */
export function percentile(values: readonly number[], share: number, round = Math.ceil): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) throw new Error('nothing was measured');
  return at(sorted, round(share * (sorted.length - 1)));
}

/** The results of the product and its baseline, one for each round. */
export interface Rounds<Result> {
  value: Result[];
  baseline: Result[];
}

/** Measures the product and its baseline alternately (A B A B), so that a drift of the machine affects both. */
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

/** Returns the medians over the rounds of a number that `pick` takes from each result. */
export function medians<Result>(rounds: Rounds<Result>, pick: (result: Result) => number) {
  return { value: median(rounds.value.map(pick)), baseline: median(rounds.baseline.map(pick)) };
}
