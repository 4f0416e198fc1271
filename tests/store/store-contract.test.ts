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

describe.each([
  { name: 'the hosted store', settings: {}, many: 2100, queries: 40 },
  {
    name: 'the hosted store, with times and numbers in the format of @supabase/lite',
    settings: { timeFormat: 'lite', numericsAsText: true } as const,
    many: 1100,
    queries: 20,
  },
  {
    name: 'the hosted store of a project with at most 100 rows per response',
    settings: { maxRows: 100 },
    many: 350,
    queries: 20,
  },
])('$name', ({ settings, many, queries }) => {
  storeContract(
    async () => {
      const double = await startSupabaseDouble();
      Object.assign(double.rest, settings);
      const store = openSupabaseStore({
        url: double.url,
        publicKey: double.publicKey,
        serverKey: double.publicKey,
      });
      return { store, close: double.stop };
    },
    many,
    queries,
  );
});
