import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawingOn, watchCanvas } from '../support/browser/canvas';
import { chartOf, linkTo } from '../support/browser/dashboard';
import { numbersOf, waitForHistory } from '../support/browser/history-page';
import { cutTexts, noteTexts } from '../support/browser/legible';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { addSensor } from '../support/readings/sensors';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();
let server: RunningServer;

const MINUTE = 60_000;

/** The largest CO2 and VOC of each sensor. Other readings have less. */
const LARGEST = [
  [1_234_567.89, 98_765.4],
  [1e9, 1e21],
  [-123_456_789_012_345_680_000, 1.7976931348623157e308],
] as const;

let sensors: string[];

beforeAll(async () => {
  server = await startServer();
  const now = Date.now();
  sensors = await Promise.all(
    LARGEST.map(([co2, voc]) =>
      addSensor(
        server,
        Array.from({ length: 120 }, (_, i) => ({
          co2: co2 * (1 - (i % 7) / 10),
          voc: voc * (1 - (i % 5) / 10),
          created_at: new Date(now - 1000 - (120 - i) * 2 * MINUTE).toISOString(),
        })),
      ),
    ),
  );
});

afterAll(() => server.stop());

/** Returns the texts of elements that are wider than these. Runs in a page. */
function overflowing(selector: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((element) => element.scrollWidth > element.clientWidth)
    .map(({ textContent }) => textContent ?? '');
}

/** Returns the texts of a drawing that reach beyond their card. Runs in a page. */
function labelsOutside(selector: string): string[] {
  return [...document.querySelectorAll(selector)]
    .filter((label) => {
      const { left, right, width } = label.getBoundingClientRect();
      const card = label.closest('section')?.getBoundingClientRect();
      return width > 0 && (left < (card?.left ?? 0) || right > (card?.right ?? window.innerWidth));
    })
    .map(({ textContent }) => textContent ?? '');
}

const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

test.each([320, 390])(
  'at %d px large values are neither cut nor broken, on the dashboard, /chart and /history',
  async (width) => {
    const context = await chromium.browser.newContext({ viewport: { width, height: 844 } });
    await watchCanvas(context);
    await context.addInitScript(noteTexts);
    const page = await openTab(context);
    for (const sensor of sensors) {
      for (const path of ['/?range=10MIN&', '/chart?range=10MIN&', '/history?span=week&']) {
        await page.goto(`${server.url}${path}sensor=${encodeURIComponent(sensor)}`);
        await chartOf(page).waitFor();
        await until(async () => (await drawingOn(page)).texts.includes('0'));
        expect(await cutTexts(page), path).toEqual([]);
        const links = await page.evaluate(overflowing, '[aria-label=Sensors] a span.font-bold');
        expect(links, path).toEqual([]);
        expect(await scrollsSideways(page), path).toBe(false);
      }
      await waitForHistory(page);
      await numbersOf(page, 'CO2').getByRole('definition').first().waitFor();
      await until(() => page.evaluate(() => !document.querySelector('section[aria-busy=true]')));
      for (const figure of await page.locator('dl dd').all()) {
        const { height } = (await figure.boundingBox()) ?? {};
        expect(height, `${await figure.innerText()} is on one line`).toBeLessThan(40);
      }
      expect(await page.evaluate(overflowing, 'dl dd')).toEqual([]);
      await page.getByText('As a table').click();
      expect(await page.evaluate(labelsOutside, 'svg[role=img] text')).toEqual([]);
      expect(await scrollsSideways(page), 'with the table').toBe(false);
    }
    await context.close();
  },
);

test('the strip and the axes have large values in short', async () => {
  const [large = ''] = sensors;
  const page = await openPage(chromium.browser, `${server.url}/?sensor=${encodeURIComponent(large)}`);
  await chartOf(page).waitFor();
  await until(async () => (await drawingOn(page)).texts.includes('1.5M'));
  await linkTo(page, large)
    .getByText(/^\d+(\.\d+)?[KM] PPM$/)
    .waitFor();
});
