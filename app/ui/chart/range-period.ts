import type { Range } from '../../readings/chart/range';
import type { Reading } from '../../readings/reading';
import { clockTime, clockTimeToSecond } from '../../readings/time/clock-time';
import { formatLongDuration } from '../../readings/time/format-duration';
import { formatTimeSpan, formatWithDay, withEnglishDays } from '../../readings/time/local-day';

const TO_MINUTE = withEnglishDays(clockTime);
const TO_SECOND = withEnglishDays(clockTimeToSecond);

/** The names of the ranges assume a reading every 15 s. */
const NAMED_INTERVAL_MS = 15_000;

/** The time covered is said if it differs from the range's name by more than this share of it. */
const TOLERANCE = 0.1;

/**
 * Says which readings a chart shows, in the local time zone: `7 Nov 13:23 to 21 Nov 11:40, 5,760 readings`, followed by
 * the time covered, such as `14 d 2 h`, where that isn't what the range's name says.
 *
 * @param readings oldest first; only the last `maxPoints` are shown
 */
export function describeShownRange(readings: readonly Reading[], range: Range, now: Date): string {
  const used = readings.slice(-range.maxPoints);
  if (used.length === 0) return '';
  const [from, to] = [used[0], used.at(-1)].map((reading) => new Date(reading?.created_at ?? 0)) as [
    Date,
    Date,
  ];
  if (used.length === 1) return `${formatWithDay(to, now, TO_MINUTE)}, 1 reading`;
  const coveredMs = to.getTime() - from.getTime();
  const namedMs = range.maxPoints * NAMED_INTERVAL_MS;
  const isAsNamed = Math.abs(coveredMs - namedMs) <= TOLERANCE * namedMs;
  const inMinutes = formatTimeSpan([from, to], now, TO_MINUTE, ' to ');
  const isWithinMinute = coveredMs < 60_000 && clockTime(from) === clockTime(to);
  const span = isWithinMinute ? formatTimeSpan([from, to], now, TO_SECOND, ' to ') : inMinutes;
  const covered = isAsNamed ? '' : `, ${formatLongDuration(coveredMs)}`;
  return `${span}, ${groupDigits(used.length)} readings${covered}`;
}

function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
