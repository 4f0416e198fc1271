import { join } from 'node:path';
import { seedDatabase } from '../readings/database';
import { type RunningServer, startServer, temporaryFolder } from './server';

/**
 * Starts a server with `count` readings, the newest one `endMs` old. They are 15 s apart, unless a test posts so late that
 * this would make a gap.
 */
export async function startServerWith(
  count: number,
  { endMs, intervalMs, env }: { endMs?: number; intervalMs?: number; env?: Record<string, string> } = {},
): Promise<RunningServer> {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await seedDatabase(databasePath, count, { endMs, intervalMs });
  return startServer({ databasePath, env });
}
