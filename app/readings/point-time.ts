import { type ChartPoint, timeLabel } from './chart-series';
import { formatLongDuration } from './format-duration';
import type { Gap } from './gap';
import { formatTimeSpan, formatWithDay, type TimeFormat, withEnglishDays } from './local-day';

const LABELS = withEnglishDays(timeLabel);

/** Says when a point was: `9:5:30`, or `7 Nov 9:5:30 – 10:5:15` for the readings of another day than that of `now`. */
export function pointTime({ from, to }: ChartPoint, now: Date, format: TimeFormat = LABELS): string {
  if (from === to) return formatWithDay(new Date(from), now, format);
  return formatTimeSpan([new Date(from), new Date(to)], now, format, ' – ');
}

/** Returns how long a gap is: `7 d 18 h`. */
export function gapLength({ from, to }: Gap): string {
  return formatLongDuration(Date.parse(to) - Date.parse(from));
}

/** Says how long a gap is and when it was: `7 d 18 h without readings, 7 Nov 2:56:32 to 14 Nov 21:25:32`. */
export function gapText(gap: Gap, now: Date, format: TimeFormat = LABELS): string {
  const span = formatTimeSpan([new Date(gap.from), new Date(gap.to)], now, format, ' to ');
  return `${gapLength(gap)} without readings, ${span}`;
}
