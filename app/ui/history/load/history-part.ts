import type { HistoryAnswer } from '../../../readings/history/history-answer';
import { MAX_STEPS, STEPS, stepFor } from '../../../readings/history/history-step';
import type { Span } from '../../../readings/time/history-span';
import { formatTime } from '../../../readings/time/span-address';
import type { ComparedPiece } from '../../chart/compared-time';

/** Whole steps of a sensor's history; `from`, `to` and `step` in seconds. */
export interface HistoryPart {
  step: number;
  from: number;
  to: number;
}

/** Returns the length of the steps for a span that is drawn with at most so many points, in seconds. */
export function stepOf({ from, to }: Span, points: number): number {
  return stepFor(Math.floor(from / 1000), Math.ceil(to / 1000), points) ?? (STEPS.at(-1) as number);
}

/**
 * Returns the steps that a span touches, and one more on both sides, to which its line leads. They are whole, so that
 * all viewers ask for the same ones.
 *
 * @param margin how many more steps on both sides, as a share of the span's, as far as an answer has room for them
 */
export function partOf({ from, to }: Span, step: number, margin = 0): HistoryPart {
  const [first, end] = [Math.floor(from / 1000 / step) - 1, Math.ceil(to / 1000 / step) + 1];
  const more = Math.floor(Math.min((end - first) * margin, (MAX_STEPS - (end - first)) / 2));
  return { step, from: (first - more) * step, to: (end + more) * step };
}

/** Returns the steps that pieces of a part are compared with; null if there are no pieces. */
export function earlierPart(step: number, pieces: readonly ComparedPiece[]): HistoryPart | null {
  if (pieces.length === 0) return null;
  const from = Math.min(...pieces.map((piece) => piece.from - piece.shift));
  const to = Math.max(...pieces.map((piece) => piece.to - piece.shift));
  return { step, from: Math.floor(from / 1000 / step) * step, to: Math.ceil(to / 1000 / step) * step };
}

/** Returns true if a part has all of another one. */
export function hasPart(part: HistoryPart, other: HistoryPart): boolean {
  return part.step === other.step && part.from <= other.from && part.to >= other.to;
}

/** Returns the address of a part. No shorter step has so few points, so that the answer has this one. */
export function historyAddress({ step, from, to }: HistoryPart, sensor: string): string {
  const query = new URLSearchParams({
    from: formatTime(from * 1000),
    to: formatTime(to * 1000),
    points: String((to - from) / step),
    sensor,
  });
  return `/api/history?${String(query).replaceAll('%3A', ':')}`;
}

/** Replaces the steps of an answer from a time on, in seconds since 1970. */
export function withTail(answer: HistoryAnswer, tail: HistoryAnswer, from: number): HistoryAnswer {
  const kept = answer.steps.filter(({ start }) => Date.parse(start) < from * 1000);
  return { ...answer, steps: [...kept, ...tail.steps] };
}
