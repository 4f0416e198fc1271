import { networkInterfaces } from 'node:os';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsInAnyScheme } from '../support/browser/legible';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

// The headless shell shows no notifications.
const chromium = withChromium({ isWhole: true });
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ env: { HOST: '0.0.0.0' } });
});

afterAll(() => server.stop());

/** Adds a sensor with ten minutes of good air, before the readings of `postSixMinutes`. */
const addGoodSensor = () => addSensor(server, evenReadings(40, { endMs: 375_000 }));

const notifyButton = (page: Page) => page.getByRole('button', { name: 'Notify me' });
const mainSwitch = (page: Page) => page.getByRole('switch', { name: 'Notify me while' });

/** A browser with allowed notifications, a clock that tests move, and a record of the notifications of its tabs. */
async function openBrowser(): Promise<BrowserContext> {
  const context = await chromium.browser.newContext({ permissions: ['notifications'] });
  await context.clock.install();
  await context.addInitScript(() => {
    const shown: string[] = [];
    const sounds: number[] = [];
    Object.assign(window, {
      shown,
      sounds,
      Notification: class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push(`${title} | ${options?.body}`);
        }
      },
      AudioContext: class extends AudioContext {
        constructor() {
          super();
          sounds.push(sounds.length);
        }
      },
    });
  });
  return context;
}

/** Returns the notifications or sounds that `openBrowser` has recorded. */
const recordOf = (page: Page, name: 'shown' | 'sounds') =>
  page.evaluate((name) => (window as unknown as Record<string, string[]>)[name] ?? [], name);

/** Waits until a tab has requested the air. */
const watching = (page: Page) => page.waitForResponse(/\/api\/air$/);

async function openDashboard(context: BrowserContext): Promise<WatchedPage> {
  const page = await openTab(context);
  await page.goto(server.url);
  await notifyButton(page).and(page.locator(':enabled')).waitFor();
  return page;
}

async function switchOn(page: Page): Promise<void> {
  await notifyButton(page).click();
  const others = page.getByRole('link', { name: 'Notifications' }).last();
  expect(await others.getAttribute('href')).toBe('/notifications');
  const known = watching(page);
  await mainSwitch(page).check();
  await known;
  await page.getByRole('button', { name: 'Close' }).last().click();
}

/** Opens the dashboard and switches notifications on. */
async function openWatching(context: BrowserContext): Promise<WatchedPage> {
  const page = await openDashboard(context);
  await switchOn(page);
  return page;
}

/** Posts readings of the last six minutes in one batch. */
async function postSixMinutes(co2: number, sensor: string): Promise<void> {
  const now = Date.now();
  const batch = Array.from({ length: 25 }, (_, i) => ({
    co2,
    voc: 100,
    sensor,
    created_at: new Date(now - (24 - i) * 15_000).toISOString(),
  }));
  const answer = await fetch(`${server.url}/api/data`, { method: 'POST', body: JSON.stringify(batch) });
  expect(answer.ok, await answer.clone().text()).toBe(true);
}

/** Lets a tab send its next request, which is due every 15 s. */
async function poll(page: Page): Promise<void> {
  const answer = watching(page);
  await page.context().clock.runFor(15_100);
  await (await answer).finished();
}

test('notifies once of poor air, with a sound only if the viewer has switched it on', async () => {
  const sensor = await addGoodSensor();
  const page = await openWatching(await openBrowser());
  await postSixMinutes(2100, sensor);
  await poll(page);
  const shown = await until(async () =>
    (await recordOf(page, 'shown')).length > 0 ? recordOf(page, 'shown') : null,
  );
  expect(shown).toEqual([
    expect.stringMatching(
      new RegExp(
        `^${sensor}: poor air \\| CO2 is 2100 PPM, above 2000 since \\w{3} \\d\\d:\\d\\d, for 6 min\\.$`,
      ),
    ),
  ]);
  for (let i = 0; i < 2; i++) await poll(page);
  const known = watching(page);
  await page.reload();
  await known;
  await poll(page);
  expect(await recordOf(page, 'shown')).toEqual([]);
  expect(await recordOf(page, 'sounds')).toEqual([]);

  await notifyButton(page).click();
  await page.getByRole('switch', { name: 'With a sound' }).check();
  expect(await recordOf(page, 'sounds')).toHaveLength(1);
  const another = await addGoodSensor();
  await postSixMinutes(2100, another);
  await poll(page);
  await until(async () => (await recordOf(page, 'sounds')).length === 2);
  expect(await recordOf(page, 'shown')).toEqual([expect.stringMatching(`^${another}: poor air`)]);
});

