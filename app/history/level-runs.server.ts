import { LONGEST_SECONDS, SLOT_SECONDS } from '../readings/roll-up/slot';

/** A step's seconds in the searched levels (`inside`) and in the others (`outside`). */
export interface SearchedStep {
  start: number;
  inside: number;
  outside: number;
}

/** A time that may hold a stretch of up to `seconds`. From slots, it is one. */
export interface Run {
  from: number;
  to: number;
  seconds: number;
}

/**
 * Finds the runs of steps of one length, which are added in the order of time. No stretch passes a step in which a slot
 * of another level begins: a run has such steps at its ends alone, and two neighbouring runs share the one between them.
 *
 * @param found is called with each run
 */
export function levelRuns(step: number, found: (run: Run) => void) {
  let open: (Run & { isShared: boolean }) | null = null;

  function close(): void {
    if (open && !open.isShared) found({ from: open.from, to: open.to, seconds: open.seconds });
    open = null;
  }

  return {
    add({ start, inside, outside }: SearchedStep): void {
      // A step without the metric ends no run: a slot before it may count through it.
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
    /** Ends the last run. */
    end: close,
  };
}

/** Returns true if the step that begins then may continue a run: the last slot of a step may count beyond it. */
function continues(run: Run, start: number, step: number): boolean {
  return step === SLOT_SECONDS ? start === run.to : start - run.to < LONGEST_SECONDS;
}
