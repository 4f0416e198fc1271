import {
  type LevelSummary,
  levelSeconds,
  type MetricSummary,
  measuredTime,
  type SummaryAnswer,
} from '../readings/history/history-answer';
import { LEVELS, type Level } from '../readings/level/level';
import { byMetric, METRICS, type Metric, type MetricField, type Thresholds } from '../readings/metric';
import { type MetricTotals, mergeTotals, type RollUp, roundedAverageOf } from '../readings/roll-up/roll-up';
import { cutTime, LONGEST_SECONDS, levelTimeOf, SLOT_SECONDS, slotOf } from '../readings/roll-up/slot';
import type { ReadingStore } from '../store/reading-store';
import type { Span } from './asked-span.server';
import { longestStretches, type Searched } from './longest-stretch.server';
import { type ReadSteps, readAll, SPAN_STEPS, type Steps, stepReader, wholeSteps } from './read-steps.server';

const NO_VALUES = { lowest: null, average: null, highest: null, lowest_at: null, highest_at: null };

/** Summarizes a span, exact to the second: readings and time in level outside the span don't count. */
export async function summarize(
  store: Pick<ReadingStore, 'rollUps' | 'summary'>,
  { sensor, from, to }: Span,
  thresholds: Thresholds,
): Promise<SummaryAnswer> {
  if (from === to) return { readings: 0, ...byMetric(() => null) };
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

  const totalsByMetric = new Map(
    METRICS.map((metric) => [metric, totalsOf(metric.field, rollUps, edgeSecondsOf(metric.field))]),
  );
  const searches = [...totalsByMetric].flatMap(([{ field, threshold }, { seconds }]): Searched[] => {
    if (!threshold) return [];
    const { moderate, poor } = seconds;
    return [
      ...(moderate + poor > 0 ? [{ field, levels: ['moderate', 'poor'] as const }] : []),
      ...(poor > 0 ? [{ field, levels: ['poor'] as const }] : []),
    ];
  });
  const stretches = await longestStretches(read, from, to, searches);
  const stretchOf = (field: MetricField, levels: number) =>
    stretches[searches.findIndex((one) => one.field === field && one.levels.length === levels)] ?? null;

  const summaries = new Map<Metric, MetricSummary>();
  for (const [metric, { totals, seconds }] of totalsByMetric) {
    const { field, threshold } = metric;
    if (!totals && seconds.good + seconds.moderate + seconds.poor === 0) continue;
    const time = threshold
      ? { ...levelSeconds(seconds), longest_not_good: stretchOf(field, 2), longest_poor: stretchOf(field, 1) }
      : measuredTime(metric, seconds, thresholds);
    if (!totals) {
      summaries.set(metric, { ...NO_VALUES, ...time });
      continue;
    }
    summaries.set(metric, {
      lowest: totals.lowest,
      average: roundedAverageOf(totals),
      highest: totals.highest,
      ...time,
      lowest_at: await extremeTime(read, rollUps, field, 'lowest'),
      highest_at: await extremeTime(read, rollUps, field, 'highest'),
    });
  }

  const readings = rollUps.reduce((sum, rollUp) => sum + rollUp.readings, 0);
  return { readings, ...byMetric<MetricSummary, LevelSummary>((metric) => summaries.get(metric) ?? null) };
}

/** A roll-up and the length of its step. */
type SizedRollUp = RollUp & { step: number };

/**
 * Returns the totals of the values (null if there are none), and the time in each level: `seconds` plus the time of
 * whole slots.
 */
function totalsOf(field: MetricField, rollUps: readonly SizedRollUp[], seconds: Record<Level, number>) {
  let totals: MetricTotals | null = null;
  for (const { step, ...rollUp } of rollUps) {
    const own = rollUp[field];
    totals = mergeTotals(totals, own);
    if (own && step >= SLOT_SECONDS) for (const level of LEVELS) seconds[level] += own.seconds[level];
  }
  return { totals, seconds };
}

/**
 * Returns the seconds to add to each level for the edges of a span. Time of earlier slots that reaches into the span is
 * added; time of the span's own slots that reaches past its end is subtracted.
 */
async function edgeSeconds(
  read: ReadSteps,
  from: number,
  to: number,
): Promise<(field: MetricField) => Record<Level, number>> {
  const slots = (await Promise.all(edgesOf(from, to).map((edge) => readAll(read, edge)))).flat();
  return (field) => {
    const seconds = { good: 0, moderate: 0, poor: 0 };
    for (const slot of slots) {
      const time = levelTimeOf(slot, field);
      if (!time) continue;
      const cut = cutTime(time, from, to);
      const isCounted = slot.start >= from && slot.start + SLOT_SECONDS <= to;
      seconds[time.level] += (cut ? cut.to - cut.from : 0) - (isCounted ? time.to - time.from : 0);
    }
    return seconds;
  };
}

/** Returns the slots whose time may reach past the beginning or the end of a span. */
function edgesOf(from: number, to: number): Steps[] {
  const [before, first] = [slotOf(from) - LONGEST_SECONDS, slotOf(from + SLOT_SECONDS - 1)];
  const [last, after] = [slotOf(to) - LONGEST_SECONDS, slotOf(to + SLOT_SECONDS - 1)];
  const step = SLOT_SECONDS;
  if (last <= first) return [{ from: before, to: after, step }];
  return [
    { from: before, to: first, step },
    { from: last, to: after, step },
  ];
}

/**
 * Returns the second, as ISO 8601, in which the lowest or the highest value was first measured. Searches in ever
 * shorter steps.
 *
 * @param rollUps the roll-ups of a span, oldest first; at least one has a value of the metric
 */
async function extremeTime(
  read: ReadSteps,
  rollUps: readonly SizedRollUp[],
  field: MetricField,
  extreme: 'lowest' | 'highest',
): Promise<string> {
  const sign = extreme === 'lowest' ? 1 : -1;
  const best = (all: readonly SizedRollUp[]) =>
    all.reduce<{ value: number; start: number; step: number } | null>(
      (found, { start, step, ...metrics }) => {
        const totals = metrics[field];
        if (!totals || (found && sign * totals[extreme] >= sign * found.value)) return found;
        return { value: totals[extreme], start, step };
      },
      null,
    );
  let found = best(rollUps);
  while (found && found.step > 1) {
    const { start, step: longer } = found;
    const step = SPAN_STEPS.find((tier) => tier < longer) as number;
    const parts = await readAll(read, { from: start, to: start + longer, step });
    // Nothing is found if the readings were deleted meanwhile.
    found = best(parts.map((part) => ({ ...part, step }))) ?? { ...found, step: 1 };
  }
  return new Date((found?.start ?? Number.NaN) * 1000).toISOString();
}
