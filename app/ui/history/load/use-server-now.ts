import { useEffect, useState } from 'react';
import { type ServerClock, serverTimeAt } from '../../../live/browser/server-clock';
import { useBeforePaint } from '../../use-before-paint';

const TICK_MS = 1000;

/**
 * Returns the server's time in milliseconds, which the readings have too, updated every second. Null on the server and
 * for the first render: spans are those of the viewer's time zone, which the server doesn't know.
 */
export function useServerNow(clock: ServerClock): number | null {
  const [now, setNow] = useState<number | null>(null);
  useBeforePaint(() => setNow(performance.now()), []);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now === null ? null : serverTimeAt(clock, now);
}
