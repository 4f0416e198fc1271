import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium';
import { openPage } from '../support/page';
import { type RunningServer, startServer } from '../support/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase-double';
import { until } from '../support/until';

let double: SupabaseDouble;
let server: RunningServer;
let browser: Browser;
let page: Page;
/** Values are distinct, so that a test sees missing and repeated rows. */
let value = 1000;

beforeAll(async () => {
  double = await startSupabaseDouble();
  [server, browser] = await Promise.all([startServer({ env: double.env }), launchChromium()]);
});

beforeEach(async () => {
  await double.reset();
});

afterEach(async () => {
  await page.context().close();
  await until(() => double.realtime.sockets === 0);
});

afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
  await double.stop();
});

/** Adds rows as another client of the project. */
function insert(count = 1): void {
  for (let i = 0; i < count; i++) double.insert({ co2: value++, voc: 1 });
}

/** Inserts three rows, opens the page with the newest readings and waits until it is live. */
async function openLive(open = openPanel): Promise<void> {
  insert(3);
  await open();
  await until(() => double.realtime.channels === 1);
  await pageEqualsTable();
}

async function openPanel(): Promise<void> {
  page = await openPage(browser, `${server.url}/postdata`);
}

/** Opens the page with a clock that tests can move forward. */
async function openPanelWithClock(): Promise<void> {
  page = await openPage(browser, 'about:blank');
  await page.clock.install();
  await page.goto(`${server.url}/postdata`);
}

/** Returns the CO2 column, newest reading first. */
async function shown(): Promise<string[]> {
  return page.getByRole('row').locator('td:nth-child(2)').allInnerTexts();
}

async function pageEqualsTable(): Promise<void> {
  const newest = double.rest.rows
    .slice(-10)
    .map(({ co2 }) => String(co2))
    .reverse();
  await until(async () => String(await shown()) === String(newest), 40_000).catch(async () => {
    expect(await shown()).toEqual(newest);
  });
}

const notice = () => page.getByRole('alert').filter({ hasText: 'Reconnecting' });

/** Waits until the page is live again. Moves its clock forward by `stepMs` on each poll. */
async function recovered(stepMs = 0): Promise<void> {
  await until(async () => {
    if (stepMs > 0) await page.clock.fastForward(stepMs);
    return (await notice().count()) === 0;
  }, 40_000);
}

test('reconnects after a dropped socket and catches up', async () => {
  await openLive();
  double.realtime.refuseSockets = true;
  double.realtime.drop();
  await notice().waitFor();
  insert(4);
  double.realtime.refuseSockets = false;
  await recovered();
  await pageEqualsTable();
  insert();
  await pageEqualsTable();
});

test('shows why a join is rejected, polls meanwhile, and is live once it is accepted', async () => {
  double.realtime.refuseJoins = 'ConnectionRateLimitReached: Too many connected users';
  insert(3);
  page = await openPage(browser, `${server.url}/postdata`);
  await notice().waitFor();
  expect(await notice().innerText()).toMatch(/refuses the live channel: ConnectionRateLimitReached/);
  insert(2);
  await pageEqualsTable();
  double.realtime.refuseJoins = null;
  await recovered();
  insert(2);
  await pageEqualsTable();
});

test('explains that the table isn’t published, polls meanwhile, and is live once it is', async () => {
  double.realtime.systemError = 'Unable to subscribe to changes with given parameters';
  insert(3);
  await openPanelWithClock();
  await notice().waitFor();
  expect(await notice().innerText()).toMatch(
    /no live readings.*supabase_realtime.*migrations.*Unable to subscribe/,
  );
  insert(2);
  await pageEqualsTable();
  const joins = double.realtime.joins;
  await until(async () => {
    await page.clock.fastForward(1000);
    return double.realtime.joins > joins;
  });
  expect(await notice().count()).toBe(1);
  double.realtime.systemError = null;
  await recovered(1000);
  insert(2);
  await pageEqualsTable();
});

test('fetches rows inserted after SUBSCRIBED and before replication is attached', async () => {
  double.realtime.detached = true;
  await openLive();
  const requests = double.rest.requests.length;
  insert(4);
  double.realtime.attach();
  await pageEqualsTable();
  expect(double.rest.requests.length).toBeGreaterThan(requests);
  insert();
  await pageEqualsTable();
});

test('opens another channel after phx_close', async () => {
  await openLive();
  double.realtime.closeChannels();
  insert(3);
  await until(() => double.realtime.channels === 1);
  await pageEqualsTable();
  insert();
  await pageEqualsTable();
  await recovered();
  expect(double.realtime.sockets).toBe(1);
});

