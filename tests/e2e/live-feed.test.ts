import type { Browser } from 'playwright-core';
import { beforeAll, describe } from 'vitest';
import { liveFeedContract } from '../contracts/live-feed-contract';
import { sharedChromium } from '../support/browser/chromium';
import { eventSourceFeedInChromium } from '../support/live/browser-feed';
import { post } from '../support/server/api';
import { startServer } from '../support/server/server';

let browser: Browser;

beforeAll(async () => {
  browser = await sharedChromium();
});

// The hosted feed passes the same contract in Node: tests/live/browser/supabase-feed.test.ts.
describe('the embedded feed in Chromium', () => {
  liveFeedContract(async () => {
    const server = await startServer();
    const feed = await eventSourceFeedInChromium(browser, server.url);
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
