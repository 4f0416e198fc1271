import { setTimeout as sleep } from 'node:timers/promises';
import { type Env, getEnv, StartupError } from './config/env.server';
import { singleton } from './config/singleton.server';
import { isPublicKey } from './config/supabase-settings.server';
import { type InstalledGuard, installRequestGuard } from './http/install-request-guard.server';
import { createRequestGuard } from './http/request-guard.server';
import { closeInsertStreams } from './live/server/insert-streams.server';
import * as data from './routes/api.data';
import * as live from './routes/api.live';
import * as healthz from './routes/healthz';
import { getStore, openStore } from './store/open-store.server';

/** How long requests in flight may take on shutdown. With closing the store, the process ends within 5 s. */
const DRAIN_MS = 4000;
const CLOSE_STORE_MS = 500;

let isShuttingDown = false;

const API_ROUTES = { '/api/data': data, '/api/live': live, '/healthz': healthz };

/** The guard for Vite's development server: `scripts/dev-server.js` loads it again after each edit. */
export const requestGuard = createRequestGuard(API_ROUTES);

/**
 * Opens the store before the server listens and installs the request guard. Runs once per process. Wrong
 * settings or a store that can't be opened end the process with exit code 1 and one message.
 */
export function boot(): Promise<void> {
  return singleton('boot', async () => {
    try {
      const store = await openStore();
      console.log(`[airboard] readings are kept in: ${store.description}`);
      for (const warning of warningsAbout(getEnv())) console.log(`[airboard] ${warning}`);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      console.error(`[airboard] can't start: ${error.message}`);
      process.exit(1);
    }
    // The development server installs the guard and handles signals itself.
    if (import.meta.env.PROD) {
      const guard = installRequestGuard(API_ROUTES, getEnv().PORT);
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => shutDown(guard));
    }
  });
}

/** Warnings about settings that are valid but risky. */
function warningsAbout({ WRITE_KEY, supabase }: Env): string[] {
  const warnings = [];
  if (!WRITE_KEY) warnings.push('no WRITE_KEY is set: anyone who reaches this server can write');
  if (WRITE_KEY && supabase && supabase.serverKey === supabase.publicKey) {
    warnings.push(
      'WRITE_KEY guards this server alone: with the public Supabase key, which is in every page, anyone can ' +
        'write to the project. docs/supabase.md says how SUPABASE_SECRET_KEY prevents it',
    );
  }
  if (supabase && !isPublicKey(supabase.publicKey)) {
    warnings.push(
      'the public Supabase key is neither sb_publishable_… nor a JWT of the role anon. It is in every page: ' +
        'make sure that it isn’t secret',
    );
  }
  return warnings;
}

/**
 * Ends the streams, waits for requests in flight, closes the store and exits. remix-serve only stops
 * accepting connections, and would wait for the streams forever.
 */
async function shutDown(guard: InstalledGuard): Promise<void> {
  // npm, a shell and a terminal may each send a signal.
  if (isShuttingDown) return;
  isShuttingDown = true;
  closeInsertStreams();
  await guard.close(DRAIN_MS);
  // Closing waits for an insert that waits for a locked database.
  await Promise.race([getStore().close(), sleep(CLOSE_STORE_MS)]).catch(console.error);
  process.exit(0);
}
