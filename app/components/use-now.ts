import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/**
 * The viewer's clock in milliseconds, refreshed every second. Null on the server and for the first render:
 * the two must agree, and the server knows neither this clock nor its time zone.
 */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
