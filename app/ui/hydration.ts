import { useEffect, useLayoutEffect, useState } from 'react';

/** Returns false on the server and during the first render, then true, once the page responds to input. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}

/** Like `useLayoutEffect`, without React's warning on the server. */
export const useBeforePaint = import.meta.env.SSR ? useEffect : useLayoutEffect;

const TICK_MS = 1000;

const timeOfDay = () => Date.now();

/** Returns the viewer's clock in ms, updated every second; null until hydration. `read` must stay the same function. */
export function useNow(read: () => number = timeOfDay): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(read());
    const timer = setInterval(() => setNow(read()), TICK_MS);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}
