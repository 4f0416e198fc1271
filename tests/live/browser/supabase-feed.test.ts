import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRefusal } from '../../../app/live/browser/supabase-feed';
import { at } from '../../../app/readings/at';
import { readableUtc } from '../../../app/store/supabase/reading-row';
import { liveFeedContract } from '../../contracts/live-feed-contract';
import { supabaseFeedInNode } from '../../support/live/node-feed';
import { type SupabaseDouble, startSupabaseDouble } from '../../support/supabase/supabase-double';
import { until } from '../../support/until';

describe('the hosted feed in Node', () => {
  let nextCo2 = 600;
  liveFeedContract(async () => {
    const double = await startSupabaseDouble();
    return {
      ...supabaseFeedInNode({ url: double.url, key: double.publicKey }),
      insert: async () => {
        const rows = await double.insert({ co2: nextCo2++, voc: 1 });
        const { id, co2, voc, created_at } = at(rows, 0);
        return { id, co2, voc, created_at: readableUtc(created_at) };
      },
      outage: { begin: double.goDown, end: double.comeUp },
      close: double.stop,
    };
  });
}, 60_000);

describe('the hosted feed reconnects', () => {
  let double: SupabaseDouble;

  beforeAll(async () => {
    double = await startSupabaseDouble();
  });
  afterAll(() => double.stop());

  test.each<[string, () => void]>([
    ['a server that restarts', () => double.realtime.closeSockets(1001)],
    ['a server that moves its clients', () => double.realtime.closeSockets(1012)],
    ['an expired token', () => double.realtime.expireToken()],
  ])('after %s', async (_, fail) => {
    const feed = supabaseFeedInNode({ url: double.url, key: double.publicKey });
    const subscription = await feed.subscribe();
    const countOf = async (wanted: string) =>
      (await subscription.calls()).filter(({ method }) => method === wanted).length;
    await until(async () => (await countOf('onConnected')) >= feed.connectedCalls);
    fail();
    await until(async () => (await countOf('onDisconnected')) > 0);
    await until(async () => (await countOf('onConnected')) >= 2 * feed.connectedCalls);
    await double.insert({ co2: 600, voc: 1 });
    await until(async () => (await countOf('onInsert')) > 0);
    await subscription.stop();
    expect(double.realtime.joins).toBeGreaterThan(1);
  });
});

describe('the hosted feed of an unpublished table', () => {
  let double: SupabaseDouble;

  beforeAll(async () => {
    double = await startSupabaseDouble();
    double.realtime.unpublish();
  });
  afterAll(() => double.stop());

  test('joins at growing intervals, and is connected with the first event after the table is published', async () => {
    const subscription = await supabaseFeedInNode({ url: double.url, key: double.publicKey }).subscribe();
    const countOf = async (wanted: string) =>
      (await subscription.calls()).filter(({ method }) => method === wanted).length;
    await until(() => double.realtime.joins >= 2);
    double.realtime.publish();
    await until(() => double.realtime.joins >= 3);
    const [first = 0, second = 0, third = 0] = double.realtime.joinTimes;
    // A busy machine may lengthen the waits of 1 s and 2 s, but never shortens them.
    expect(second - first).toBeGreaterThan(990);
    expect(third - second).toBeGreaterThan(1990);
    const before = await countOf('onConnected');
    await until(async () => (await countOf('onDisconnected')) >= 3);
    await double.insert({ co2: 600, voc: 1 });
    double.realtime.lookForTables();
    await double.insert({ co2: 601, voc: 1 });
    await until(async () => (await countOf('onInsert')) === 1);
    expect(await countOf('onConnected')).toBe(before + 1);
    await subscription.stop();
  });
});

test.each([
  ['ConnectionRateLimitReached: Too many connected users', /limit is reached/],
  ['ClientJoinRateLimitReached: Too many joins per second', /limit is reached/],
  ['RealtimeRestarting: Realtime is restarting, please standby', /over soon/],
  ['InitializingProjectConnection: Realtime is initializing the project connection', /over soon/],
  ["DatabaseLackOfConnections: Database can't accept more connections", /database in the dashboard/],
  ['RealtimeDisabledForTenant: Realtime is disabled', /Enable Realtime/],
  ['InvalidJWTToken: Token has expired 5 seconds ago', /Compare SUPABASE_PUBLISHABLE_KEY/],
  ['Unauthorized: You do not have permissions', /Compare SUPABASE_PUBLISHABLE_KEY/],
  ['SomethingNew: never seen', /never seen\.$/],
])('explains the refusal and the next step: %s', (reason, advice) => {
  const message = describeRefusal(reason);
  expect(message).toContain(`Supabase refuses the live channel: ${reason}.`);
  expect(message).toMatch(advice);
  expect(message.includes('SUPABASE_')).toBe(/JWT|Unauthorized/.test(reason));
});
