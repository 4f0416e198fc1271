/** The step lengths in seconds: 1 s to 30 s, 1 min to 30 min, 1 h to 12 h, 1 to 3 days, and a week. */
export const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  259_200, 604_800,
] as const;

/** The most steps in an answer. */
export const MAX_STEPS = 2000;

/** Returns the number of steps that overlap a span. Arguments are in seconds; times are since 1970. */
export function stepsOf(from: number, to: number, step: number): number {
  return Math.ceil(to / step) - Math.floor(from / step);
}

/**
 * Returns the shortest step length for which at most `points` steps overlap a span; null if even weeks are too many.
 *
 * @param from seconds since 1970
 * @param to seconds since 1970, not before `from`
 */
export function stepFor(from: number, to: number, points: number): number | null {
  return STEPS.find((step) => stepsOf(from, to, step) <= points) ?? null;
}
