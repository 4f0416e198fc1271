/** True in `npm run test:torture`; `npm test` runs the torture tests at a small size. */
export const isFullSize = import.meta.env.MODE === 'torture';

/** Returns the number that applies to this run. */
export function size(full: number, small: number): number {
  return isFullSize ? full : small;
}

/** Seeds all randomness of the torture tests, so that every run is the same. */
export const SEED = Number(process.env.SEED || 20260102);

/** Calls `work` `count` times, in `lanes` concurrent sequences. */
export async function inLanes(
  lanes: number,
  count: number,
  work: (index: number, lane: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (_: unknown, lane: number) => {
    while (next < count) await work(next++, lane);
  };
  await Promise.all(Array.from({ length: lanes }, run));
}

/** Prints a measurement, for docs/promises.md. */
export function report(text: string): void {
  console.log(`[torture] ${text} (seed ${SEED})`);
}
