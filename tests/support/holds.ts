import type { RunningServer } from './server';
import { until } from './until';

/** Makes a server measure how long its event loop is held; for the `env` of `startServer`. */
export const WITH_HOLDS = {
  NODE_OPTIONS: `--import ${new URL('report-holds.js', import.meta.url).href}`,
};

/**
 * Returns the longest that the event loop of a server started `WITH_HOLDS` was held since the last call, in
 * milliseconds, without the time that it waited for a processor.
 */
export async function longestHold(server: RunningServer): Promise<number> {
  const reports = () => server.output().match(/(?<=^\[holds\] ).*(?=\n)/gm) ?? [];
  const before = reports().length;
  process.kill(server.pid, 'SIGWINCH');
  return Number(await until(() => reports()[before]));
}
