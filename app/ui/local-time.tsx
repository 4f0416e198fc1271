import { useHydrated } from './use-hydrated';

/** A moment in the viewer's time zone, with its day where that is not today; nothing until the zone is known. */
export function LocalTime({ at }: { at: string }) {
  const isHydrated = useHydrated();
  return <time dateTime={at}>{isHydrated ? inWords(new Date(at)) : '\u00a0'}</time>;
}

/** The viewer's time of a moment, with its day where that is not today. */
export function inWords(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? time.toLocaleTimeString() : time.toLocaleString();
}
