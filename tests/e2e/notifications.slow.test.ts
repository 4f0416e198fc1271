import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOTIFY_URLS, storeNotifiedSensors } from '../support/alerts/notified-sensors';
import { violationsInAnyScheme } from '../support/browser/legible';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer, temporaryFolder } from '../support/server/server';

const chromium = withChromium();

const changes = (page: Page) => page.getByRole('region', { name: 'The last 50 changes' });
const sensorsOf = (page: Page) => page.getByRole('region', { name: 'Sensors' });

describe('with eight sensors', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const databasePath = join(temporaryFolder(), 'readings.db');
    await storeNotifiedSensors(databasePath, 8);
    server = await startServer({ databasePath, env: { NOTIFY_URLS } });
  });
  afterAll(() => server.stop());

  test('the dashboard has a labelled switch and a link to the page on a phone, and the page fits any screen', async () => {
    const page = await openPage(chromium.browser, server.url, { viewport: { width: 390, height: 844 } });
    const word = await page.getByRole('button', { name: 'Notify me' }).boundingBox();
    expect(word?.width).toBeGreaterThan(50);
    await page.getByRole('link', { name: 'Notifications' }).click();
    await sensorsOf(page).waitFor();
    expect(await page.title()).toBe('Notifications – airboard');
    await page.getByRole('button', { name: 'Send a test', disabled: false }).waitFor();
    for (const width of [320, 390, 768, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const header = await page.getByRole('banner').boundingBox();
      expect(header?.height).toBeLessThanOrEqual(64);
    }
  });

  test('shows the state of each sensor and each attempt, without secrets, and axe finds nothing serious', async () => {
    const page = await openPage(chromium.browser, `${server.url}/notifications`, {
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    const states = await sensorsOf(page).getByRole('listitem').allInnerTexts();
    expect(states).toHaveLength(8);
    expect(states[0]).toMatch(/^Class 4b\npoor for 2 h 2\d min\nsince .*\d\d:\d\d:\d\d\nCO2 2353 PPM/);
    expect(states.find((text) => text.startsWith('Bedroom'))).toMatch(
      /moderate for 1 h [5-9] min[\s\S]*poor in [123] min if this lasts/,
    );
    expect(states.find((text) => text.startsWith('Room 6'))).toMatch(/silent for 40 min\nlast reading: /);

    const items = changes(page).getByRole('listitem');
    const reminder = items.filter({ hasText: 'reminder' });
    expect(await reminder.innerText()).toMatch(/Kitchen[\s\S]*poor[\s\S]*CO2 2350 PPM – reminder/);
    await reminder.getByText(/still failing|still to deliver/).waitFor();
    const rows = items.filter({ has: page.getByText('→') });
    expect(await rows.count()).toBe(50);
    expect(await rows.filter({ hasText: 'not sent' }).count()).toBeGreaterThan(5);
    const newest = rows.first();
    await newest.getByText('1 still failing, 2 delivered').click();
    const text = await newest.innerText();
    expect(text).toContain('200: {"id":"x7Hq"}');
    expect(text).toMatch(/failed, will be retried: 503: upstream connect error/);
    expect(await violationsInAnyScheme(page)).toEqual([]);
    await rows.filter({ hasText: '1 given up' }).first().locator('summary').click();
    await page.getByText('given up: 410: gone').filter({ visible: true }).waitFor();
    const html = await (await fetch(`${server.url}/notifications`)).text();
    for (const secret of ['air-4711', 'secret-token', 'secret-key']) {
      expect(html).not.toContain(secret);
      expect(await page.content()).not.toContain(secret);
    }
  });

  test('without scripts, the page has times in UTC and no buttons', async () => {
    const page = await openPage(chromium.browser, `${server.url}/notifications`, {
      javaScriptEnabled: false,
    });
    expect(await page.locator('main').innerText()).toContain('UTC');
    expect(await page.getByRole('button').and(page.locator(':not([popovertarget])')).count()).toBe(0);
  });

  test('shows changes while it is open', async () => {
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
});

describe('with a write key', () => {
  const KEY = 'correct-horse-battery';
  const received: { url?: string; body: string }[] = [];
  let receiver: Server;
  let server: RunningServer;

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      received.push({ url: request.url, body });
      response.writeHead(request.url === '/refuses' ? 403 : 204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    server = await startServer({ env: { NOTIFY_URLS: `${at}/takes ${at}/refuses`, WRITE_KEY: KEY } });
    await post(server.url, { sensor: 'Kitchen', co2: 600, voc: 100 }, { Authorization: `Bearer ${KEY}` });
  });
  afterAll(async () => {
    await server.stop();
    receiver.close();
  });

  test('requires the key, remembers it, and asks again when it is wrong', async () => {
    for (const address of ['/notifications', '/notifications.data', '/api/notifications']) {
      const text = await (await fetch(server.url + address)).text();
      expect(text, address).not.toMatch(/Kitchen|\/takes|\/refuses/);
    }
    const answer = await fetch(`${server.url}/api/notifications`, { method: 'POST' });
    expect(answer.status).toBe(401);
    const page = await openPage(chromium.browser, `${server.url}/notifications`);
    await page.getByLabel(/write key/).waitFor();
    expect(await sensorsOf(page).count()).toBe(0);
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

  test('a tap sends a test to every address, and the page shows each answer', async () => {
    const page = await openPage(chromium.browser, `${server.url}/notifications`);
    await page.getByLabel(/write key/).fill(KEY);
    await page.getByRole('button', { name: 'Remember the key' }).click();
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
    // Each test disturbs people, so the next one has to wait.
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'A test was sent just now.' }).waitFor();
    expect(received).toHaveLength(2);
    expect((await addresses.allInnerTexts())[0]).toMatch(/test delivered: HTTP 204$/);
    page.complaints = page.complaints.filter((text) => !/40[01]|429/.test(text));
  });
});
