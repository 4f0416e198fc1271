import { describe } from 'vitest';
import { liveFeedContract } from '../../contracts/live-feed-contract';
import { supabaseFeedInNode } from '../../support/node-feed';
import { startSupabaseDouble } from '../../support/supabase-double';

describe('the hosted feed in Node', () => {
  liveFeedContract(async () => {
    const double = await startSupabaseDouble();
    return {
      ...supabaseFeedInNode({ url: double.url, key: double.publicKey }),
      insert: async () => {
        const { id, co2, voc, micros } = double.rest.insert(600 + double.rest.rows.length, 1);
        return { id, co2, voc, created_at: new Date(Number(micros / 1000n)).toISOString() };
      },
      outage: { begin: double.goDown, end: double.comeUp },
      close: double.stop,
    };
  });
}, 60_000);
