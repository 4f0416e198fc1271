import { type ServerClock, serverTimeAt } from '../../live/browser/server-clock';
import { useNow } from '../use-now';

const readClock = () => performance.now();

/**
 * Returns the server's time in milliseconds, which the readings have too, updated every second. Null on the server and
 * for the first render: spans are those of the viewer's time zone, which the server doesn't know.
 */
export function useServerNow(clock: ServerClock): number | null {
  const now = useNow(readClock);
  return now === null ? null : serverTimeAt(clock, now);
}
