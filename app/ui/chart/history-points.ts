import { at } from '../../readings/at';
import type { ChartPoint, Summary } from '../../readings/chart/chart-series';
import { findGapsAt, type PlacedGap } from '../../readings/chart/gap';
import type { HistoryAnswer, MetricAnswer, StepAnswer } from '../../readings/history/history-answer';
import { byMetric } from '../../readings/metric';
import { DENSE_FROM, LONGEST_SECONDS } from '../../readings/roll-up/slot';
import { DAY_MS } from '../../readings/time/durations';
import type { Span } from '../../readings/time/history-span';

/** The points of a history on a time axis. Positions are milliseconds since 1970. */
export interface HistoryPoints {
  points: ChartPoint[];
  positions: number[];
  gaps: PlacedGap[];
}

/** The longest step that gives the exact time of a single reading. */
const EXACT_MS = 1000;

/** The fewest steps whose intervals can be compared. */
const LEAST_FOR_INTERVAL = 3;

interface HistoryTimes {
  /** The current time, which ends the current step. */
  now: number;
  /** The time of the first reading, which starts its step. There are no gaps before it. Null if unknown. */
  first?: number | null;
  /** The answer's span, which may have gaps at its ends. */
  answered?: Span;
}

/** A step, or an end of the span (`start` equals `end`), in milliseconds. */
interface Place {
  start: number;
  end: number;
  isDense: boolean;
  /** True if there is a reading exactly at the start and end, or if no readings can be missing beyond. */
  isExact: boolean;
}

/**
 * Returns the points of a history, each in the middle of its step, and the gaps between them:
 *
 * - Two steps with three or more readings each have a gap between them if a step between them is empty.
 * - Other steps have gaps by the rule of `findGapsAt`.
 * - One or two steps have no usual interval. They have gaps where `slotSeconds` counts time without readings.
 */
export function historyPoints(answer: HistoryAnswer, { now, first, answered }: HistoryTimes): HistoryPoints {
  const stepMs = answer.step_seconds * 1000;
  const begin = first ?? Number.NEGATIVE_INFINITY;
  const steps = answer.steps.map((step) => placeOf(step, stepMs, { now, begin }));
  const last = steps.at(-1);
  const places = [...steps];
  const start = Math.max(answered?.from ?? Number.POSITIVE_INFINITY, begin);
  if (start < (steps[0]?.start ?? answered?.to ?? 0)) places.unshift(endAt(start, start === begin));
  const end = answered ? Math.min(answered.to, now) : 0;
  if (places[0] && end > (last ?? places[0]).end) places.push(endAt(end, end === now));

  const valuesOf = new Map(steps.map((place, i) => [place, answer.steps[i]]));
  const isTooLong = findGapsAt(
    places.map(({ start }) => start),
    places.map((place) => valuesOf.get(place) ?? null),
  );
  const isEmpty = steps.length === 0;
  const hasNoInterval = steps.length < LEAST_FOR_INTERVAL;
  const gaps = places.flatMap((place, i): PlacedGap[] => {
    const before = places[i - 1];
    if (!before) return [];
    const hasEmptyStep = before.isDense && place.isDense && place.start - before.end >= stepMs;
    const isSilence = hasNoInterval && place.start - before.end > LONGEST_SECONDS * 1000;
    if (!isEmpty && !hasEmptyStep && !isTooLong[i] && !isSilence) return [];
    const gap = {
      from: isoOf(before.end),
      to: isoOf(place.start),
      ...(!(before.isExact && place.isExact) && { withinMs: stepMs }),
    };
    return [{ start: before.end, end: place.start, gap }];
  });

  const gapsByEnd = new Map(gaps.map(({ end, gap }) => [end, gap]));
  return {
    points: answer.steps.map((step, i) => {
      const { start, end } = at(steps, i);
      return {
        from: isoOf(start),
        to: isoOf(end),
        readings: step.readings,
        ...byMetric(({ field }) => summaryOf(step[field])),
        gapBefore: (i > 0 && gapsByEnd.get(start)) || null,
      };
    }),
    positions: steps.map(({ start, end }) => (start + end) / 2),
    gaps,
  };
}

function placeOf(
  { start: iso, readings }: StepAnswer,
  stepMs: number,
  { now, begin }: { now: number; begin: number },
): Place {
  const whole = Date.parse(iso);
  const wholeEnd = stepMs === DAY_MS ? nextDay(whole) : whole + stepMs;
  const isFirst = begin > whole && begin < wholeEnd;
  const start = isFirst ? begin : whole;
  const isSingle = readings === 1 && stepMs === EXACT_MS;
  const isUnderWay = now > start && now < wholeEnd;
  const end = isSingle ? start : isUnderWay ? now : wholeEnd;
  return { start, end, isDense: readings >= DENSE_FROM, isExact: isSingle };
}

const endAt = (time: number, isExact: boolean): Place => ({ start: time, end: time, isDense: true, isExact });

/** Returns the same local time a day later, after 23 or 25 hours if the clocks change. */
function nextDay(ms: number): number {
  const day = new Date(ms);
  return day.setDate(day.getDate() + 1);
}

const isoOf = (time: number) => new Date(time).toISOString();

function summaryOf(metric: MetricAnswer | null | undefined): Summary | null {
  return metric ? { average: metric.average, lowest: metric.lowest, highest: metric.highest } : null;
}
