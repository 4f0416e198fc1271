/** The value in the middle; of an even number, the mean of the two there. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5) + percentile(values, 0.5, Math.floor)) / 2;
}

/** The value that this share of all are at or below. */
export function percentile(values: readonly number[], share: number, round = Math.ceil): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) throw new Error('nothing was measured');
  return sorted[round(share * (sorted.length - 1))] as number;
}

/** What each of two gave in each round. */
export interface Rounds<Result> {
  value: Result[];
  baseline: Result[];
}

/** Measures two in turns, A B A B, so that a machine that drifts drifts for both. */
export async function inTurns<Result>(
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

/** The median over the rounds, of both, of what is picked from each round. */
export function medians<Result>(rounds: Rounds<Result>, pick: (result: Result) => number) {
  return { value: median(rounds.value.map(pick)), baseline: median(rounds.baseline.map(pick)) };
}
