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
/** Every value is another one, so that a row that is missing or there twice is seen. */
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

/** Rows that some other client adds. */
function insert(count = 1): void {
  for (let i = 0; i < count; i++) double.insert({ co2: value++, voc: 1 });
}

/** Opens the page with the newest ten readings, and waits until it is live. */
async function openLive(open = openIt): Promise<void> {
  insert(3);
  await open();
  await until(() => double.realtime.channels === 1);
  await pageEqualsTable();
}

async function openIt(): Promise<void> {
  page = await openPage(browser, `${server.url}/postdata`);
}

/** Opens the page with a clock that can be put forward. */
async function openWithClock(): Promise<void> {
  page = await openPage(browser, 'about:blank');
  await page.clock.install();
  await page.goto(`${server.url}/postdata`);
}

/** The CO2 column, the newest reading first. */
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

/** Waits until the page is live again; with steps, its clock is put forward meanwhile. */
async function recovered(stepMs = 0): Promise<void> {
  await until(async () => {
    if (stepMs > 0) await page.clock.fastForward(stepMs);
    return (await notice().count()) === 0;
  }, 40_000);
}

test('the socket is dropped: the page comes back and has what was inserted meanwhile', async () => {
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

test('the join is refused: the reason is shown, the page keeps up meanwhile, and is live once it is let in', async () => {
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

test('a table that is not in the publication: what to do is shown, the page keeps up, and is live once it is mended', async () => {
  double.realtime.systemError = 'Unable to subscribe to changes with given parameters';
  insert(3);
  await openWithClock();
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

test('rows inserted after SUBSCRIBED and before replication is attached are fetched', async () => {
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

test('phx_close is final for a channel: the page opens another one', async () => {
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

test('phx_error: the channel is joined again', async () => {
  await openLive();
  double.realtime.breakChannels();
  insert(3);
  await until(() => double.realtime.channels === 1);
  await pageEqualsTable();
  insert();
  await pageEqualsTable();
});

test('nothing is answered: the page says so, keeps up, and is live once there are answers', async () => {
  double.realtime.mute = true;
  insert(3);
  await openWithClock();
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

test('a heartbeat is not answered: the dead connection is replaced', async () => {
  await openLive(openWithClock);
  double.realtime.mute = true;
  insert(3);
  // Every 15 s there is one, and the next one finds it unanswered.
  await page.clock.fastForward(15_000);
  await page.clock.fastForward(15_000);
  await notice().waitFor();
  double.realtime.mute = false;
  await recovered(1000);
  await pageEqualsTable();
});

test('events that come twice or out of order: each reading once, in its place in time', async () => {
  await openLive();
  double.realtime.copies = 2;
  double.realtime.holdEvents = true;
  insert(5);
  double.realtime.release();
  await pageEqualsTable();
});

test('an event with errors and without values: the page fetches the row', async () => {
  await openLive();
  double.realtime.emptyEvents = true;
  insert(3);
  await pageEqualsTable();
  expect(await notice().count()).toBe(0);
  double.realtime.emptyEvents = false;
  insert();
  await pageEqualsTable();
});

test('events that are lost without a word are missed as soon as the next one comes', async () => {
  await openLive();
  insert();
  await pageEqualsTable();
  double.realtime.loseEvents = true;
  insert(3);
  double.realtime.loseEvents = false;
  insert(2);
  await pageEqualsTable();
});

test('Realtime is down when the page loads: it has its history, and is live once it is up', async () => {
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

test('the whole project is down when the page loads: it says so, and has everything once it is up', async () => {
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

test('the project goes down and comes back: the page keeps what it has, and then has the rest', async () => {
  await openLive();
  await double.goDown();
  await notice().waitFor();
  expect(await shown()).toHaveLength(3);
  await double.comeUp();
  insert(4);
  await recovered();
  await pageEqualsTable();
});

/** The page is hidden and shown, in this order, in one turn. */
async function setVisibility(...states: string[]): Promise<void> {
  await page.evaluate((given) => {
    for (const now of given) {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
      document.dispatchEvent(new Event('visibilitychange'));
    }
  }, states);
}

test('a page that is hidden and shown before its connection is closed opens another one', async () => {
  await openLive();
  await setVisibility('hidden', 'visible', 'hidden', 'visible');
  await until(() => double.realtime.sockets > 0);
  // Now only an event brings an insert.
  double.rest.fault = (method) => (method === 'GET' ? { kind: 'answer', status: 503, body: '' } : null);
  await until(async () => {
    const seen = (await shown())[0];
    insert();
    return Number(seen) > value - 5;
  });
  expect(double.realtime.sockets).toBe(1);
});

test('a hidden page gives its connection back, and has everything when it is shown', async () => {
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

test('the network of the viewer goes and comes back', async () => {
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
