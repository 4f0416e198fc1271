import { describe, expect, test } from 'vitest';
import { summarize } from '../../app/history/summarize.server';
import type { RollUp } from '../../app/readings/roll-up/roll-up';
import type { InsertResult } from '../../app/store/reading-store';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { rawContract } from '../contracts/raw-contract';
import { storeContract } from '../contracts/store-contract';
import { historyStore, rollUpReadings } from '../support/history/roll-up-readings';
import { THRESHOLDS } from '../support/readings/readings';
import { startLite } from '../support/supabase/lite-server';

/** A long timeout, because a Postgres in WebAssembly is slow on a busy machine. */
const PATIENT_MS = 30_000;

describe('a real PostgREST-compatible server, with the public key', () => {
  storeContract(async () => {
    const lite = await startLite();
    return { store: openSupabaseStore({ ...lite, serverKey: lite.publicKey }, PATIENT_MS), close: lite.stop };
  });
});

describe('a real PostgREST-compatible server, with the secret key', () => {
  storeContract(
    async () => {
      const lite = await startLite();
      return {
        store: openSupabaseStore({ ...lite, serverKey: lite.secretKey }, PATIENT_MS),
        close: lite.stop,
      };
    },
    100,
    20,
  );
});

describe('removing raw readings from a real PostgREST-compatible server, with the secret key', () => {
  rawContract(async () => {
    const lite = await startLite();
    return { store: openSupabaseStore({ ...lite, serverKey: lite.secretKey }, PATIENT_MS), close: lite.stop };
  });
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

test('reads the history of a sensor through the API, in parts, with the public and the secret key', async () => {
  const lite = await startLite();
  const sensor = 'Zoë\'s "attic", 50 %';
  const from = Date.UTC(2026, 0, 2) / 1000;
  const store = openSupabaseStore({ ...lite, serverKey: lite.publicKey }, PATIENT_MS);
  const inputs = Array.from({ length: 400 }, (_, i) => ({
    sensor,
    co2: 400 + 4 * i,
    voc: i % 3 === 0 ? null : i / 4,
    created_at: new Date((from + i * (i % 7) * 100) * 1000).toISOString(),
  }));
  const results = (await store.insertAll(inputs)) as InsertResult[];
  const known = results.filter(({ outcome }) => outcome === 'stored').map(({ reading }) => reading);
  known.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  for (const serverKey of [lite.publicKey, lite.secretKey]) {
    const hosted = openSupabaseStore({ ...lite, serverKey }, PATIENT_MS);
    for (const step of [60, 900, 604_800]) {
      const query = { from: from - (from % step), to: from - (from % step) + 1500 * step, step, sensor };
      const found: RollUp[] = [];
      for await (const piece of hosted.rollUps({ ...query, thresholds: THRESHOLDS })) found.push(...piece);
      const all = rollUpReadings(known, query, THRESHOLDS);
      expect(found).toEqual(all.filter(({ start }) => start < query.to));
    }
    const span = { sensor, from: from + 7, to: from + 100_000 };
    const summary = await summarize(historyStore(known), span, THRESHOLDS);
    expect(await summarize(hosted, span, THRESHOLDS)).toEqual(summary);
  }
  await lite.stop();
});
