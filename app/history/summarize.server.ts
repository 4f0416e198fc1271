import type { MetricSummary, SummaryAnswer } from '../readings/history-answer';
import { LEVELS } from '../readings/level';
import type { MetricField } from '../readings/metric';
import { type MetricTotals, mergeTotals } from '../readings/roll-up';
import { SLOT_SECONDS } from '../readings/slot';
import type { Thresholds } from '../readings/threshold';
import type { ReadingStore } from '../store/reading-store';
import type { Span } from './asked-span.server';
import { edgeSeconds } from './counted-slots.server';
import { extremeTime } from './extreme-time.server';
import { longestStretch } from './longest-stretch.server';
import { metricAnswer } from './metric-answer.server';
import { readAll, stepReader, wholeSteps } from './whole-steps.server';

/** Returns the numbers of a span, exact to the second: readings and time in level of the span alone. */
export async function summarize(
  store: Pick<ReadingStore, 'rollUps'>,
  { sensor, from, to }: Span,
  thresholds: Thresholds,
): Promise<SummaryAnswer> {
  if (from === to) return { readings: 0, co2: null, voc: null };
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

  function totalsOf(field: MetricField): MetricTotals | null {
    let totals: MetricTotals | null = null;
    const seconds = edgeSecondsOf(field);
    for (const { step, ...rollUp } of rollUps) {
      const own = rollUp[field];
      totals = mergeTotals(totals, own);
      if (own && step >= SLOT_SECONDS) for (const level of LEVELS) seconds[level] += own.seconds[level];
    }
    return totals && { ...(totals as MetricTotals), seconds };
  }

  async function summaryOf(field: MetricField): Promise<MetricSummary | null> {
    const totals = totalsOf(field);
    const answer = metricAnswer(totals);
    if (!answer || !totals) return null;
    const { moderate, poor } = totals.seconds;
    const [lowestAt, highestAt, longestNotGood, longestPoor] = await Promise.all([
      extremeTime(read, rollUps, field, 'lowest'),
      extremeTime(read, rollUps, field, 'highest'),
      moderate + poor > 0 ? longestStretch(read, from, to, { field, levels: ['moderate', 'poor'] }) : null,
      poor > 0 ? longestStretch(read, from, to, { field, levels: ['poor'] }) : null,
    ]);
    return {
      ...answer,
      lowest_at: new Date(lowestAt * 1000).toISOString(),
      highest_at: new Date(highestAt * 1000).toISOString(),
      longest_not_good: longestNotGood,
      longest_poor: longestPoor,
    };
  }

  const readings = rollUps.reduce((sum, rollUp) => sum + rollUp.readings, 0);
  const [co2, voc] = await Promise.all([summaryOf('co2'), summaryOf('voc')]);
  return { readings, co2, voc };
}
