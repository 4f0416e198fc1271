/** `npm run test:torture` runs the torture tests at full size, `npm test` a small version of each. */
export const isFullSize = import.meta.env.MODE === 'torture';

/** How much of something this run does. */
export function size(full: number, small: number): number {
  return isFullSize ? full : small;
}

/** What everything random in the torture tests starts from: the same runs, every time. */
export const SEED = Number(process.env.SEED || 20260102);

/** Runs `work` in so many lanes at once, until it has been called `count` times. */
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

/** Says what was measured, for the README and for whoever watches. */
export function report(text: string): void {
  console.log(`[torture] ${text} (seed ${SEED})`);
}
