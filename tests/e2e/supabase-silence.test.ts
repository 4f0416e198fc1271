import { expect, test } from 'vitest';
import { withHostedPage } from '../support/hosted-page';
import { until } from '../support/until';

const hosted = withHostedPage();

test('replaces a feed that looks alive and is dead', async () => {
  await hosted.openLive({ withClock: true });
  const { realtime } = hosted.double;
  const joins = realtime.joins;
  realtime.killWorker();
  await until(async () => {
    // The page may find the first ones with a request that it had made before.
    hosted.insert();
    await hosted.advance(5000);
    return realtime.joins > joins && realtime.channels === 1;
  }, 40_000);
  await hosted.untilEqualToTable();
  // Without REST, only events deliver inserts.
  hosted.double.rest.fault = () => ({ kind: 'answer', status: 503, body: '' });
  const first = hosted.nextValue;
  await until(async () => {
    hosted.insert();
    return Number((await hosted.shown())[0]) >= first;
  });
});

test("says that the public key may not see the rows, polls with the server's, and is live once it may", async () => {
  const { realtime, rest } = hosted.double;
  realtime.anonMaySelect = false;
  rest.anonMaySelect = false;
  await hosted.openLive({ withClock: true });
  await until(async () => {
    hosted.insert();
    await hosted.advance(5000);
    return (await hosted.notice().count()) > 0;
  }, 40_000);
  expect(await hosted.notice().innerText()).toMatch(/delivers no inserts.*supabase\/migrations/);
  const polled = String(hosted.nextValue);
  hosted.insert();
  await until(async () => {
    await hosted.advance(5000);
    return (await hosted.shown()).includes(polled);
  });
  realtime.anonMaySelect = true;
  await until(async () => {
    hosted.insert();
    return (await hosted.notice().count()) === 0;
  });
});

test('looks for a skipped id until its transaction commits, though further inserts arrive', async () => {
  await hosted.openLive({ withClock: true });
  const { rest, realtime } = hosted.double;
  const id = rest.takeId();
  hosted.insert();
  await hosted.untilEqualToTable();
  const requests = rest.requests.length;
  await until(() => rest.requests.length > requests);
  realtime.hasSlot = false;
  rest.insert({ co2: 777, voc: 1, id });
  realtime.hasSlot = true;
  await until(async () => {
    hosted.insert();
    await hosted.advance(1000);
    return (await hosted.shown()).includes('777');
  });
});

test('shows the new rows alone after the table was emptied and its ids began again', async () => {
  await hosted.openLive();
  hosted.insert(5);
  await hosted.untilEqualToTable();
  const { rest } = hosted.double;
  rest.reset();
  hosted.insert(2);
  await hosted.untilEqualToTable();
  hosted.insert();
  await hosted.untilEqualToTable();
});
