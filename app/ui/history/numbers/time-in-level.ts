import { withUnit } from '../../../readings/format/format-value';
import type { LevelSeconds, LevelSummary, Stretch } from '../../../readings/history/history-answer';
import { LEVELS, type Level } from '../../../readings/level/level';
import type { Metric, Threshold } from '../../../readings/metric';
import { formatMeasured } from '../../../readings/time/durations';
import { outsideOf, type Span, type SpanLimits } from '../../../readings/time/history-span';
import { clockTimeIn, formatDay } from '../../../readings/time/local-time';

export interface TimePart {
  kind: Level | 'without';
  seconds: number;
}

/** Shorter times without readings are left out. */
const LEAST_SECONDS = 60;

/** Splits a span into time in each level and time without readings. Ignores time before the first reading and in the future. */
export function timeParts(answer: LevelSeconds | null, span: Span, context: SpanLimits): TimePart[] {
  const counted = LEVELS.map((level) => ({ kind: level, seconds: answer?.[`${level}_seconds`] ?? 0 }));
  const { before, toCome } = outsideOf(span, context);
  const elapsed = secondsOf(span) - secondsOf(before) - secondsOf(toCome);
  const without = elapsed - counted.reduce((sum, { seconds }) => sum + seconds, 0);
  const parts: TimePart[] = [
    ...counted,
    { kind: 'without', seconds: without >= LEAST_SECONDS ? without : 0 },
  ];
  return parts.filter(({ seconds }) => seconds > 0);
}

/** A part with a smaller share of the bar would be invisible. */
const LEAST_SHARE = 0.015;

/** Returns each part's share of the bar; they add up to 1. Widens parts that would be invisible, at the cost of longer ones. */
export function barShares(parts: readonly TimePart[]): number[] {
  const total = parts.reduce((sum, { seconds }) => sum + seconds, 0);
  const shares = parts.map(({ seconds }) => seconds / total);
  const missing = shares.reduce((sum, share) => sum + Math.max(0, LEAST_SHARE - share), 0);
  const spare = shares.reduce((sum, share) => sum + Math.max(0, share - LEAST_SHARE), 0);
  return shares.map((share) =>
    share < LEAST_SHARE ? LEAST_SHARE : share - ((share - LEAST_SHARE) / (spare || 1)) * missing,
  );
}

/** A smaller share isn't mentioned: the spans of last days and of all readings end a little after now (`resolveSpan`). */
const LEAST_TO_COME = 1 / 256;

/** Describes the time before the first reading and in the future: `12 d before the first reading`, `3 h to come`. */
export function nameOutside(span: Span, context: SpanLimits): string[] {
  const { before, toCome } = outsideOf(span, context);
  const name = (part: Span | null, words: string, least: number) =>
    secondsOf(part) >= least ? [`${formatMeasured(secondsOf(part))} ${words}`] : [];
  const leastToCome = Math.max(LEAST_SECONDS, secondsOf(span) * LEAST_TO_COME);
  return [
    ...name(before, 'before the first reading', LEAST_SECONDS),
    ...name(toCome, 'to come', leastToCome),
  ];
}

function secondsOf(span: Span | null): number {
  return span ? (span.to - span.from) / 1000 : 0;
}

/** Describes a part of the bar: `7 h 10 min moderate`, `1 h 15 min without readings`. */
export function namePart({ kind, seconds }: TimePart): string {
  return `${formatMeasured(seconds)} ${kind === 'without' ? 'without readings' : kind}`;
}

/**
 * Describes the time above each threshold: `above 1000 PPM for 7 h 10 min, longest 2 h 5 min from 19:40` and
 * `above 2000 PPM never`. Leaves out the second threshold if the first was never exceeded. Says `only briefly` if values exceeded the threshold but
 * no slot's average did.
 *
 * @param timeOf formats the start of a stretch
 */
export function thresholdsExceeded(
  summary: LevelSummary,
  metric: Metric,
  threshold: Threshold,
  timeOf: (time: string) => string,
): string[] {
  const notGood = summary.moderate_seconds + summary.poor_seconds;
  const highest = summary.highest ?? Number.NEGATIVE_INFINITY;
  const say = (limit: number, seconds: number, longest: Stretch | null) => {
    const above = `${highest === limit ? 'at' : 'above'} ${withUnit(metric, limit)}`;
    if (seconds === 0) return `${above} ${highest < limit ? 'never' : 'only briefly'}`;
    const whole = `${above} for ${formatMeasured(seconds)}`;
    if (!longest) return whole;
    const isAll = longest.seconds >= seconds;
    return `${whole}, ${isAll ? '' : `longest ${formatMeasured(longest.seconds)} `}from ${timeOf(longest.from)}`;
  };
  const first = say(threshold.good, notGood, summary.longest_not_good);
  if (notGood === 0 && highest < threshold.good) return [first];
  return [first, say(threshold.moderate, summary.poor_seconds, summary.longest_poor)];
}

const LONGEST_DAY_MS = 25 * 3_600_000;

/** Formats an ISO time as `4:12`, with its day in a span longer than a day, and with seconds in a short span. */
export function formatTimeIn({ from, to }: Span, time: string, now: number): string {
  const date = new Date(time);
  const clock = clockTimeIn(to - from)(date);
  return to - from > LONGEST_DAY_MS ? `${formatDay(date, new Date(now))} ${clock}` : clock;
}
