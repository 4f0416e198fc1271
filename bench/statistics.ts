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

/**
 * Measures candidates in turns, A B A B, so that a machine that drifts drifts for all of them.
 *
 * @returns the median of each candidate's rounds
 */
export async function inTurns<Name extends string>(
  candidates: Record<Name, () => Promise<number>>,
  rounds = 5,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[];
  const measured = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured.get(name)?.push(await candidates[name]());
  }
  return Object.fromEntries([...measured].map(([name, values]) => [name, median(values)])) as Record<
    Name,
    number
  >;
}
