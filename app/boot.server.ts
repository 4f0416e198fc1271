import { BootError, getEnv } from './env.server';
import { closeFrontDoor } from './http/front-door.server';
import { closeInsertStreams } from './live/insert-streams.server';
import { singleton } from './singleton.server';
import { getStore } from './store/store.server';
import { isPublicKey } from './supabase-settings.server';

/** remix-serve gets this long to answer what is in flight; the process is gone before 5 s are over. */
const SHUTDOWN_MS = 4000;

const UNKNOWN_KEY =
  'the public Supabase key looks like none (sb_publishable_…, or a JWT of the role anon). It is in every page: be sure that it is no secret';

/**
 * Opens the store and says which one it is, before the server listens. What is wrong with the settings or
 * the store is said in one message, and the process ends with 1.
 */
export function boot(): void {
  singleton('boot', () => {
    try {
      const { WRITE_KEY, supabase } = getEnv();
      console.log(`[airboard] readings are kept in: ${getStore().description}`);
      if (!WRITE_KEY) console.log('[airboard] no WRITE_KEY is set: anyone who reaches this server can write');
      if (supabase && !isPublicKey(supabase.publicKey)) console.warn(`[airboard] ${UNKNOWN_KEY}`);
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      console.error(`[airboard] can't start: ${error.message}`);
      process.exit(1);
    }
    if (import.meta.env.PROD) for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, shutDown);
    return true;
  });
}

/**
 * remix-serve stops accepting by itself, and then waits for streams that never end. So: end them, so that
 * their clients resume; let what is in flight be answered; close the store; leave.
 */
async function shutDown(): Promise<void> {
  closeInsertStreams();
  await closeFrontDoor(SHUTDOWN_MS);
  await getStore().close();
  process.exit(0);
}