test('several tabs notify once of each event, and a second tab takes over when the first is closed', async () => {
  await postSixMinutes(2100, 'Poor before');
  const sensors = [await addGoodSensor(), await addGoodSensor()] as const;
  const context = await openBrowser();
  const first = await openWatching(context);
  const second = await openDashboard(context);
  await postSixMinutes(2100, sensors[0]);
  await poll(first);
  await until(async () => (await recordOf(first, 'shown')).length > 0);
  expect(await recordOf(first, 'shown')).toEqual([expect.stringMatching(`^${sensors[0]}: poor air`)]);
  expect(await recordOf(second, 'shown')).toEqual([]);

  const known = watching(second);
  await first.close();
  await known;
  await postSixMinutes(2200, sensors[1]);
  await poll(second);
  await until(async () => (await recordOf(second, 'shown')).length > 0);
  expect(await recordOf(second, 'shown')).toEqual([
    expect.stringMatching(`^${sensors[1]}: poor air \\| CO2 is 2200 PPM`),
  ]);
});

test('switching off in one tab stops all, and the code is loaded only when switched on', async () => {
  const context = await openBrowser();
  const loaded: string[] = [];
  context.on('request', (request) => loaded.push(request.url()));
  const isLoaded = (name: string) => loaded.some((url) => url.includes(name));
  const first = await openDashboard(context);
  await first.getByRole('button', { name: 'VOC (PPB)' }).waitFor();
  expect(isLoaded('watch-in-browser') || isLoaded('browser-alerts-panel')).toBe(false);
  await switchOn(first);
  expect(isLoaded('watch-in-browser')).toBe(true);
  const second = await openDashboard(context);
  await notifyButton(second).click();
  await first.evaluate(() => {
    const isSwitchedOff = new Promise<void>((resolve) => {
      addEventListener('storage', ({ key, newValue }) => {
        if (key === 'airboard.notify' && !newValue) resolve();
      });
    });
    Object.assign(window, { isSwitchedOff });
  });
  await mainSwitch(second).uncheck();
  await first.evaluate(() => (window as unknown as { isSwitchedOff: Promise<void> }).isSwitchedOff);
  const asked = loaded.length;
  await context.clock.runFor(40_000);
  expect(loaded.slice(asked).filter((url) => url.includes('/api/air'))).toEqual([]);
  expect(await recordOf(first, 'shown')).toEqual([]);
});

test('a viewer who refuses permission gets no switch, and the page says why', async () => {
  const context = await chromium.browser.newContext({ reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      permission = 'denied';
      return 'denied';
    };
  });
  const page = await openDashboard(context);
  await notifyButton(page).click();
  await mainSwitch(page).waitFor();
  expect(await violationsInAnyScheme(page)).toEqual([]);
  await mainSwitch(page).click();
  const reason = page.getByText('Notifications of this page are blocked');
  await reason.waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  await page.keyboard.press('Escape');
  await reason.waitFor({ state: 'detached' });
  expect(await notifyButton(page).evaluate((node) => node === document.activeElement)).toBe(true);
  await notifyButton(page).click();
  await reason.waitFor();
  expect(await page.evaluate(() => localStorage.getItem('airboard.notify'))).toBeNull();
});

/** An address of this machine for which browsers require HTTPS. Containers may have none. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

test.skipIf(!ADDRESS)('over HTTP from another machine, the page says that it needs HTTPS', async () => {
  const page = await openPage(chromium.browser, `http://${ADDRESS}:${server.port}/`);
  await notifyButton(page).click();
  await page.getByText('Browsers allow notifications only on pages with https').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
});
