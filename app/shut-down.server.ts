import { setTimeout as sleep } from 'node:timers/promises';
import { stopAlerts } from './alerts/start-alerts.server';
import type { InstalledGuard } from './http/guard/install-request-guard.server';
import { closeInsertStreams } from './live/server/insert-streams.server';
import { stopSources } from './sources/start-sources.server';
import { getStore } from './store/open-store.server';

/** How long requests in flight may take on shutdown. With closing the store, the process ends within 5 s. */
const DRAIN_MS = 4000;
const CLOSE_STORE_MS = 500;

let isShuttingDown = false;

/**
 * Ends the streams, the notifications and the sources, waits for requests in flight, closes the store, logs the signal and exits.
 * remix-serve only stops accepting connections, and would wait for the streams forever.
 */
export async function shutDown(guard: InstalledGuard, signal: NodeJS.Signals): Promise<void> {
  // npm, a shell and a terminal may each send a signal.
  if (isShuttingDown) return;
  isShuttingDown = true;
  closeInsertStreams();
  const stopped = Promise.all([stopSources(), stopAlerts()]);
  await guard.close(DRAIN_MS);
  // Closing waits for an insert that waits for a locked database.
  await Promise.race([
    stopped.catch(console.error).then(() => getStore().close()),
    sleep(CLOSE_STORE_MS),
  ]).catch(console.error);
  // Without this line, the log of a stop would be that of a crash.
  console.log(`[airboard] ${new Date().toISOString()} stopped by ${signal}`);
  process.exit(0);
}
