import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { liveFeedContract } from '../contracts/live-feed-contract';
import { post } from '../support/api';
import { feedInChromium } from '../support/browser-feed';
import { launchChromium } from '../support/chromium';
import { startServer } from '../support/server';
import { startSupabaseDouble } from '../support/supabase-double';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

describe('the embedded feed, in Chromium', () => {
  liveFeedContract(async () => {
    const server = await startServer();
    const feed = await feedInChromium(browser, server.url, { kind: 'event-source' });
    return {
      ...feed,
      insert: async () => (await post(server.url, { co2: 415, voc: 80 })).json(),
      close: async () => {
        await feed.close();
        await server.stop();
      },
    };
  });
});

describe('the hosted feed, in Chromium', () => {
  liveFeedContract(async () => {
    const double = await startSupabaseDouble();
    const server = await startServer({ env: double.env });
    const feed = await feedInChromium(browser, server.url, {
      kind: 'supabase',
      url: double.url,
      key: double.publicKey,
    });
    return {
      ...feed,
      insert: async () => (await post(server.url, { co2: 415, voc: 80 })).json(),
      // The hosted feed’s other end is the project, not this server.
      outage: { begin: double.goDown, end: double.comeUp },
      close: async () => {
        await feed.close();
        await server.stop();
        await double.stop();
      },
    };
  });
});
