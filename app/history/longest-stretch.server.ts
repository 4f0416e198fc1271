import type { Stretch } from '../readings/history/history-answer';
import type { Level } from '../readings/level/level';
import type { MetricField } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS } from '../readings/roll-up/slot';
import { HOUR_S } from '../readings/time/durations';
import { cutTime, type ReadSteps, type Steps } from './read-steps.server';

/** Longer spans are searched by hours first: four days have 1,152 slots. */
const BY_HOURS_FROM_S = 96 * HOUR_S;

/** Reading this many steps between two runs takes less time than another query. */
const STEPS_PER_QUERY = 1000;

/** A metric and the levels of a stretch. */
export interface Searched {
  field: MetricField;
  levels: readonly Level[];
}

/** A time that may hold a stretch of up to `seconds`. A run of slots is one. In seconds since 1970. */
interface Run {
  from: number;
  to: number;
  seconds: number;
}

/**
 * Finds the longest stretch of each search within a span, the first one of several; null if there is none. One pass over
 * the hours of a long span finds the runs that may hold it. The longest of them are then read by slots, until no other
 * run can hold a longer stretch.
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
  // Slots before the span may count into it.
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
 * Returns the longest stretch in some runs, null if there is none.
 *
 * @param step the length of the steps that the runs were found in
 * @param refine returns the stretches of a part
 */
async function longestOf(
  runs: readonly (Run | null)[],
  step: number,
  refine: (part: Steps) => Promise<(Run | null)[]>,
): Promise<Run | null> {
  let left = runs.filter((run) => run !== null).sort(byLength);
  if (step === SLOT_SECONDS) return left[0] ?? null;
  let longest: Run | null = null;
  // Doubles the runs each time, to balance queries against slots that are read for nothing.
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

/** Orders runs by their length, the longest first, then by time. */
const byLength = (a: Run, b: Run): number => b.seconds - a.seconds || a.from - b.from;

/** Returns true if a run may hold a longer stretch than the one that was found, or one as long before it. */
const isBetter = (run: Run, found: Run | null): boolean => found === null || byLength(run, found) < 0;

/** Returns the slots of some runs, in few parts that don't overlap. */
function partsOf(runs: readonly Run[]): Steps[] {
  const parts: Steps[] = [];
  for (const { from, to } of [...runs].sort((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last && from - last.to <= STEPS_PER_QUERY * SLOT_SECONDS) last.to = Math.max(last.to, to);
    else parts.push({ from, to, step: SLOT_SECONDS });
  }
  return parts;
}

/** Returns the runs of each search in some steps, in the order of time. */
async function findRuns(read: ReadSteps, steps: Steps, searches: readonly Searched[]): Promise<Run[][]> {
  const all = searches.map((searched) => levelRuns(steps.step, searched));
  for await (const page of read(steps)) {
    for (const rollUp of page) for (const runs of all) runs.add(rollUp);
  }
  return all.map((runs) => runs.end());
}

/**
 * Collects the runs of steps of one length, which are added in the order of time. No stretch passes a step in which a slot
 * of another level begins: a run has such steps at its ends alone, and two neighbouring runs share the one between them.
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
      // A step without the metric ends no run: a slot before it may count through it.
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
    /** Ends the last run, and returns all of them. */
    end(): Run[] {
      close();
      return found;
    },
  };
}

/** Returns true if the step that begins then may continue a run: the last slot of a step may count beyond it. */
function continues(run: Run, start: number, step: number): boolean {
  return step === SLOT_SECONDS ? start === run.to : start - run.to < LONGEST_SECONDS;
}

/** Returns a run with no more seconds than a stretch in it can have within the span; null if it can't have any. */
function cutRun(run: Run, step: number, from: number, to: number): Run | null {
  if (step === SLOT_SECONDS) {
    const cut = cutTime(run, from, to);
    return cut && { ...cut, seconds: cut.to - cut.from };
  }
  // The last slot may count beyond the steps.
  const possible = cutTime({ from: run.from, to: run.to + LONGEST_SECONDS }, from, to);
  return possible && { ...run, seconds: Math.min(run.seconds, possible.to - possible.from) };
}
