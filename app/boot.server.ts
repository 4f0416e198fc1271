import { setTimeout as sleep } from 'node:timers/promises';
import { type Env, getEnv, StartupError } from './config/env.server';
import { singleton } from './config/singleton.server';
import { isPublicKey } from './config/supabase-settings.server';
import { answerDirectly } from './http/direct-routes.server';
import { closeFrontDoor } from './http/request-guard.server';
import { closeInsertStreams } from './live/server/insert-streams.server';
import * as data from './routes/api.data';
import * as live from './routes/api.live';
import * as healthz from './routes/healthz';
import { getStore, openStore } from './store/open-store.server';

/** remix-serve gets this long to answer what is in flight; the process is gone before 5 s are over. */
const SHUTDOWN_MS = 4000;
const CLOSE_MS = 500;

let isShuttingDown = false;

/**
 * Opens the store and says which one it is, before the server listens. What is wrong with the settings or
 * the store is said in one message, and the process ends with 1.
 */
export function boot(): Promise<void> {
  return singleton('boot', async () => {
    try {
      const store = await openStore();
      console.log(`[airboard] readings are kept in: ${store.description}`);
      for (const caution of cautionsOf(getEnv())) console.log(`[airboard] ${caution}`);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      console.error(`[airboard] can't start: ${error.message}`);
      process.exit(1);
    }
    // In development routes are reloaded, and these would stay as they were; and Vite stops by itself.
    if (import.meta.env.PROD) {
      answerDirectly({ '/api/data': data, '/api/live': live, '/healthz': healthz });
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, shutDown);
    }
  });
}

/** What may not be as whoever set it thinks. */
function cautionsOf({ WRITE_KEY, supabase }: Env): string[] {
  const cautions = [];
  if (!WRITE_KEY) cautions.push('no WRITE_KEY is set: anyone who reaches this server can write');
  if (WRITE_KEY && supabase && supabase.serverKey === supabase.publicKey) {
    cautions.push(
      'WRITE_KEY guards this server alone: with the public Supabase key, which every page holds, anyone can ' +
        'write to the project. docs/supabase.md says how SUPABASE_SECRET_KEY prevents it',
    );
  }
  if (supabase && !isPublicKey(supabase.publicKey)) {
    cautions.push(
      'the public Supabase key is neither sb_publishable_… nor a JWT of the role anon. It is in every page: be ' +
        'sure that it is no secret',
    );
  }
  return cautions;
}

/**
 * remix-serve stops accepting by itself, and then waits for streams that never end. So: end them, so that
 * their clients resume; let what is in flight be answered; close the store; leave.
 */
async function shutDown(): Promise<void> {
  // A second signal changes nothing: npm, a shell and a terminal may each send one.
  if (isShuttingDown) return;
  isShuttingDown = true;
  closeInsertStreams();
  await closeFrontDoor(SHUTDOWN_MS);
  // What still waits for a locked database has had its time.
  await Promise.race([getStore().close(), sleep(CLOSE_MS)]).catch(console.error);
  process.exit(0);
}
