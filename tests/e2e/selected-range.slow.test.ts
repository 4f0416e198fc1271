import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reading } from '../../app/readings/reading';
import { chartOf, resetButton, tileOf, turnWheel, waitForPoints } from '../support/browser/dashboard';
import { openPage, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post, readAll } from '../support/server/api';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();

/** The ranges, and the number of points that they draw. */
const RANGES = [
  ['10MIN', 10],
  ['1HR', 12],
  ['6HR', 18],
  ['24HR', 24],
] as const;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const waitUntilSelected = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true, pressed: true }).waitFor();

describe('with readings for every range', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServerWith(5760);
  });
  afterAll(() => server.stop());

  test('the selected range is in the address, and survives a reload and going back', async () => {
    const page = await openPage(chromium.browser, server.url);
    await waitForPoints(page, 10);
    await button(page, '1HR').click();
    await page.waitForURL(`${server.url}/?range=1HR`);
    await waitForPoints(page, 12);
    await page.reload();
    await waitUntilSelected(page, '1HR');
    await waitForPoints(page, 12);
    await button(page, '10MIN').click();
    await page.waitForURL(`${server.url}/`);
    await waitForPoints(page, 10);
    await button(page, '6HR').click();
    await waitForPoints(page, 18);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Chart' }).click();
    await page.waitForURL(`${server.url}/chart?range=6HR`);
    await waitForPoints(page, 18);
    await page.goBack();
    await page.waitForURL(`${server.url}/?range=6HR`);
    await waitUntilSelected(page, '6HR');
    await waitForPoints(page, 18);
  });

  test('choosing another range neither loads readings, nor scrolls, nor drops the current reading', async () => {
    const page = await openPage(chromium.browser, server.url, { viewport: { width: 390, height: 500 } });
    await waitForPoints(page, 10);
    await post(server.url, { co2: 815, voc: 81 });
    await tileOf(page, 'CO2').getByText('815').waitFor();
    await button(page, '24HR').scrollIntoViewIfNeeded();
    await until(() => button(page, '24HR').isEnabled());
    const scrollY = await page.evaluate(() => window.scrollY);
    expect(scrollY).toBeGreaterThan(0);
    const requests: string[] = [];
    page.on('request', (request) => {
      // Airings and notes are loaded again after the post, at any time.
      const isReadings = !/\/api\/(ventilation|airings|notes)\?/.test(request.url());
      if (request.resourceType() === 'fetch' && isReadings) requests.push(request.url());
    });
    for (const [name, points] of [['24HR', 24] as const, ['1HR', 12] as const]) {
      await button(page, name).click();
      await waitForPoints(page, points);
    }
    expect(requests).toEqual([]);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrollY);
    await tileOf(page, 'CO2').getByText('815').waitFor();
  });

  test.each(['/', '/chart'])('%s?range=24HR draws nothing until its history has loaded', async (path) => {
    const page = await openPage(chromium.browser, 'about:blank');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/data?*', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${server.url}${path}?range=24HR`);
    const placeholder = page.getByText('Loading readings…');
    const box = await placeholder.boundingBox();
    expect(await chartOf(page).count()).toBe(0);
    release();
    await waitForPoints(page, 24);
    expect((await page.getByRole('figure').boundingBox())?.height).toBeCloseTo(box?.height ?? 0, 0);
    expect(await placeholder.count()).toBe(0);
  });

  test('the document from the server already marks the selected range', async () => {
    const html = await (await fetch(`${server.url}/?range=24HR`)).text();
    const pressed = html.match(/<button[^>]*aria-pressed="true"[^>]*>[^<]*/g) ?? [];
    expect(pressed.map((button) => button.replace(/.*>/s, ''))).toEqual(['24HR']);
  });

  // The tests below add sensors, one of which a page without a sensor in its address would show.
  test('the default range is shown while the selected one has too few readings', async () => {
    const sensor = await addSensor(server, evenReadings(239));
    const address = `${server.url}/?range=1HR&sensor=${sensor}`;
    const page = await openPage(chromium.browser, address);
    await waitUntilSelected(page, '10MIN');
    await waitForPoints(page, 10);
    expect(await button(page, '1HR').isDisabled()).toBe(true);
    expect(page.url()).toBe(address);
    await post(server.url, { co2: 612, voc: 77, sensor });
    await waitUntilSelected(page, '1HR');
    await waitForPoints(page, 12);
  });

  test('reading number 5670 enables the longest range, and each range draws its points', async () => {
    const sensor = await addSensor(server, evenReadings(5669));
    const page = await openPage(chromium.browser, `${server.url}/?sensor=${sensor}`);
    await waitUntilSelected(page, '10MIN');
    expect(await button(page, '24HR').isDisabled()).toBe(true);
    await post(server.url, { co2: 612, voc: 77, sensor });
    await until(() => button(page, '24HR').isEnabled());
    await tileOf(page, 'CO2').getByText('612').waitFor();
    for (const [name, points] of RANGES) {
      await button(page, name).click();
      await waitForPoints(page, points);
      expect(await button(page, name).getAttribute('aria-pressed')).toBe('true');
    }
    // The tooltip of an average shows its extremes and its time span.
    await chartOf(page).hover();
    const tooltip = page.getByRole('tooltip');
    // The values repeat 600 to 649, so 240 of them average near the middle.
    await tooltip.getByText(/^CO2 62\d(\.\d+)? PPM$/).waitFor();
    await tooltip.getByText('600 to 649').waitFor();
    await tooltip.getByText('average of 240 readings').waitFor();
    await tooltip.getByText(/\d+:\d+:\d+ – (\d+ \w+ )?\d+:\d+:\d+/).waitFor();
    // A new page enables the range at once, based on the store's count instead of the newest readings only.
    await page.reload();
    await page.getByRole('button', { name: '24HR', exact: true, disabled: false }).waitFor();
  });

  test.each([390, 1440])(
    'of a sensor that sends every 5 min, the ranges are times until now, at %d px',
    async (width) => {
      const sensor = await addSensor(server, evenReadings(300, { intervalMs: 300_000, endMs: 250_000 }));
      const page = await openPage(chromium.browser, `${server.url}/?sensor=${sensor}`, {
        viewport: { width, height: 900 },
      });
      const drawn = async () => {
        await page.locator('[aria-busy=false] [data-step]').waitFor();
        const { from = '', to = '' } = await page
          .getByRole('figure')
          .evaluate(({ dataset }) => ({ ...dataset }) as Record<string, string>);
        return { newest: to, hours: (Date.parse(to) - Date.parse(from)) / 3_600_000 };
      };
      const newest = (await readAll(server.url, `?limit=1&sensor=${sensor}`))[0];
      const steps = width < 600 ? ['2', '10', '60', '300'] : ['1', '5', '30', '120'];
      for (const [i, [name]] of RANGES.entries()) {
        expect(await button(page, name).isEnabled()).toBe(true);
        await button(page, name).click();
        await page.locator(`[data-step="${steps[i]}"]`).waitFor();
        expect((await drawn()).newest).toBe(newest?.created_at);
      }
      // Some earlier readings decide where gaps are.
      await until(async () => (await drawn()).hours > 23.8 && (await drawn()).hours < 24 + 7);
      expect(await page.getByText('The next range opens').count()).toBe(0);

      const stored: Reading = await (await post(server.url, { co2: 1234, voc: 77, sensor })).json();
      await tileOf(page, 'CO2').getByText('1234').waitFor();
      await page.getByLabel(/newest point 1234\./).waitFor();
      expect((await drawn()).newest).toBe(stored.created_at);
      await turnWheel(page, -100, 5);
      await resetButton(page).click();
      await resetButton(page).waitFor({ state: 'detached' });
    },
  );

  test('of a sensor that became slow, the ranges become times, and a burst makes them counts again', async () => {
    const sensor = await addSensor(server, [
      ...evenReadings(60, { endMs: 600_000 }),
      ...evenReadings(4, { intervalMs: 120_000, endMs: 120_000 }),
    ]);
    const page = await openPage(chromium.browser, `${server.url}/?sensor=${sensor}`);
    await waitForPoints(page, 10);
    expect(await button(page, '6HR').isDisabled()).toBe(true);
    await post(server.url, { co2: 612, voc: 77, sensor });
    await until(() => button(page, '6HR').isEnabled());
    await page.locator('[data-step="1"]').waitFor();
    for (let i = 0; i < 5; i++) await post(server.url, { co2: 700 + i, voc: 77, sensor });
    await until(() => button(page, '6HR').isDisabled());
    await page.getByLabel(/newest point/).waitFor();
    expect(await page.locator('[data-step]').count()).toBe(0);
  });

  test('a range without readings says when the newest was, and links to its day', async () => {
    const sensor = await addSensor(server, evenReadings(50, { intervalMs: 60_000, endMs: 3 * 86_400_000 }));
    const page = await openPage(chromium.browser, `${server.url}/chart?range=24HR&sensor=${sensor}`);
    const link = page.getByText('No readings in this time.').getByRole('link');
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^\/history\?.*span=day&date=\d{4}-\d\d-\d\d$/);
  });
});
