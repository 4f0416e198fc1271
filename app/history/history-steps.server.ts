import {
  type HistoryAnswer,
  levelSecondsOf,
  type MetricTime,
  measuredSeconds,
  type StepAnswer,
} from '../readings/history/history-answer';
import { MAX_STEPS, STEPS, stepFor, stepsOf } from '../readings/history/history-step';
import type { Level } from '../readings/level/level';
import { METRICS, type Thresholds } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { LONGEST_SECONDS, levelTimeOf, SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import { DAY_S } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';
import { type ElapsedTime, elapsedTime, type Span, type SpanAnswer } from './asked-span.server';
import { localHours, rollUpMerger } from './local-hours.server';
import { localTime } from './local-time.server';
import { metricAnswers, type ReadSteps, readAll, stepReader } from './read-steps.server';

/** The steps of a span, and the end of the last step in seconds since 1970. */
interface History {
  answer: HistoryAnswer;
  end: number;
}

/** The default limit of steps. A span of more weeks than this is divided into weeks. */
const DEFAULT_POINTS = 700;

/** The steps that a query asks for. By default, at most `DEFAULT_POINTS`; for a very long span, weeks. */
interface AskedSteps {
  step?: number;
  points?: number;
  /** Steps of a day begin at midnight in this time zone. UTC by default. */
  zone?: string;
}

/**
 * Returns a span in steps of `step` seconds, or in at most `points` steps. All steps are whole, even if the span begins
 * or ends within one. Rejects a span that is too long for the steps. If only slots are kept of a part of the span, no step is
 * shorter than a slot.
 *
 * @param now the server's clock in milliseconds since 1970
 */
export async function historySteps(
  store: Pick<ReadingStore, 'rollUps' | 'lastHeard' | 'rawFrom'>,
  { sensor, from, to }: Span,
  { zone, ...asked }: AskedSteps,
  thresholds: Thresholds,
  now: number,
): Promise<SpanAnswer<History>> {
  const chosen = chooseStep(from, to, asked);
  if (!chosen.ok) return chosen;
  const rawFrom = await store.rawFrom(sensor);
  const isRaw = rawFrom === null || from >= rawFrom;
  const step = isRaw ? chosen.value : Math.max(chosen.value, SLOT_SECONDS);
  const steps: StepAnswer[] = [];
  const read = stepReader(store, sensor, thresholds);
  const readSteps = zone !== undefined && step === DAY_S ? readLocalDays(zone) : readWholeSteps();
  const [elapsed, { end, endOf }] = await Promise.all([elapsedTime(store, sensor, now), readSteps]);
  if (elapsed) await cutToElapsed(read, steps, { elapsed, endOf });
  const answer = { step_seconds: step, steps, ...(!isRaw && { raw_from: timeOf(rawFrom) }) };
  return { ok: true, value: { answer, end } };

  async function readWholeSteps(): Promise<StepEnds> {
    const end = Math.ceil(to / step) * step;
    if (from < to) {
      for await (const page of read({ from: Math.floor(from / step) * step, to: end, step })) {
        steps.push(...page.map((rollUp) => stepAnswer(rollUp, thresholds)));
      }
    }
    return { end, endOf: (start) => start + step };
  }

  async function readLocalDays(zone: string): Promise<StepEnds> {
    const local = await localTime(zone, from, to);
    const endOf = (start: number) => local.dayOf(start).to;
    if (from === to) return { end: to, endOf };
    const end = endOf(to - 1);
    const days = rollUpMerger(
      (time) => local.dayOf(time).from,
      (day) => steps.push(stepAnswer(day, thresholds)),
    );
    for await (const page of localHours(read, local, local.dayOf(from).from, end)) {
      for (const hour of page) days.add(hour);
    }
    days.end();
    return { end, endOf };
  }
}

/** The ends of steps, in seconds since 1970. */
interface StepEnds {
  /** The end of the last step, which may have no readings. */
  end: number;
  endOf(start: number): number;
}

function chooseStep(
  from: number,
  to: number,
  { step, points }: { step?: number; points?: number },
): SpanAnswer<number> {
  const refuse = (field: string, detail: string) => ({ ok: false as const, errors: [{ field, detail }] });
  if (step === undefined) {
    const found =
      points === undefined
        ? (stepFor(from, to, DEFAULT_POINTS) ?? stepFor(from, to, MAX_STEPS))
        : stepFor(from, to, points);
    return found === null ? refuse('points', tooFew(from, to)) : { ok: true, value: found };
  }
  if (points !== undefined) return refuse('points', 'is sent together with step: send one of them');
  if (stepsOf(from, to, step) <= MAX_STEPS) return { ok: true, value: step };
  const least = stepFor(from, to, MAX_STEPS);
  const advice = least === null ? `of at most ${MAX_STEPS} weeks` : `or for a step of at least ${least}`;
  return refuse('step', `needs more than ${MAX_STEPS} steps for this span: ask for a shorter one, ${advice}`);
}

function stepAnswer(rollUp: RollUp, thresholds: Thresholds): StepAnswer {
  const { start, readings } = rollUp;
  return {
    start: timeOf(start),
    readings,
    ...metricAnswers(rollUp, thresholds),
  };
}

function tooFew(from: number, to: number): string {
  const longest = STEPS.at(-1) as number;
  const least = stepsOf(from, to, longest);
  return least > MAX_STEPS
    ? `can't be enough for this span: ask for a shorter one, of at most ${MAX_STEPS} weeks`
    : `must be at least ${least} for this span, even in steps of a week: ask for more, or for a shorter span`;
}

/**
 * Subtracts the time before the first reading and after now from the time in levels.
 *
 * @param steps changed in place
 */
async function cutToElapsed(
  read: ReadSteps,
  steps: readonly StepAnswer[],
  { elapsed, endOf }: { elapsed: ElapsedTime; endOf: StepEnds['endOf'] },
): Promise<void> {
  const [first, last] = [steps[0], steps.at(-1)].map((one) => one && startOf(one));
  if (first === undefined || last === undefined) return;
  const isCut = (slot: number) => slot + SLOT_SECONDS > first && slot < endOf(last);
  const [begin, end] = [slotOf(elapsed.from), slotOf(elapsed.to)];
  const edges = [
    ...(isCut(begin) ? [{ from: begin, to: begin + SLOT_SECONDS }] : []),
    // The time of any of these slots may reach past now.
    ...(isCut(end) || isCut(end - LONGEST_SECONDS)
      ? [{ from: end - LONGEST_SECONDS, to: end + SLOT_SECONDS }]
      : []),
  ];
  const slots = await Promise.all(edges.map((edge) => readAll(read, { ...edge, step: SLOT_SECONDS })));
  for (const slot of new Map(slots.flat().map((each) => [each.start, each])).values()) {
    for (const { field } of METRICS) {
      const time = levelTimeOf(slot, field);
      if (!time) continue;
      const excess = Math.max(0, elapsed.from - time.from) + Math.max(0, time.to - elapsed.to);
      const values = steps.find((each) => {
        const start = startOf(each);
        const timed = each[field];
        return (
          start < slot.start + SLOT_SECONDS &&
          endOf(start) > slot.start &&
          timed &&
          hasTime(timed, time.level)
        );
      })?.[field];
      if (values) takeTime(values, time.level, excess);
    }
  }
}

function hasTime(time: MetricTime, level: Level): boolean {
  const levels = levelSecondsOf(time);
  return levels ? levels[`${level}_seconds`] > 0 : measuredSeconds(time) > 0;
}

/** Subtracts seconds from the time in a level. */
function takeTime(time: MetricTime, level: Level, seconds: number): void {
  if ('good_seconds' in time) {
    const name = `${level}_seconds` as const;
    time[name] = Math.max(0, time[name] - seconds);
    return;
  }
  time.measured_seconds = Math.max(0, time.measured_seconds - seconds);
  if (time.outside_seconds && level !== 'good')
    time.outside_seconds = Math.max(0, time.outside_seconds - seconds);
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const startOf = ({ start }: StepAnswer): number => Date.parse(start) / 1000;
