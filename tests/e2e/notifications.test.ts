import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsInAnyScheme } from '../support/axe';
import { openPage, openTab, stopAfterTest, withChromium } from '../support/page';
import { type RunningServer, startServer, temporaryFolder } from '../support/server';
import { NOTIFY_URLS, storeToldSensors } from '../support/told-sensors';

const chromium = withChromium();

/** Starts a server with sensors of which people were told, at these addresses. */
async function startTold(sensors: number, env: Record<string, string> = {}): Promise<RunningServer> {
  const databasePath = join(temporaryFolder(), 'readings.db');
  await storeToldSensors(databasePath, sensors);
  return startServer({ databasePath, env: { NOTIFY_URLS, ...env } });
}

const changes = (page: Page) => page.getByRole('region', { name: 'The last 50 changes' });
const sensorsOf = (page: Page) => page.getByRole('region', { name: 'Sensors' });

describe('with eight sensors', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTold(8);
  });
  afterAll(() => server.stop());

  const open = (options = {}) =>
    openPage(chromium.browser, `${server.url}/notifications`, { locale: 'en-GB', ...options });

  test('every page links to it, and on a phone the switch beside it is a word', async () => {
    const page = await openPage(chromium.browser, server.url, { viewport: { width: 390, height: 844 } });
    const word = await page.getByRole('button', { name: 'Notify me' }).boundingBox();
    expect(word?.width).toBeGreaterThan(50);
    await page.getByRole('link', { name: 'Notifications' }).click();
    await sensorsOf(page).waitFor();
    expect(await page.title()).toBe('Notifications – airboard');
  });

  test('says how each sensor stands and since when, the worst first, and what is pending', async () => {
    const page = await open();
    const states = await sensorsOf(page).getByRole('listitem').allInnerTexts();
    expect(states).toHaveLength(8);
    expect(states[0]).toMatch(/^Class 4b\npoor for 2 h 2\d min\nsince .*\d\d:\d\d:\d\d\nCO2 2353 PPM/);
    expect(states.find((text) => text.startsWith('Bedroom'))).toMatch(
      /moderate for 1 h [5-9] min[\s\S]*poor in [123] min if this lasts/,
    );
    expect(states.find((text) => text.startsWith('Room 6'))).toMatch(/silent for 40 min\nlast reading: /);
  });

  test('shows each attempt with its answer, and no secret', async () => {
    const page = await open();
    const rows = changes(page)
      .getByRole('listitem')
      .filter({ has: page.getByText('→') });
    expect(await rows.count()).toBe(50);
    const newest = rows.first();
    await newest.getByText('1 still failing, 2 delivered').click();
    const text = await newest.innerText();
    expect(text).toContain('200: {"id":"x7Hq"}');
    expect(text).toMatch(/failed, to be tried again: 503: upstream connect error/);
    await rows.filter({ hasText: '1 given up' }).first().locator('summary').click();
    await page.getByText('given up: 410: gone').filter({ visible: true }).waitFor();
    expect(await rows.filter({ hasText: 'not told' }).count()).toBeGreaterThan(5);
    expect(await rows.filter({ hasText: 'withdrawn' }).count()).toBe(1);
    const html = await (await fetch(`${server.url}/notifications`)).text();
    for (const secret of ['air-4711', 'secret-token', 'secret-key']) {
      expect(html).not.toContain(secret);
      expect(await page.content()).not.toContain(secret);
    }
  });

  test('shows reminders with what was sent', async () => {
    const page = await open();
    const reminder = changes(page).getByRole('listitem').filter({ hasText: 'reminder' });
    expect(await reminder.innerText()).toMatch(/Kitchen[\s\S]*poor[\s\S]*CO2 2350 PPM – reminder/);
    await reminder.getByText(/still failing|still to deliver/).waitFor();
  });

  test('shows what has changed while it is open', async () => {
    const context = await chromium.browser.newContext();
    await context.clock.install();
    const page = await openTab(context);
    await page.goto(`${server.url}/notifications`);
    await sensorsOf(page).waitFor();
    const report = await (await fetch(`${server.url}/api/notifications`)).json();
    report.sensors[0].sensor = 'Attic';
    await page.route('**/api/notifications', (route) => route.fulfill({ json: report }));
    await context.clock.runFor(6000);
    await sensorsOf(page).getByText('Attic').waitFor();
    await page.unroute('**/api/notifications');
    await page.route('**/api/notifications', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Disk full.' } }),
    );
    await context.clock.runFor(6000);
    await page.getByRole('alert').filter({ hasText: 'Disk full. Trying again…' }).waitFor();
    page.complaints = page.complaints.filter((text) => !text.includes('503'));
  });

  test('fits screens from 320 to 1920 px, and nothing moves when its times appear', async () => {
    const page = await openPage(chromium.browser, 'about:blank');
    const plain = await openPage(chromium.browser, 'about:blank', { javaScriptEnabled: false });
    const layoutOf = (page: Page) =>
      page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        tops: [...document.querySelectorAll('main section')].map((node) => node.getBoundingClientRect().top),
      }));
    for (const width of [320, 390, 768, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${server.url}/notifications`);
      await page.getByRole('button', { name: 'Send a test', disabled: false }).waitFor();
      const { width: scrollWidth } = await layoutOf(page);
      expect(scrollWidth).toBeLessThanOrEqual(width);
      const header = await page.getByRole('banner').boundingBox();
      expect(header?.height).toBeLessThanOrEqual(64);
    }
    await plain.goto(`${server.url}/notifications`);
    expect(await plain.locator('main').innerText()).toContain('UTC');
    expect(await plain.getByRole('button').and(plain.locator(':not([popovertarget])')).count()).toBe(0);
  });

  test('axe finds nothing serious, in a light and a dark scheme and in forced colours', async () => {
    const page = await open({ reducedMotion: 'reduce' });
    await changes(page).getByText('1 still failing, 2 delivered').click();
    expect(await violationsInAnyScheme(page)).toEqual([]);
  });
});

describe('a test', () => {
  let receiver: Server;
  const received: { url?: string; body: string }[] = [];
  let port: number;

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      received.push({ url: request.url, body });
      response.writeHead(request.url === '/refuses' ? 403 : 204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    port = (receiver.address() as AddressInfo).port;
  });
  afterAll(() => void receiver.close());

  test('reaches every address at a tap, and the page shows what each one answers', async () => {
    const at = `http://127.0.0.1:${port}`;
    const server = await startServer({ env: { NOTIFY_URLS: `${at}/takes ${at}/refuses` } });
    stopAfterTest(server);
    const page = await openPage(chromium.browser, `${server.url}/notifications`);
    const button = page.getByRole('button', { name: 'Send a test' });
    await button.click();
    await page.getByRole('status').filter({ hasText: 'The test reached 1 of 2 addresses.' }).waitFor();
    const addresses = page.getByRole('region', { name: 'Addresses' }).getByRole('listitem');
    expect(await addresses.allInnerTexts()).toEqual([
      expect.stringMatching(/\ntest delivered: HTTP 204$/),
      expect.stringMatching(/\ntest not delivered: HTTP 403$/),
    ]);
    expect(received.map(({ url }) => url).sort()).toEqual(['/refuses', '/takes']);
    expect(received[0]?.body).toContain('airboard: test');
    // Each test disturbs people.
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'A test was sent just now.' }).waitFor();
    expect(received).toHaveLength(2);
    expect((await addresses.allInnerTexts())[0]).toMatch(/test delivered: HTTP 204$/);
    page.complaints = page.complaints.filter((text) => !text.includes('429'));
  });
});

