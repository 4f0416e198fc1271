import type { ChartPoint, Summary } from '../../readings/chart/chart-series';
import { findGapsAt, type PlacedGap } from '../../readings/chart/gap';
import type { HistoryAnswer, MetricAnswer, StepAnswer } from '../../readings/history/history-answer';
import { byMetric, METRICS } from '../../readings/metric';
import { measuredValues, type Reading } from '../../readings/reading';
import { DENSE_FROM, LONGEST_SECONDS, SLOT_SECONDS } from '../../readings/roll-up/slot';
import { DAY_MS } from '../../readings/time/durations';
import type { Span } from '../../readings/time/history-span';
import { countedEnds, isUncounted, type PlacedStep } from './counted-ends';

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

/** A shorter pause leaves at most one slot empty. */
const SHORT_MS = 2 * SLOT_SECONDS * 1000;

interface HistoryTimes {
  /** The current time, which ends the current step. */
  now: number;
  /** The time of the first reading, which starts its step. There are no gaps before it. Null if unknown. */
  first?: number | null;
  /** The answer's span, which may have gaps at its ends. */
  answered?: Span;
  /** The newest reading, which gets a point of its own even if its step has others, or isn't in the answer yet. */
  newest?: Reading | null;
}

/** A step, or an end of the span (`start` equals `end`), in milliseconds. */
interface Place extends PlacedStep {
  isDense: boolean;
  /** The end of the counted time up to here; null if it isn't known. */
  countedTo: number | null;
  /** True if there is a reading exactly at the start and end, or if no readings can be missing beyond. */
  isExact: boolean;
}

/**
 * Returns the points of a history, each in the middle of its step, and the gaps between them: the time that the numbers below the chart
 * count as without readings (`slotSeconds`). The usual interval of the steps decides instead (`findGapsAt`):
 *
 * - for pauses too short for slots
 * - at the start of the span, up to the newest reading and up to now, where it isn't known yet how much time counts
 */
export function historyPoints(
  answer: HistoryAnswer,
  { now, first, answered, newest }: HistoryTimes,
): HistoryPoints {
  const stepMs = answer.step_seconds * 1000;
  const begin = first ?? Number.NEGATIVE_INFINITY;
  const steps = answer.steps.map((step) => placeOf(step, stepMs, { now, begin }));
  const isNewestAdded = newest ? addNewest(steps, newest) : false;
  const counted = METRICS.map(({ field }) => ({ field, ends: countedEnds(steps, field, stepMs, begin) }));
  if (isNewestAdded && steps.length > 1) for (const { ends } of counted) ends[ends.length - 2] = null;
  steps.forEach((place, i) => {
    const ends = hasValues(place) ? counted.flatMap(({ ends }) => ends[i] ?? []) : [];
    place.countedTo = ends.length > 0 ? Math.max(...ends) : null;
  });
  const places = withSpanEnds(steps, stepMs, { now, begin, answered });

  const isTooLong = findGapsAt(
    places.map(({ start }) => start),
    places.map(({ step }) => step),
  );
  const isEmpty = steps.length === 0;
  const hasNoInterval = steps.length < LEAST_FOR_INTERVAL;
  const isGap = (before: Place, place: Place, isTooLong: boolean) => {
    const pauseMs = place.start - before.end;
    if (before.countedTo === null || (place.step && !hasValues(place)))
      return isTooLong || (hasNoInterval && pauseMs > LONGEST_SECONDS * 1000);
    return isUncounted(before.countedTo, place.start, stepMs) || (isTooLong && pauseMs < SHORT_MS);
  };
  const gaps = places.flatMap((place, i): PlacedGap[] => {
    const before = places[i - 1];
    if (!before || !(isEmpty || isGap(before, place, isTooLong[i] ?? false))) return [];
    const gap = {
      from: isoOf(before.end),
      to: isoOf(place.start),
      ...(!(before.isExact && place.isExact) && { withinMs: stepMs }),
    };
    return [{ start: before.end, end: place.start, gap }];
  });

  const gapsByEnd = new Map(gaps.map(({ end, gap }) => [end, gap]));
  return {
    points: steps.map(({ start, end, step }, i) => ({
      from: isoOf(start),
      to: isoOf(end),
      readings: step?.readings ?? 0,
      ...byMetric(({ field }) => summaryOf(step?.[field])),
      gapBefore: (i > 0 && gapsByEnd.get(start)) || null,
      breaks: counted.flatMap(({ field, ends }) => (isUncounted(ends[i - 1], start, stepMs) ? field : [])),
    })),
    positions: steps.map(({ start, end }) => (start + end) / 2),
    gaps,
  };
}

