import { expect, test } from 'vitest';
import { withHostedPage } from '../support/browser/hosted-page';
import { until } from '../support/until';

const hosted = withHostedPage();

test('keeps its readings while the project is down, and catches up once it is back', async () => {
  await hosted.openLive();
  await hosted.double.goDown();
  await hosted.notice().waitFor();
  expect(await hosted.shown()).toHaveLength(3);
  await hosted.double.comeUp();
  hosted.insert(4);
  await hosted.untilRecovered();
  await hosted.untilEqualToTable();
});

/** Dispatches these visibility changes in one task. */
async function setVisibility(...states: string[]): Promise<void> {
  await hosted.page.evaluate((given) => {
    for (const state of given) {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    }
  }, states);
}

test('a page hidden and shown in quick succession has one live connection', async () => {
  await hosted.openLive();
  await setVisibility('hidden', 'visible', 'hidden', 'visible');
  await until(() => hosted.double.realtime.sockets > 0);
  // Without REST, only events deliver inserts.
  hosted.double.rest.fault = (method) =>
    method === 'GET' ? { kind: 'answer', status: 503, body: '' } : null;
  const first = hosted.nextValue;
  await until(async () => {
    hosted.insert();
    return Number((await hosted.shown())[0]) >= first;
  });
  expect(hosted.double.realtime.sockets).toBe(1);
});

test('a hidden page closes its connection and catches up when it is shown', async () => {
  await hosted.openLive();
  await setVisibility('hidden');
  await until(() => hosted.double.realtime.sockets === 0);
  hosted.insert(4);
  await setVisibility('visible');
  await hosted.untilEqualToTable();
  await until(() => hosted.double.realtime.channels === 1);
  hosted.insert();
  await hosted.untilEqualToTable();
});

test('catches up after the viewer was offline', async () => {
  await hosted.openLive();
  await hosted.page.context().setOffline(true);
  await hosted.notice().waitFor();
  hosted.insert(5);
  await hosted.page.context().setOffline(false);
  await hosted.untilRecovered();
  await hosted.untilEqualToTable();
  hosted.insert();
  await hosted.untilEqualToTable();
});

test('replaces a feed that looks alive and is dead', async () => {
  await hosted.openLive();
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
  await hosted.leave();
  realtime.anonMaySelect = false;
  rest.anonMaySelect = false;
  await hosted.openLive();
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
  await hosted.openLive();
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

test('says that the project is down at load, and catches up once it is back', async () => {
  await hosted.leave();
  hosted.insert(3);
  await hosted.double.goDown();
  await hosted.open();
  await hosted.notice().waitFor();
  await until(async () => /Supabase can't be reached at 127/.test(await hosted.notice().innerText()));
  await hosted.double.comeUp();
  hosted.insert(2);
  await hosted.untilRecovered();
  await hosted.untilEqualToTable();
});
