import type { Stretch } from '../readings/history-answer';
import type { Level } from '../readings/level';
import type { MetricField } from '../readings/metric';
import type { RollUp } from '../readings/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS } from '../readings/slot';
import { cutTime } from './counted-slots.server';
import { levelRuns, type Run, type SearchedStep } from './level-runs.server';
import type { ReadSteps, Steps } from './whole-steps.server';

const DAY = 86_400;
const HOUR = 3600;

/** Longer spans are searched by longer steps first. A month has 744 hours, and four days 1,152 slots. */
const BY_HOURS_FROM = 4 * DAY;
const BY_DAYS_FROM = 32 * DAY;

/** This many steps between two times that are read take less time than another query. */
const STEPS_PER_QUERY = 1000;

/** How many queries run at a time. */
const LANES = 4;

/** A metric and the levels that a stretch has. */
interface Searched {
  field: MetricField;
  levels: readonly Level[];
}

/** A run in steps of a length. */
interface Candidate extends Run {
  step: number;
}

/**
 * Finds the longest stretch of a span in some levels, and the first one of several; null if there is none. Long runs are
 * searched first and by ever shorter steps, until no run can hold a longer stretch than one that was found.
 *
 * @param from seconds since 1970
 */
export async function longestStretch(
  read: ReadSteps,
  from: number,
  to: number,
  searched: Searched,
): Promise<Stretch | null> {
  let longest: Candidate | null = null;
  let candidates: Candidate[] = [];
  function consider(run: Candidate): void {
    const cut = cutRun(run, from, to);
    if (!cut || !isBetter(cut, longest)) return;
    if (isStretch(cut)) longest = cut;
    else candidates.push(cut);
  }
  let queries = [spanSteps(from, to)];
  // Doubles the candidates each round, to balance queries against steps read for nothing.
  for (let count = 1; queries.length > 0; count *= 2) {
    await searchAll(read, queries, searched, consider);
    candidates = candidates.filter((run) => isBetter(run, longest)).sort(byLength);
    // Searches hours and days together: an early long stretch rules out most candidates.
    queries = shorterSteps(
      [DAY, HOUR].flatMap((step) => candidates.filter((run) => run.step === step).slice(0, count)),
    );
    candidates = candidates.filter((run) => !queries.some((query) => isSearchedBy(run, query)));
  }
  return longest && stretchOf(longest);
}

const isStretch = ({ step }: Candidate): boolean => step === SLOT_SECONDS;

/** Orders runs by their length, the longest first, then by time. */
const byLength = (a: Run, b: Run): number => b.seconds - a.seconds || a.from - b.from;

/** Returns true if a run may hold a longer stretch than one that was found, or one as long before it. */
const isBetter = (run: Run, found: Run | null): boolean => found === null || byLength(run, found) < 0;

/** Returns the steps that a search begins with: those of the span, and before it, from where slots may count into it. */
function spanSteps(from: number, to: number): Steps {
  const length = to - from;
  const step = length > BY_DAYS_FROM ? DAY : length > BY_HOURS_FROM ? HOUR : SLOT_SECONDS;
  const first = Math.floor((from - LONGEST_SECONDS) / step) * step;
  return { from: first, to: Math.ceil(to / step) * step, step };
}

/** Returns true if a query reads all of a run by shorter steps. */
function isSearchedBy(run: Candidate, { from, to, step }: Steps): boolean {
  return step < run.step && from <= run.from && run.to <= to;
}

/** Returns the shorter steps of some runs, as few queries. */
function shorterSteps(runs: readonly Candidate[]): Steps[] {
  const queries: Steps[] = [];
  for (const { from, to, step: longer } of [...runs].sort((a, b) => a.from - b.from)) {
    const step = longer === DAY ? HOUR : SLOT_SECONDS;
    const last = queries.findLast((query) => query.step === step);
    if (last && from - last.to <= STEPS_PER_QUERY * step) last.to = Math.max(last.to, to);
    else queries.push({ from, to, step });
  }
  return queries;
}

/** Calls `found` with the runs of all queries. */
async function searchAll(
  read: ReadSteps,
  queries: readonly Steps[],
  searched: Searched,
  found: (run: Candidate) => void,
): Promise<void> {
  const waiting = [...queries];
  const work = async () => {
    for (let query = waiting.shift(); query; query = waiting.shift()) {
      const { step } = query;
      const runs = levelRuns(step, (run) => found({ ...run, step }));
      for await (const page of read(query))
        for (const rollUp of page) runs.add(searchedStep(rollUp, searched));
      runs.end();
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
}

function searchedStep({ start, ...metrics }: RollUp, { field, levels }: Searched): SearchedStep {
  const seconds = metrics[field]?.seconds;
  if (!seconds) return { start, inside: 0, outside: 0 };
  const inside = levels.reduce((sum, level) => sum + seconds[level], 0);
  return { start, inside, outside: seconds.good + seconds.moderate + seconds.poor - inside };
}

function stretchOf({ from, seconds }: Run): Stretch {
  return { from: new Date(from * 1000).toISOString(), seconds };
}

/** Returns a run with no more seconds than a stretch in it can have within the span; null if it can't have any. */
function cutRun(run: Candidate, from: number, to: number): Candidate | null {
  if (isStretch(run)) {
    const cut = cutTime(run, from, to);
    return cut && { ...cut, seconds: cut.to - cut.from };
  }
  // The last slot may count beyond the steps.
  const possible = cutTime({ from: run.from, to: run.to + LONGEST_SECONDS }, from, to);
  return possible && { ...run, seconds: Math.min(run.seconds, possible.to - possible.from) };
}