test('joins the channel again after phx_error', async () => {
  await openLive();
  double.realtime.breakChannels();
  insert(3);
  await until(() => double.realtime.channels === 1);
  await pageEqualsTable();
  insert();
  await pageEqualsTable();
});

test('says that Realtime doesn’t answer, polls meanwhile, and is live once it does', async () => {
  double.realtime.mute = true;
  insert(3);
  await openPanelWithClock();
  await until(() => double.realtime.sockets === 1);
  insert(2);
  await pageEqualsTable();
  await page.clock.fastForward(10_000);
  await notice().waitFor();
  expect(await notice().innerText()).toContain('Supabase Realtime does not answer');
  double.realtime.mute = false;
  await recovered(1000);
  insert();
  await pageEqualsTable();
});

test('replaces a connection that doesn’t answer heartbeats', async () => {
  await openLive(openPanelWithClock);
  double.realtime.mute = true;
  insert(3);
  // Heartbeats go out every 15 s; the second one finds the first unanswered.
  await page.clock.fastForward(15_000);
  await page.clock.fastForward(15_000);
  await notice().waitFor();
  double.realtime.mute = false;
  await recovered(1000);
  await pageEqualsTable();
});

test('shows readings once and in order if events repeat or arrive out of order', async () => {
  await openLive();
  double.realtime.copies = 2;
  double.realtime.holdEvents = true;
  insert(5);
  double.realtime.release();
  await pageEqualsTable();
});

test('fetches the row of an event that has errors instead of values', async () => {
  await openLive();
  double.realtime.emptyEvents = true;
  insert(3);
  await pageEqualsTable();
  expect(await notice().count()).toBe(0);
  double.realtime.emptyEvents = false;
  insert();
  await pageEqualsTable();
});

test('notices silently lost events with the next one', async () => {
  await openLive();
  insert();
  await pageEqualsTable();
  double.realtime.loseEvents = true;
  insert(3);
  double.realtime.loseEvents = false;
  insert(2);
  await pageEqualsTable();
});

test('has its history if Realtime is down at load, and is live once it is up', async () => {
  double.realtime.refuseSockets = true;
  insert(3);
  page = await openPage(browser, `${server.url}/postdata`);
  await notice().waitFor();
  expect(await notice().innerText()).toMatch(/Realtime can’t be reached.*paused/);
  insert(2);
  await pageEqualsTable();
  double.realtime.refuseSockets = false;
  await recovered();
  insert();
  await pageEqualsTable();
});

test('says that the project is down at load, and catches up once it is back', async () => {
  insert(3);
  await double.goDown();
  page = await openPage(browser, `${server.url}/postdata`);
  await notice().waitFor();
  await until(async () => /Supabase can't be reached at 127/.test(await notice().innerText()));
  await double.comeUp();
  insert(2);
  await recovered();
  await pageEqualsTable();
});

test('keeps its readings while the project is down, and catches up once it is back', async () => {
  await openLive();
  await double.goDown();
  await notice().waitFor();
  expect(await shown()).toHaveLength(3);
  await double.comeUp();
  insert(4);
  await recovered();
  await pageEqualsTable();
});

/** Dispatches these visibility changes in one task. */
async function setVisibility(...states: string[]): Promise<void> {
  await page.evaluate((given) => {
    for (const state of given) {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    }
  }, states);
}

test('a page hidden and shown in quick succession has one live connection', async () => {
  await openLive();
  await setVisibility('hidden', 'visible', 'hidden', 'visible');
  await until(() => double.realtime.sockets > 0);
  // Without REST, only events deliver inserts.
  double.rest.fault = (method) => (method === 'GET' ? { kind: 'answer', status: 503, body: '' } : null);
  await until(async () => {
    const seen = (await shown())[0];
    insert();
    return Number(seen) > value - 5;
  });
  expect(double.realtime.sockets).toBe(1);
});

test('a hidden page closes its connection and catches up when it is shown', async () => {
  await openLive();
  await setVisibility('hidden');
  await until(() => double.realtime.sockets === 0);
  insert(4);
  await setVisibility('visible');
  await pageEqualsTable();
  await until(() => double.realtime.channels === 1);
  insert();
  await pageEqualsTable();
});

test('catches up after the viewer was offline', async () => {
  await openLive();
  await page.context().setOffline(true);
  await notice().waitFor();
  insert(5);
  await page.context().setOffline(false);
  await recovered();
  await pageEqualsTable();
  insert();
  await pageEqualsTable();
});
