import { describe, expect, test } from 'vitest';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { storeContract } from '../contracts/store-contract';
import { startLite } from '../support/lite-server';

/** Long, because a Postgres in WebAssembly is slow on a busy machine. */
const PATIENT_MS = 30_000;

describe('a real PostgREST-compatible server, with the public key', () => {
  storeContract(async () => {
    const lite = await startLite();
    return { store: openSupabaseStore({ ...lite, serverKey: lite.publicKey }, PATIENT_MS), close: lite.stop };
  });
});

describe('a real PostgREST-compatible server, with the secret key', () => {
  storeContract(async () => {
    const lite = await startLite();
    return { store: openSupabaseStore({ ...lite, serverKey: lite.secretKey }, PATIENT_MS), close: lite.stop };
  }, 100);
});

test('refuses changes, deletions and NaN with the public key, and everything with a wrong key', async () => {
  const lite = await startLite();
  const store = openSupabaseStore({ ...lite, serverKey: lite.publicKey }, PATIENT_MS);
  const { reading: stored } = await store.insert({ co2: 415, voc: 80 });
  const send = (method: string, query: string, body?: unknown) =>
    fetch(`${lite.url}/rest/v1/data${query}`, {
      method,
      headers: { apikey: lite.publicKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send('PATCH', `?id=eq.${stored.id}`, { co2: 1 });
  await send('DELETE', `?id=eq.${stored.id}`);
  expect((await send('POST', '', { co2: 'NaN', voc: 1 })).ok).toBe(false);
  expect(await store.newest(10)).toEqual([stored]);

  const wrong = openSupabaseStore({ ...lite, serverKey: 'sb_publishable_wrong' });
  await expect(wrong.newest(1)).rejects.toThrow('Supabase refuses the key.');
  await expect(wrong.insert({ co2: 1, voc: 1 })).rejects.toThrow('The reading was not stored.');
  await lite.stop();
});
