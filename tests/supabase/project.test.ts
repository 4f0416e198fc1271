import { describe, expect, test } from 'vitest';
import { supabaseSettings } from '../../app/config/supabase-settings.server';
import { openSupabaseStore } from '../../app/store/supabase/supabase-store.server';
import { liveFeedContract } from '../contracts/live-feed-contract';
import { storeContract } from '../contracts/store-contract';
import { supabaseFeedInNode } from '../support/node-feed';

const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = process.env;
const project = supabaseSettings(
  { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY },
  (setting, reason) => {
    throw new Error(`${setting} ${reason}`);
  },
);

if (!project) console.log('SUPABASE_URL is not set: no real project is tried.');

// What is added stays there, because nothing may remove it: name a project that is made for this.
describe.runIf(project)('the project at SUPABASE_URL', () => {
  if (!project) return;
  describe('its REST API, as the server uses it', () => {
    // Over the network: just more than one answer holds.
    storeContract(async () => ({ store: openSupabaseStore(project), close: async () => {} }), 1100);
  });

  describe('its REST API, with the key that every page has', () => {
    const ask = (method: string, query: string, body?: unknown) =>
      fetch(`${project.url}/rest/v1/data${query}`, {
        method,
        headers: { apikey: project.publicKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });

    test.each([
      ['a time of one’s own', 'POST', '', { co2: 1, voc: 1, created_at: '2020-01-01T00:00:00Z' }],
      ['an id of one’s own', 'POST', '', { co2: 1, voc: 1, id: 1 }],
      ['NaN', 'POST', '', { co2: 'NaN', voc: 1 }],
      ['a change', 'PATCH', '?id=gt.0', { co2: 1 }],
      ['a removal', 'DELETE', '?id=gt.0', undefined],
    ])('%s is refused', async (_, method, query, body) => {
      expect((await ask(method, query, body)).ok).toBe(false);
    });
  });

  describe('its Realtime', () => {
    liveFeedContract(async () => {
      const store = openSupabaseStore(project);
      return {
        ...supabaseFeedInNode({ url: project.url, key: project.publicKey }),
        outage: null,
        insert: () => store.insert({ co2: 415, voc: 80 }),
        close: () => store.close(),
      };
    });
  });
});
