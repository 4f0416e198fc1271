import type { Note } from '../../readings/note';
import { formatTimeSpan, formatWithDay, type TimeFormat } from '../../readings/time/local-day';

/** Formats a note's time or span: `21 Nov 8:05` or `21 Nov 8:05 to 9:10`. */
export function noteTime({ from, to }: Note, now: Date, format: TimeFormat): string {
  if (to === null) return formatWithDay(new Date(from), now, format);
  return formatTimeSpan([new Date(from), new Date(to)], now, format, ' to ');
}
