import { formatDay, isSameDay } from '../readings/time/local-time';
import { useHydrated } from './hydration';

/** A time in the viewer's time zone. Without JavaScript it is in UTC, because the server doesn't know the zone. */
export function LocalTime({ time }: { time: string }) {
  const isHydrated = useHydrated();
  return (
    <time dateTime={time}>
      {isHydrated ? (
        formatLocalTime(new Date(time))
      ) : (
        <noscript>{import.meta.env.SSR && formatUtcTime(time)}</noscript>
      )}
    </time>
  );
}

/**
 * Formats a time in the local time zone: `15:43:57`, or `2 Jan 15:43:57` unless that is today. In English, as all of
 * the page is, whatever the browser's language.
 */
export function formatLocalTime(time: Date): string {
  const now = new Date();
  return isSameDay(time, now) ? formatTimeOfDay(time) : `${formatDay(time, now)} ${formatTimeOfDay(time)}`;
}

export function formatTimeOfDay(time: Date): string {
  return time.toTimeString().slice(0, '15:43:57'.length);
}

/** Formats an ISO 8601 time in UTC to the second: `2026-01-02 10:00:00 UTC`. */
export function formatUtcTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
