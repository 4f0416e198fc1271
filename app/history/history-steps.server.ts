import type { HistoryAnswer, StepAnswer } from '../readings/history/history-answer';
import { MAX_STEPS, STEPS, stepFor, stepsOf } from '../readings/history/history-step';
import type { Thresholds } from '../readings/level/level';
import { METRICS } from '../readings/metric';
import type { RollUp } from '../readings/roll-up/roll-up';
import { LONGEST_SECONDS, SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import type { ReadingStore } from '../store/reading-store';
import { type ElapsedTime, elapsedTime, type Span, type SpanAnswer } from './asked-span.server';
import { levelTimeOf, metricAnswer, readAll, stepReader } from './read-steps.server';

/** The steps of a span, and when the last one ends, in seconds since 1970. */
interface History {
  answer: HistoryAnswer;
  end: number;
}

/** The most steps if nobody says how many, unless even weeks are more. */
const DEFAULT_POINTS = 700;

/**
 * Returns a span in steps of `step` seconds, or in at most `points` steps. They are whole, also where the span cuts them.
 * Refuses a span that is too long for them.
 *
 * @param asked without members, it is `DEFAULT_POINTS`, or as many weeks as the span has
 * @param now the server's clock in milliseconds since 1970
 */
export async function historySteps(
  store: Pick<ReadingStore, 'rollUps' | 'lastHeard'>,
  { sensor, from, to }: Span,
  asked: { step?: number; points?: number },
  thresholds: Thresholds,
  now: number,
): Promise<SpanAnswer<History>> {
  const chosen = chooseStep(from, to, asked);
  if (!chosen.ok) return chosen;
  const step = chosen.value;
  const start = Math.floor(from / step) * step;
  const end = Math.ceil(to / step) * step;
  const steps: StepAnswer[] = [];
  if (from < to) {
    const [elapsed] = await Promise.all([elapsedTime(store, sensor, now), readSteps(step)]);
    if (elapsed) await cutToElapsed(store, sensor, steps, { step, elapsed, thresholds });
  }
  return { ok: true, value: { answer: { step_seconds: step, steps }, end } };

  async function readSteps(step: number): Promise<void> {
    for await (const page of store.rollUps({ sensor, from: start, to: end, step, thresholds })) {
      steps.push(...page.map(stepAnswer));
    }
  }
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

function stepAnswer({ start, readings, co2, voc }: RollUp): StepAnswer {
  return {
    start: new Date(start * 1000).toISOString(),
    readings,
    co2: co2 && metricAnswer(co2),
    voc: voc && metricAnswer(voc),
  };
}

function tooFew(from: number, to: number): string {
  const longest = STEPS.at(-1) as number;
  const least = stepsOf(from, to, longest);
  return least > MAX_STEPS
    ? `can't be enough for this span: ask for a shorter one, of at most ${MAX_STEPS} weeks`
    : `must be at least ${least} for this span, whose steps are weeks: ask for more, or for a shorter span`;
}

/**
 * Takes the time before the first reading and after now from the slots of some steps.
 *
 * @param steps of `step` seconds; they are changed
 */
async function cutToElapsed(
  store: Pick<ReadingStore, 'rollUps'>,
  sensor: string,
  steps: readonly StepAnswer[],
  { step, elapsed, thresholds }: { step: number; elapsed: ElapsedTime; thresholds: Thresholds },
): Promise<void> {
  const [first, last] = [steps[0], steps.at(-1)].map((one) => Date.parse(one?.start ?? '') / 1000);
  if (first === undefined || last === undefined) return;
  const isCut = (slot: number) => slot + SLOT_SECONDS > first && slot < last + step;
  const [begin, end] = [slotOf(elapsed.from), slotOf(elapsed.to)];
  const read = stepReader(store, sensor, thresholds);
  const edges = [
    ...(isCut(begin) ? [{ from: begin, to: begin + SLOT_SECONDS }] : []),
    // Any of these may count until after now.
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
      const name = `${time.level}_seconds` as const;
      const values = steps.find((each) => {
        const start = Date.parse(each.start) / 1000;
        return start < slot.start + SLOT_SECONDS && start + step > slot.start && each[field]?.[name];
      })?.[field];
      if (values) values[name] = Math.max(0, values[name] - excess);
    }
  }
}
