import { describe, expect, test } from 'vitest';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { storeContract } from '../contracts/store-contract';
import { startLite } from '../support/lite-server';

describe('a real PostgREST-compatible server, with the public key', () => {
  storeContract(async () => {
    const lite = await startLite();
    return { store: openSupabaseStore({ ...lite, serverKey: lite.publicKey }), close: lite.stop };
  });
});

describe('a real PostgREST-compatible server, with the secret key', () => {
  storeContract(async () => {
    const lite = await startLite();
    return { store: openSupabaseStore({ ...lite, serverKey: lite.secretKey }), close: lite.stop };
  }, 100);
});

test('with the public key nothing can be changed, removed or made NaN, and a wrong key is refused', async () => {
  const lite = await startLite();
  const store = openSupabaseStore({ ...lite, serverKey: lite.publicKey });
  const stored = await store.insert({ co2: 415, voc: 80 });
  const ask = (method: string, query: string, body?: unknown) =>
    fetch(`${lite.url}/rest/v1/data${query}`, {
      method,
      headers: { apikey: lite.publicKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await ask('PATCH', `?id=eq.${stored.id}`, { co2: 1 });
  await ask('DELETE', `?id=eq.${stored.id}`);
  expect((await ask('POST', '', { co2: 'NaN', voc: 1 })).ok).toBe(false);
  expect(await store.newest(10)).toEqual([stored]);

  const stranger = openSupabaseStore({ ...lite, serverKey: 'sb_publishable_wrong' });
  await expect(stranger.newest(1)).rejects.toThrow('Supabase refuses the key.');
  await expect(stranger.insert({ co2: 1, voc: 1 })).rejects.toThrow('The reading was not stored.');
  await lite.stop();
});
