import { describe } from 'vitest';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { storeContract } from '../contracts/store-contract';
import { startSupabaseDouble } from '../support/supabase/supabase-double';

describe.each([
  {
    name: 'the hosted store of a project with at most 100 rows per response',
    settings: { maxRows: 100 },
    many: 350,
  },
])('$name', ({ settings, many }) => {
  storeContract(
    async () => {
      const double = await startSupabaseDouble();
      Object.assign(double.rest, settings);
      const keys = { publicKey: double.publicKey, serverKey: double.publicKey };
      return { store: openSupabaseStore({ url: double.url, ...keys }), close: double.stop };
    },
    many,
    40,
  );
});