function placeOf(step: StepAnswer, stepMs: number, { now, begin }: { now: number; begin: number }): Place {
  const { readings } = step;
  const whole = Date.parse(step.start);
  const wholeEnd = stepMs === DAY_MS ? nextDay(whole) : whole + stepMs;
  const isFirst = begin > whole && begin < wholeEnd;
  const start = isFirst ? begin : whole;
  const isSingle = readings === 1 && stepMs === EXACT_MS;
  const isUnderWay = now > start && now < wholeEnd;
  const end = isSingle ? start : isUnderWay ? now : wholeEnd;
  return { start, end, step, isDense: readings >= DENSE_FROM, countedTo: null, isExact: isSingle };
}

/**
 * Adds the newest reading at its exact time, in place of a step that has no other reading. A step with others ends there.
 *
 * @returns false if the answer has newer steps
 */
function addNewest(steps: Place[], newest: Reading): boolean {
  const time = Date.parse(newest.created_at);
  const last = steps.at(-1);
  if (last && last.start > time) return false;
  const own = last && last.end >= time && last.step?.readings === 1 ? steps.pop()?.step : null;
  if (last && !own) last.end = Math.min(last.end, time);
  const values = measuredValues(newest);
  const step: StepAnswer = {
    start: own?.start ?? newest.created_at,
    readings: 1,
    ...byMetric(({ field }) => {
      const value = values[field] ?? null;
      const counted = own?.[field] ?? { good_seconds: 0, moderate_seconds: 0, poor_seconds: 0 };
      return value === null ? null : { ...counted, average: value, lowest: value, highest: value };
    }),
  };
  steps.push({ start: time, end: time, step, isDense: false, countedTo: null, isExact: true });
  return true;
}

/** Adds the start of the span, and its end or now, if they are apart from the steps. */
function withSpanEnds(
  steps: readonly Place[],
  stepMs: number,
  { now, begin, answered }: { now: number; begin: number; answered: Span | undefined },
): Place[] {
  if (!answered) return [...steps];
  const [first, last] = [steps[0], steps.at(-1)];
  const endAt = (time: number, isExact: boolean): Place => {
    return { start: time, end: time, step: null, isDense: true, countedTo: null, isExact };
  };
  const [from, to] = [Math.max(answered.from, begin), Math.min(answered.to, now)];
  const start = from < (first?.start ?? answered.to) ? [endAt(from, from === begin)] : [];
  const end = to > (last?.end ?? from) ? [endAt(to, to === now)] : [];
  // A sensor that posts often is expected back in each slot.
  for (const place of start) if (first?.isDense) place.countedTo = from;
  // The next reading of any other sensor decides how much time counts.
  if (last && end.length > 0 && to === now)
    last.countedTo = last.isDense && last.countedTo ? last.countedTo + stepMs : null;
  return [...start, ...steps, ...end];
}

const hasValues = ({ step }: PlacedStep) => METRICS.some(({ field }) => step?.[field]);

/** Returns the same local time a day later, after 23 or 25 hours if the clocks change. */
function nextDay(ms: number): number {
  const day = new Date(ms);
  return day.setDate(day.getDate() + 1);
}

const isoOf = (time: number) => new Date(time).toISOString();

function summaryOf(metric: MetricAnswer | null | undefined): Summary | null {
  return metric ? { average: metric.average, lowest: metric.lowest, highest: metric.highest } : null;
}