describe('with a write key', () => {
  const KEY = 'correct-horse-battery';
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTold(2, { WRITE_KEY: KEY });
  });
  afterAll(() => server.stop());

  test('a visitor without the key sees nothing of it', async () => {
    for (const address of ['/notifications', '/notifications.data', '/api/notifications']) {
      const text = await (await fetch(server.url + address)).text();
      expect(text, address).not.toMatch(/Kitchen|127\.0\.0\.1:9/);
    }
    const page = await openPage(chromium.browser, `${server.url}/notifications`);
    await page.getByLabel(/write key/).waitFor();
    expect(await sensorsOf(page).count()).toBe(0);
    const answer = await fetch(`${server.url}/api/notifications`, { method: 'POST' });
    expect(answer.status).toBe(401);
  });

  test('the key opens it, is remembered, and asked for again when it is wrong', async () => {
    const page = await openPage(chromium.browser, `${server.url}/notifications`);
    const enter = async (key: string) => {
      await page.getByLabel(/write key/).fill(key);
      await page.getByRole('button', { name: 'Remember the key' }).click();
    };
    await enter('wrong');
    await page.getByRole('alert').filter({ hasText: "isn't a valid write key" }).waitFor();
    await enter('schlüssel');
    await page.getByRole('alert').filter({ hasText: "isn't a valid write key" }).waitFor();
    await enter(KEY);
    await sensorsOf(page).getByText('Kitchen').waitFor();
    await page.reload();
    await sensorsOf(page).getByText('Kitchen').waitFor();
    page.complaints = page.complaints.filter((text) => !text.includes('401'));
  });
});

test('where nobody is notified, the page says how to set it up, no page links to it, and the API says 404', async () => {
  const server = await startServer();
  stopAfterTest(server);
  const page = await openPage(chromium.browser, `${server.url}/notifications`);
  await page.getByText('NOTIFY_URLS=').waitFor();
  await page.getByText('ntfys://ntfy.sh/TOPIC').waitFor();
  expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);
  for (const method of ['GET', 'POST']) {
    expect((await fetch(`${server.url}/api/notifications`, { method })).status).toBe(404);
  }
});
