import type {
  HistoryAnswer,
  LevelAnswer,
  SpanLevels,
  SpanValues,
} from '../../../app/readings/history/history-answer';
import { stepFor } from '../../../app/readings/history/history-step';
import type { Reading } from '../../../app/readings/reading';
import { averageOf, type MetricTotals } from '../../../app/readings/roll-up/roll-up';
import { LONGEST_SECONDS } from '../../../app/readings/roll-up/slot';
import { createRoomAir } from '../../../scripts/seed/room-air.js';
import { THRESHOLDS } from '../readings/readings';
import { rollUpReadings } from './roll-up-readings';

/** Returns the answer for a metric with this average that was always good. */
export function metricAnswer(average: number, more: Partial<LevelAnswer> = {}): LevelAnswer {
  return {
    lowest: average * 0.9,
    average,
    highest: average * 1.2,
    good_seconds: 3600,
    moderate_seconds: 0,
    poor_seconds: 0,
    ...more,
  };
}

/** Returns the summary of a metric that was always good, unless `more` says otherwise. */
export function metricSummary(more: Partial<SpanLevels & SpanValues> = {}): SpanLevels & SpanValues {
  return {
    ...metricAnswer(861.4, { lowest: 412, highest: 1771 }),
    lowest_at: new Date('2026-11-21T04:12:00').toISOString(),
    highest_at: new Date('2026-11-21T20:31:00').toISOString(),
    longest_not_good: null,
    longest_poor: null,
    ...more,
  };
}

/** Returns the readings of the simulated living room of `npm run seed`. Times are milliseconds since 1970. */
export function roomReadings({
  from,
  to,
  everyMs,
  seed = 1,
}: {
  from: number;
  to: number;
  everyMs: number;
  seed?: number;
}): Reading[] {
  const next = createRoomAir(seed, everyMs);
  return Array.from({ length: Math.floor((to - from) / everyMs) }, (_, i) => {
    const time = from + i * everyMs;
    const air = next(time - new Date(time).getTimezoneOffset() * 60_000);
    return { id: i + 1, ...air, created_at: new Date(time).toISOString() };
  });
}

/** Returns the answer of `GET /api/history` for readings of one sensor. */
export function answerOf(
  readings: readonly Reading[],
  span: { from: number; to: number },
  points = 700,
): HistoryAnswer {
  const [from, to] = [Math.floor(span.from / 1000), Math.ceil(span.to / 1000)];
  const step = stepFor(from, to, points);
  if (step === null) throw new Error(`even weeks are more than ${points} steps`);
  const first = Math.floor(from / step) * step;
  const end = to + step + LONGEST_SECONDS;
  const near = readings.filter(({ created_at }) => {
    const time = Date.parse(created_at) / 1000;
    return time >= first - LONGEST_SECONDS && time < end;
  });
  return {
    step_seconds: step,
    steps: rollUpReadings(near, { step }, THRESHOLDS)
      .filter(({ start }) => start >= first && start < to)
      .map(({ start, readings, co2, voc }) => ({
        start: new Date(start * 1000).toISOString().replace('.000', ''),
        readings,
        co2: metricOf(co2),
        voc: metricOf(voc),
      })),
  };
}

function metricOf(totals: MetricTotals | null): LevelAnswer | null {
  if (!totals) return null;
  const { lowest, highest, seconds } = totals;
  return {
    lowest,
    average: averageOf(totals),
    highest,
    good_seconds: seconds.good,
    moderate_seconds: seconds.moderate,
    poor_seconds: seconds.poor,
  };
}
