import type { ChartPoint } from './chart-series';
import { findGaps, type PlacedGap } from './gap';
import type { HistoryAnswer, MetricAnswer, StepAnswer } from './history-answer';
import { DENSE_FROM } from './slot';
import type { TimeView } from './time-view';

/** The points of a history on a time axis, which is in milliseconds since 1970. */
export interface HistoryPoints {
  points: ChartPoint[];
  /** The points' places on that axis. */
  positions: number[];
  gaps: PlacedGap[];
}

/** A single reading of a shorter step lies at its beginning. */
const MINUTE_MS = 60_000;

/** A step, or an end of the span without any time of its own, in milliseconds. */
interface Place {
  start: number;
  end: number;
  isDense: boolean;
}

/**
 * Returns the points of a history. A point lies in the middle of its step. Readings are missing between two steps of
 * three or more readings each if a step between them is empty, and otherwise by the rule of `findGaps`.
 *
 * @param now the step that isn't over yet ends here
 * @param answered the span that the answer is of: readings may be missing at its ends too
 */
export function historyPoints(answer: HistoryAnswer, now: number, answered?: TimeView): HistoryPoints {
  const stepMs = answer.step_seconds * 1000;
  const steps = answer.steps.map((step) => placeOf(step, stepMs, now));
  const [first, last] = [steps[0], steps.at(-1)];
  const places = [...steps];
  if (answered && answered.from < (first?.start ?? Number.POSITIVE_INFINITY))
    places.unshift(endAt(answered.from));
  const end = answered ? Math.min(answered.to, now) : 0;
  if (places[0] && end > (last ?? places[0]).end) places.push(endAt(end));

  const isTooLong = findGaps(places.map(({ start }) => ({ created_at: new Date(start).toISOString() })));
  const isEmpty = steps.length === 0;
  const gaps = places.flatMap((place, i): PlacedGap[] => {
    const before = places[i - 1];
    if (!before) return [];
    const hasEmptyStep = before.isDense && place.isDense && place.start - before.end >= stepMs;
    if (!isEmpty && !hasEmptyStep && !isTooLong[i]) return [];
    const gap = { from: isoOf(before.end), to: isoOf(place.start) };
    return [{ start: before.end, end: place.start, gap }];
  });

  const gapsByEnd = new Map(gaps.map(({ end, gap }) => [end, gap]));
  return {
    points: answer.steps.map((step, i) => {
      const { start, end } = steps[i] as Place;
      return {
        from: isoOf(start),
        to: isoOf(end),
        readings: step.readings,
        co2: summaryOf(step.co2),
        voc: summaryOf(step.voc),
        gapBefore: (i > 0 && gapsByEnd.get(start)) || null,
      };
    }),
    positions: steps.map(({ start, end }) => (start + end) / 2),
    gaps,
  };
}

function placeOf({ start: iso, readings }: StepAnswer, stepMs: number, now: number): Place {
  const start = Date.parse(iso);
  const isSingle = readings === 1 && stepMs < MINUTE_MS;
  const isUnderWay = now > start && now < start + stepMs;
  const end = isSingle ? start : isUnderWay ? now : start + stepMs;
  return { start, end, isDense: readings >= DENSE_FROM };
}

const endAt = (time: number): Place => ({ start: time, end: time, isDense: true });

const isoOf = (time: number) => new Date(time).toISOString();

function summaryOf(metric: MetricAnswer | null) {
  return metric && { average: metric.average, lowest: metric.lowest, highest: metric.highest };
}
