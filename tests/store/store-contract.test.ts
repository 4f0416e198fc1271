import { join } from 'node:path';
import { describe } from 'vitest';
import { openSqliteStore } from '../../app/store/sqlite/sqlite-store.server';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { storeContract } from '../contracts/store-contract';
import { temporaryFolder } from '../support/server/server';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

describe('the embedded store', () => {
  storeContract(async () => {
    const store = openSqliteStore(join(temporaryFolder(), 'readings.db'));
    return { store, close: async () => {} };
  });
});

describe('the hosted store', () => {
  storeContract(async () => {
    const double = await startSupabaseDouble();
    const keys = { publicKey: double.publicKey, serverKey: double.publicKey };
    return { store: openSupabaseStore({ url: double.url, ...keys }), close: double.stop };
  });
});
