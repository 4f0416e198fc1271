import type { AlertStore } from './alert-store';
import { getStore } from './open-store.server';

/**
 * Returns where the alerts keep what they know: beside the readings, in the store that `openStore` opened at boot.
 *
 * @returns null if the readings are in a Supabase project and `SUPABASE_SECRET_KEY` isn't set
 */
export function openAlertStore(): AlertStore | null {
  return getStore().alerts;
}
