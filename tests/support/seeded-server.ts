import { join } from 'node:path';
import { seedDatabase } from './database';
import { type RunningServer, startServer, temporaryFolder } from './server';

/** Starts a server with `count` readings 15 s apart, the newest one `endMs` old. */
export async function startServerWith(
  count: number,
  { endMs, env }: { endMs?: number; env?: Record<string, string> } = {},
): Promise<RunningServer> {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await seedDatabase(databasePath, count, { endMs });
  return startServer({ databasePath, env });
}
