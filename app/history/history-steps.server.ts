import type { HistoryAnswer, StepAnswer } from '../readings/history/history-answer';
import { MAX_STEPS, STEPS, stepFor } from '../readings/history/history-step';
import type { Thresholds } from '../readings/level/level';
import type { RollUp } from '../readings/roll-up/roll-up';
import type { ReadingStore } from '../store/reading-store';
import type { Span, SpanAnswer } from './asked-span.server';
import { cutToElapsed, elapsedTime } from './elapsed-time.server';
import { metricAnswer } from './metric-answer.server';

/** The steps of a span, and when the last one ends, in seconds since 1970. */
interface History {
  answer: HistoryAnswer;
  end: number;
}

/** The most steps if nobody says how many, unless even weeks are more. */
const DEFAULT_POINTS = 700;

/**
 * Returns a span in at most `points` steps, whole also where the span cuts them. Refuses one that is too long.
 *
 * @param points left out, it is `DEFAULT_POINTS`, or as many weeks as the span has
 * @param now the server's clock in milliseconds since 1970
 */
export async function historySteps(
  store: Pick<ReadingStore, 'rollUps' | 'lastHeard'>,
  { sensor, from, to }: Span,
  points: number | undefined,
  thresholds: Thresholds,
  now: number,
): Promise<SpanAnswer<History>> {
  const step =
    points === undefined
      ? (stepFor(from, to, DEFAULT_POINTS) ?? stepFor(from, to, MAX_STEPS))
      : stepFor(from, to, points);
  if (step === null) return { ok: false, errors: [{ field: 'points', detail: tooFew(from, to) }] };
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

function stepAnswer({ start, readings, co2, voc }: RollUp): StepAnswer {
  return {
    start: new Date(start * 1000).toISOString(),
    readings,
    co2: metricAnswer(co2),
    voc: metricAnswer(voc),
  };
}

function tooFew(from: number, to: number): string {
  const longest = STEPS.at(-1) as number;
  const least = Math.ceil(to / longest) - Math.floor(from / longest);
  return least > MAX_STEPS
    ? `can't be enough for this span: ask for a shorter one, of at most ${MAX_STEPS} weeks`
    : `must be at least ${least} for this span, whose steps are weeks: ask for more, or for a shorter span`;
}
