import { expect, test } from 'vitest';
import { withHostedPage } from '../support/hosted-page';
import { until } from '../support/until';

const hosted = withHostedPage();

test('says that the project is down at load, and catches up once it is back', async () => {
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
