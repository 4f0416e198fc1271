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

const HOURS = { hourCycle: 'h23' } as const;

/** Formats a time in the local time zone with a 24-hour clock, and with its date unless that is today. */
export function formatLocalTime(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? formatTimeOfDay(time) : time.toLocaleString([], HOURS);
}

export function formatTimeOfDay(time: Date): string {
  return time.toLocaleTimeString([], HOURS);
}

/** Formats an ISO 8601 time in UTC to the second: `2026-01-02 10:00:00 UTC`. */
export function formatUtcTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
