import { useEffect, useState } from 'react';

const TICK_MS = 1000;

const timeOfDay = () => Date.now();

/**
 * The viewer's clock in milliseconds, refreshed every second. Null on the server and for the first render:
 * the two must agree, and the server knows neither this clock nor its time zone.
 *
 * @param read which clock, the time of day by default; must be the same function on every render
 */
export function useNow(read: () => number = timeOfDay): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(read());
    const timer = setInterval(() => setNow(read()), TICK_MS);
    return () => clearInterval(timer);
  }, [read]);
  return now;
}
