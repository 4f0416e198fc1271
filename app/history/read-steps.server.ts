import {
  type LevelAnswer,
  levelSeconds,
  type MetricAnswer,
  type MetricAnswers,
  measuredTime,
} from '../readings/history/history-answer';
import { byMetric, type Metric, type Thresholds } from '../readings/metric';
import { type MetricTotals, type RollUp, roundedAverageOf } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../readings/roll-up/slot';
import { DAY_S, HOUR_S } from '../readings/time/durations';
import type { HistoryQuery, ReadingStore } from '../store/reading-store';

/** Whole steps of one length, as in `HistoryQuery`. */
export type Steps = Pick<HistoryQuery, 'from' | 'to' | 'step' | 'phase'>;

/** Reads the roll-ups of one sensor. */
export type ReadSteps = (steps: Steps) => AsyncIterable<RollUp[]>;

/** The lengths of steps for reading a long span: a day, an hour, a slot, and a second where the span cuts a slot. */
export const SPAN_STEPS = [DAY_S, HOUR_S, SLOT_SECONDS, 1] as const;

/** Returns a function that reads the roll-ups of one sensor. */
export function stepReader(
  store: Pick<ReadingStore, 'rollUps'>,
  sensor: string,
  thresholds: Thresholds,
): ReadSteps {
  return (steps) => store.rollUps({ ...steps, sensor, thresholds });
}

export async function readAll(read: ReadSteps, steps: Steps): Promise<RollUp[]> {
  const all: RollUp[] = [];
  if (steps.from < steps.to) for await (const page of read(steps)) all.push(...page);
  return all;
}

/** Splits a span into whole steps of the lengths in `tiers`, oldest first, with the longest steps in the middle. */
export function wholeSteps(from: number, to: number, tiers: readonly number[] = SPAN_STEPS): Steps[] {
  const [step, ...shorter] = tiers;
  if (from >= to || step === undefined) return [];
  const first = Math.ceil(from / step) * step;
  const last = Math.floor(to / step) * step;
  if (first >= last) return wholeSteps(from, to, shorter);
  return [
    ...wholeSteps(from, first, shorter),
    { from: first, to: last, step },
    ...wholeSteps(last, to, shorter),
  ];
}

/** Returns the totals of each metric in the format of the API. */
export function metricAnswers(rollUp: RollUp, thresholds: Thresholds): MetricAnswers {
  return byMetric<MetricAnswer, LevelAnswer>((metric) => {
    const totals = rollUp[metric.field];
    return totals ? metricAnswer(metric, totals, thresholds) : null;
  });
}

function metricAnswer(metric: Metric, totals: MetricTotals, thresholds: Thresholds): MetricAnswer {
  const { lowest, highest, seconds } = totals;
  const values = { lowest, average: roundedAverageOf(totals), highest };
  return metric.threshold
    ? { ...values, ...levelSeconds(seconds) }
    : { ...values, ...measuredTime(metric, seconds, thresholds) };
}
