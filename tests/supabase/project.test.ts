import { describe, expect, test } from 'vitest';
import { supabaseSettings } from '../../app/config/supabase-settings.server';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { liveFeedContract } from '../contracts/live-feed-contract';
import { sensorFilterContract } from '../contracts/sensor-filter-contract';
import { storeContract } from '../contracts/store-contract';
import { supabaseFeedInNode } from '../support/live/node-feed';

const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = process.env;
const project = supabaseSettings(
  { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY },
  (setting, reason) => {
    throw new Error(`${setting} ${reason}`);
  },
);

if (!project) console.log('SUPABASE_URL is not set: the tests of a real project are skipped.');

// These tests leave readings in the project, because no key may delete them. Use a project made for tests.
describe.runIf(project)('the project at SUPABASE_URL', () => {
  if (!project) return;
  describe('its REST API, used by the server', () => {
    // Just over one response, because the network is slow.
    storeContract(async () => ({ store: openSupabaseStore(project), close: async () => {} }), 1100);
  });

  describe('its REST API, with the public key', () => {
    const send = (method: string, query: string, body?: unknown) =>
      fetch(`${project.url}/rest/v1/data${query}`, {
        method,
        headers: { apikey: project.publicKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });

    test.each([
      ['a time before 2000', 'POST', '', { co2: 1, voc: 1, created_at: '1999-12-31T23:59:59Z' }],
      ['a time in the future', 'POST', '', { co2: 1, voc: 1, created_at: '2999-01-01T00:00:00Z' }],
      ['a sensor with 65 characters', 'POST', '', { co2: 1, voc: 1, sensor: 'x'.repeat(65) }],
      ['a reading without metrics', 'POST', '', { co2: null, voc: null }],
      ['to insert an id', 'POST', '', { co2: 1, voc: 1, id: 1 }],
      ['to insert NaN', 'POST', '', { co2: 'NaN', voc: 1 }],
      ['to change readings', 'PATCH', '?id=gt.0', { co2: 1 }],
      ['to delete readings', 'DELETE', '?id=gt.0', undefined],
    ])('refuses %s', async (_, method, query, body) => {
      expect((await send(method, query, body)).ok).toBe(false);
    });
  });

  describe('its Realtime', () => {
    liveFeedContract(async () => {
      const store = openSupabaseStore(project);
      return {
        ...supabaseFeedInNode({ url: project.url, key: project.publicKey }),
        outage: null,
        insert: async () => (await store.insert({ co2: 415, voc: 80 })).reading,
        close: () => store.close(),
      };
    });
  });

  describe('its Realtime, filtered by a client', () => {
    sensorFilterContract(async () => {
      const store = openSupabaseStore(project);
      return {
        ...project,
        insert: async (sensor) => {
          await store.insert({ co2: 415, voc: null, sensor });
        },
        close: () => store.close(),
      };
    });
  });
});
