import type { Cell, PatternAnswer, Quartiles } from '../readings/history/history-answer';
import { MOST_DAYS_BY_HOUR } from '../readings/history/pattern-span';
import { byMetric, METRICS, type MetricField, measuredMetrics, type Thresholds } from '../readings/metric';
import { quartilesOf } from '../readings/quantiles';
import { averageOf, type RollUp, roundAverage } from '../readings/roll-up/roll-up';
import { DAY_S, HOUR_S } from '../readings/time/durations';
import type { ReadingStore } from '../store/reading-store';
import type { Span, SpanAnswer } from './asked-span.server';
import { localHours, rollUpMerger } from './local-hours.server';
import { localTime } from './local-time.server';
import { metricAnswers, stepReader } from './read-steps.server';

/** The longest span that can be divided into hours, in seconds. One of its days may have 25 hours. */
const LONGEST_BY_HOUR_S = MOST_DAYS_BY_HOUR * DAY_S + HOUR_S;

/** The division of a span into the local hours or days of a time zone. */
interface Division {
  zone: string;
  /** By default hours, or days if the span is too long for hours. */
  by?: 'hour' | 'day';
}

/**
 * Returns the local hours or days that a span touches, and its typical day. Rejects hours for a span of more than
 * `MOST_DAYS_BY_HOUR` days.
 */
export async function computePattern(
  store: Pick<ReadingStore, 'rollUps'>,
  { sensor, from, to }: Span,
  { zone, ...asked }: Division,
  thresholds: Thresholds,
): Promise<SpanAnswer<{ answer: PatternAnswer; end: number }>> {
  const isLong = to - from > LONGEST_BY_HOUR_S;
  const { by = isLong ? 'day' : 'hour' } = asked;
  if (by === 'hour' && isLong) {
    return {
      ok: false,
      errors: [{ field: 'by', detail: `must be day for a span of more than ${MOST_DAYS_BY_HOUR} days` }],
    };
  }
  if (from === to) return { ok: true, value: { answer: { cells: [], typical_day: [] }, end: to } };
  const local = await localTime(zone, from, to);
  const unitOf = by === 'hour' ? local.hourOf : local.dayOf;
  const end = unitOf(to - 1).to;
  const cells: Cell[] = [];
  const units = rollUpMerger(
    (time) => unitOf(time).from,
    (unit) => cells.push(cellOf(unit, thresholds)),
  );
  const typical = typicalDay();
  // When the clocks go back, an hour of the day comes twice. Both are merged.
  const hours = rollUpMerger((time) => Math.floor(local.localOf(time) / HOUR_S), typical.add);
  const read = stepReader(store, sensor, thresholds);
  for await (const page of localHours(read, local, unitOf(from).from, end)) {
    for (const hour of page) {
      units.add(hour);
      hours.add(hour);
    }
  }
  units.end();
  hours.end();
  const answer = { cells, typical_day: typical.end() };
  return { ok: true, value: { answer, end } };
}

function cellOf(rollUp: RollUp, thresholds: Thresholds): Cell {
  return { start: new Date(rollUp.start * 1000).toISOString(), ...metricAnswers(rollUp, thresholds) };
}

const HOURS_OF_DAY = 24;

/** An hour of the day: its average on each day, and its measured seconds on all days together. */
interface HourTotals {
  averages: number[];
  seconds: number;
}

const NO_HOUR: HourTotals = { averages: [], seconds: 0 };

/** Collects the averages of each hour of the day. */
function typicalDay() {
  const days = Array.from(
    { length: HOURS_OF_DAY },
    () =>
      new Map(METRICS.map(({ field }): [MetricField, HourTotals] => [field, { averages: [], seconds: 0 }])),
  );
  return {
    /** Adds an hour. Its `start` is in hours of local time. */
    add({ start, ...metrics }: RollUp): void {
      const hour = ((start % HOURS_OF_DAY) + HOURS_OF_DAY) % HOURS_OF_DAY;
      for (const { field } of METRICS) {
        const totals = metrics[field];
        const ofHour = days[hour]?.get(field);
        if (!totals || !ofHour) continue;
        ofHour.averages.push(averageOf(totals));
        const { good, moderate, poor } = totals.seconds;
        ofHour.seconds += good + moderate + poor;
      }
    },
    end: (): PatternAnswer['typical_day'] =>
      days
        .map((day, hour) => ({ hour, ...byMetric(({ field }) => quartilesAnswer(day.get(field))) }))
        .filter((hour) => measuredMetrics([hour]).length > 0),
  };
}

function quartilesAnswer({ averages, seconds }: HourTotals = NO_HOUR): Quartiles | null {
  if (averages.length === 0) return null;
  const { lower, median, upper } = quartilesOf(averages);
  return {
    lower: roundAverage(lower),
    median: roundAverage(median),
    upper: roundAverage(upper),
    days: averages.length,
    measured_seconds: seconds,
  };
}
