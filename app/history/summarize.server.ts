import type { MetricSummary, SummaryAnswer } from '../readings/history/history-answer';
import { LEVELS, type Level, type Thresholds } from '../readings/level/level';
import type { MetricField } from '../readings/metric';
import { type MetricTotals, mergeTotals } from '../readings/roll-up/roll-up';
import { SLOT_SECONDS } from '../readings/roll-up/slot';
import type { ReadingStore } from '../store/reading-store';
import type { Span } from './asked-span.server';
import { edgeSeconds } from './counted-slots.server';
import { extremeTime } from './extreme-time.server';
import { longestStretch } from './longest-stretch.server';
import { metricAnswer, secondsAnswer } from './metric-answer.server';
import { readAll, stepReader, wholeSteps } from './whole-steps.server';

const NO_VALUES = { lowest: null, average: null, highest: null, lowest_at: null, highest_at: null };

/** Returns the numbers of a span, exact to the second: readings and time in level of the span alone. */
export async function summarize(
  store: Pick<ReadingStore, 'rollUps' | 'summary'>,
  { sensor, from, to }: Span,
  thresholds: Thresholds,
): Promise<SummaryAnswer> {
  if (from === to) return { readings: 0, co2: null, voc: null };
  if (store.summary) return store.summary({ sensor, from, to, thresholds });
  const read = stepReader(store, sensor, thresholds);
  const [parts, edgeSecondsOf] = await Promise.all([
    Promise.all(
      wholeSteps(from, to).map(async (steps) =>
        (await readAll(read, steps)).map((rollUp) => ({ ...rollUp, step: steps.step })),
      ),
    ),
    edgeSeconds(read, from, to),
  ]);
  const rollUps = parts.flat();

  /** Returns the values' totals, null without a value, and the time in each level. */
  function totalsOf(field: MetricField): { totals: MetricTotals | null; seconds: Record<Level, number> } {
    let totals: MetricTotals | null = null;
    const seconds = edgeSecondsOf(field);
    for (const { step, ...rollUp } of rollUps) {
      const own = rollUp[field];
      totals = mergeTotals(totals, own);
      if (own && step >= SLOT_SECONDS) for (const level of LEVELS) seconds[level] += own.seconds[level];
    }
    return { totals, seconds };
  }

  async function summaryOf(field: MetricField): Promise<MetricSummary | null> {
    const { totals, seconds } = totalsOf(field);
    const { good, moderate, poor } = seconds;
    if (!totals && good + moderate + poor === 0) return null;
    const answer = metricAnswer(totals && { ...totals, seconds });
    const [lowestAt, highestAt, longestNotGood, longestPoor] = await Promise.all([
      answer && extremeTime(read, rollUps, field, 'lowest'),
      answer && extremeTime(read, rollUps, field, 'highest'),
      moderate + poor > 0 ? longestStretch(read, from, to, { field, levels: ['moderate', 'poor'] }) : null,
      poor > 0 ? longestStretch(read, from, to, { field, levels: ['poor'] }) : null,
    ]);
    const longest = { longest_not_good: longestNotGood, longest_poor: longestPoor };
    if (!answer || lowestAt === null || highestAt === null)
      return { ...NO_VALUES, ...secondsAnswer(seconds), ...longest };
    return {
      ...answer,
      lowest_at: new Date(lowestAt * 1000).toISOString(),
      highest_at: new Date(highestAt * 1000).toISOString(),
      ...longest,
    };
  }

  const readings = rollUps.reduce((sum, rollUp) => sum + rollUp.readings, 0);
  const [co2, voc] = await Promise.all([summaryOf('co2'), summaryOf('voc')]);
  return { readings, co2, voc };
}
