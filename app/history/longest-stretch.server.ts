import { eventLoopTurns } from '../config/event-loop-turns.server';
import type { Stretch } from '../readings/history/history-answer';
import type { Level } from '../readings/level/level';
import type { MetricField } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS } from '../readings/roll-up/slot';
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

/** The most runs of a length that are searched at a time: readings that flap around a limit make a run of each hour. */
const MOST_RUNS = 256;

/** Runs that are gone through in one turn of the event loop: some milliseconds of work. Years of hours have more. */
const RUNS_PER_TURN = 20_000;

const nextTurn = eventLoopTurns();

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
  for (let count = 1; queries.length > 0; count = Math.min(count * 2, MOST_RUNS)) {
    await searchAll(read, queries, searched, consider);
    candidates = await filterInTurns(candidates, (run) => isBetter(run, longest));
    const runs: Candidate[] = [];
    // Searches hours and days together: an early long stretch rules out most candidates.
    for (const step of [DAY, HOUR]) {
      await nextTurn();
      runs.push(...longestRuns(candidates, step, count));
    }
    queries = shorterSteps(runs);
    const isSearched = searchedBy(queries);
    candidates = await filterInTurns(candidates, (run) => !isSearched(run));
  }
  return longest && stretchOf(longest);
}

/** Returns the runs to keep. Each part of them, and what follows, has a turn of the event loop of its own. */
async function filterInTurns(
  runs: readonly Candidate[],
  keeps: (run: Candidate) => boolean,
): Promise<Candidate[]> {
  const kept: Candidate[] = [];
  for (let i = 0; i < runs.length; i += RUNS_PER_TURN) {
    await nextTurn();
    kept.push(...runs.slice(i, i + RUNS_PER_TURN).filter(keeps));
  }
  await nextTurn();
  return kept;
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

/**
 * Returns a function that tells whether one of these queries reads all of a run by shorter steps.
 *
 * @param queries those of a length are in the order of time, and none overlaps another
 */
function searchedBy(queries: readonly Steps[]): (run: Candidate) => boolean {
  const tiers = [HOUR, SLOT_SECONDS].map((step) => ({
    step,
    ordered: queries.filter((query) => query.step === step),
  }));
  return (run) =>
    tiers.some(({ step, ordered }) => {
      if (step >= run.step) return false;
      let [first, end] = [0, ordered.length];
      while (first < end) {
        const middle = Math.floor((first + end) / 2);
        if ((ordered[middle] as Steps).from <= run.from) first = middle + 1;
        else end = middle;
      }
      const query = ordered[first - 1];
      return query !== undefined && run.to <= query.to;
    });
}

/** Returns the longest runs in steps of a length, at most `count`: for a few, a sort of all takes too long. */
function longestRuns(runs: readonly Candidate[], step: number, count: number): Candidate[] {
  const found: Candidate[] = [];
  for (const run of runs) {
    const last = found[count - 1];
    if (run.step !== step || (last && byLength(run, last) > 0)) continue;
    found.splice(found.findLastIndex((other) => byLength(other, run) < 0) + 1, 0, run);
    if (found.length > count) found.pop();
  }
  return found;
}

/** Returns the shorter steps of some runs, as few queries: in the order of time, and those of a length don't overlap. */
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
