import { useHydrated } from './use-hydrated';

/** A moment in the viewer's time zone; nothing until the viewer's zone is known. */
export function LocalTime({ at }: { at: string }) {
  const isHydrated = useHydrated();
  return <time dateTime={at}>{isHydrated ? new Date(at).toLocaleString() : '\u00a0'}</time>;
}
