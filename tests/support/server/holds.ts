import { until } from '../until';
import type { RunningServer } from './server';

/** Makes a server measure how long its event loop is held; for the `env` of `startServer`. */
export const WITH_HOLDS = {
  NODE_OPTIONS: `--import ${new URL('report-holds.js', import.meta.url).href}`,
};

/** How long the event loop was held, without waiting for a processor, and how much of that it was on one. */
export interface Hold {
  heldMs: number;
  processorMs: number;
}

/** Returns the longest that the event loop of a server started `WITH_HOLDS` was held since the last call. */
export async function longestHold(server: RunningServer): Promise<Hold> {
  const reports = () => server.output().match(/(?<=^\[holds\] ).*(?=\n)/gm) ?? [];
  const before = reports().length;
  process.kill(server.pid, 'SIGWINCH');
  const [heldMs = 0, processorMs = 0] = (await until(() => reports()[before])).split(' ').map(Number);
  return { heldMs, processorMs };
}
