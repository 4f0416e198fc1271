import type { Stretch } from '../readings/history/history-answer';
import type { Level } from '../readings/level/level';
import type { MetricField } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { cutTime, LONGEST_SECONDS, SLOT_SECONDS } from '../readings/roll-up/slot';
import { HOUR_S } from '../readings/time/durations';
import type { ReadSteps, Steps } from './read-steps.server';

/** Longer spans are first searched by hours, because four days already have 1,152 slots. */
const BY_HOURS_FROM_S = 96 * HOUR_S;

/** Reading this many steps between two runs is faster than another query. */
const STEPS_PER_QUERY = 1000;

/** A metric, and the levels that a stretch may contain. */
export interface Searched {
  field: MetricField;
  levels: readonly Level[];
}

/**
 * A time that may contain a stretch of up to `seconds`. A run of slots is itself a stretch. Times are in seconds since
 * 1970.
 */
interface Run {
  from: number;
  to: number;
  seconds: number;
}

/**
 * Finds the longest stretch of each search within a span, or the first of equally long ones; null if there is no
 * stretch. In a long span, one pass over the hours finds the runs that may contain it. The longest runs are then read
 * by slots, until no other run can contain a longer stretch.
 *
 * @param from seconds since 1970
 */
export async function longestStretches(
  read: ReadSteps,
  from: number,
  to: number,
  searches: readonly Searched[],
): Promise<(Stretch | null)[]> {
  if (searches.length === 0) return [];
  const step = to - from > BY_HOURS_FROM_S ? HOUR_S : SLOT_SECONDS;
  // The time of earlier slots may reach into the span.
  const first = Math.floor((from - LONGEST_SECONDS) / step) * step;
  const steps = { from: first, to: Math.ceil(to / step) * step, step };
  const runs = await findRuns(read, steps, searches);
  const stretches: (Stretch | null)[] = [];
  for (const [i, searched] of searches.entries()) {
    const cut = runs[i]?.map((run) => cutRun(run, step, from, to)) ?? [];
    const longest = await longestOf(cut, step, async (part) => {
      const [found = []] = await findRuns(read, part, [searched]);
      return found.map((run) => cutRun(run, SLOT_SECONDS, from, to));
    });
    stretches.push(
      longest && { from: new Date(longest.from * 1000).toISOString(), seconds: longest.seconds },
    );
  }
  return stretches;
}

/**
 * Returns the longest stretch in some runs, or null if there is no stretch.
 *
 * @param step the length of the steps in which the runs were found
 * @param refine returns the stretches in a part of the slots
 */
async function longestOf(
  runs: readonly (Run | null)[],
  step: number,
  refine: (part: Steps) => Promise<(Run | null)[]>,
): Promise<Run | null> {
  let left = runs.filter((run) => run !== null).sort(byLength);
  if (step === SLOT_SECONDS) return left[0] ?? null;
  let longest: Run | null = null;
  // Doubles the number of runs each time, to balance the number of queries against the number of slots that are read
  // for nothing.
  for (let count = 1; left.length > 0; count *= 2) {
    const parts = partsOf(left.slice(0, count));
    for (const part of parts) {
      for (const run of await refine(part)) if (run && isBetter(run, longest)) longest = run;
    }
    const isRead = (run: Run) => parts.some((part) => part.from <= run.from && run.to <= part.to);
    left = left.slice(count).filter((run) => isBetter(run, longest) && !isRead(run));
  }
  return longest;
}

/** Orders runs by length, longest first, then by time. */
const byLength = (a: Run, b: Run): number => b.seconds - a.seconds || a.from - b.from;

/** Returns true if a run may contain a longer stretch than `found`, or an equally long one before it. */
const isBetter = (run: Run, found: Run | null): boolean => found === null || byLength(run, found) < 0;

/** Merges the runs into a few parts that don't overlap, to be read by slots. */
function partsOf(runs: readonly Run[]): Steps[] {
  const parts: Steps[] = [];
  for (const { from, to } of [...runs].sort((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last && from - last.to <= STEPS_PER_QUERY * SLOT_SECONDS) last.to = Math.max(last.to, to);
    else parts.push({ from, to, step: SLOT_SECONDS });
  }
  return parts;
}

/** Returns the runs of each search in some steps, ordered by time. */
async function findRuns(read: ReadSteps, steps: Steps, searches: readonly Searched[]): Promise<Run[][]> {
  const all = searches.map((searched) => levelRuns(steps.step, searched));
  for await (const page of read(steps)) {
    for (const rollUp of page) for (const runs of all) runs.add(rollUp);
  }
  return all.map((runs) => runs.end());
}

/**
 * Collects the runs of steps of equal length, which must be added oldest first. A stretch can't pass a step in which a
 * slot of another level begins. A run therefore has such steps only at its ends, and two neighbouring runs share the
 * one between them.
 */
function levelRuns(step: number, { field, levels }: Searched) {
  const found: Run[] = [];
  let open: (Run & { isShared: boolean }) | null = null;

  function close(): void {
    if (open && !open.isShared) found.push({ from: open.from, to: open.to, seconds: open.seconds });
    open = null;
  }

  return {
    add({ start, ...metrics }: RollUp): void {
      const seconds = metrics[field]?.seconds;
      // A step without the metric doesn't end a run, because the time of an earlier slot may reach past it.
      if (!seconds) return;
      const inside = levels.reduce((sum, level) => sum + seconds[level], 0);
      const outside = seconds.good + seconds.moderate + seconds.poor - inside;
      if (inside === 0 && outside === 0) return;
      if (inside === 0 || (open && !continues(open, start, step))) close();
      if (inside === 0) return;
      const to = step === SLOT_SECONDS ? start + inside : start + step;
      const before = open ?? { from: start, seconds: 0 };
      open = { from: before.from, to, seconds: before.seconds + inside, isShared: false };
      if (outside === 0) return;
      close();
      open = { from: start, to, seconds: inside, isShared: true };
    },
    /** Ends the last run and returns all runs. */
    end(): Run[] {
      close();
      return found;
    },
  };
}

/**
 * Returns true if a step that begins at `start` may continue a run: the time of a step's last slot may reach past the
 * step.
 */
function continues(run: Run, start: number, step: number): boolean {
  return step === SLOT_SECONDS ? start === run.to : start - run.to < LONGEST_SECONDS;
}

/** Limits a run to the longest stretch that it can contain within the span; null if it can't contain any. */
function cutRun(run: Run, step: number, from: number, to: number): Run | null {
  if (step === SLOT_SECONDS) {
    const cut = cutTime(run, from, to);
    return cut && { ...cut, seconds: cut.to - cut.from };
  }
  // The time of the last slot may reach past the run.
  const possible = cutTime({ from: run.from, to: run.to + LONGEST_SECONDS }, from, to);
  return possible && { ...run, seconds: Math.min(run.seconds, possible.to - possible.from) };
}
