import { formatLongDuration } from '../time/format-duration';
import { formatTimeSpan, formatWithDay, type TimeFormat, withEnglishDays } from '../time/local-day';
import { type ChartPoint, timeLabel } from './chart-series';
import type { Gap } from './gap';

const DAY_MS = 86_400_000;

const LABELS = withEnglishDays(timeLabel);

/** Says when a point was: `9:5:30`, or `7 Nov 9:5:30 – 10:5:15` for the readings of another day than that of `now`. */
export function pointTime({ from, to }: ChartPoint, now: Date, format: TimeFormat = LABELS): string {
  if (from === to) return formatWithDay(new Date(from), now, format);
  return formatTimeSpan([new Date(from), new Date(to)], now, format, ' – ');
}

/** Returns how long a gap is: `7 d 18 h`, or `over 12 h` between steps, whose readings may be hours away from the gap. */
export function gapLength({ from, to, withinMs }: Gap): string {
  const length = formatLongDuration(Date.parse(to) - Date.parse(from));
  return withinMs ? `over ${length}` : length;
}

/**
 * Says how long a gap is and when it was: `7 d 18 h without readings, 7 Nov 2:56:32 to 14 Nov 21:25:32`. Between steps of
 * days it has no times of day.
 */
export function gapText(gap: Gap, now: Date, format: TimeFormat = LABELS): string {
  const ends = [new Date(gap.from), new Date(gap.to)] as const;
  const hasTimes = (gap.withinMs ?? 0) < DAY_MS;
  const span = hasTimes
    ? formatTimeSpan(ends, now, format, ' to ')
    : ends.map((end) => format.day(end, now)).join(' to ');
  return `${gapLength(gap)} without readings, ${span}`;
}
