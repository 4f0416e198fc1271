import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  boxesOf,
  boxOf,
  cardOf,
  chartOf,
  linksOf,
  linkTo,
  namesIn,
  stripOf,
  waitUntilInteractive,
} from '../support/browser/dashboard';
import { violationsInAnyScheme } from '../support/browser/legible';
import { openPage, withChromium } from '../support/browser/page';
import { hearSensors } from '../support/readings/sensors';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

const chromium = withChromium();

const LONG = 'Office on the second floor, the corner beside the big window, 12';
/** The height in pixels of a thin scroll bar. */
const SCROLL_BAR = 15;

const NAMES = ['Kitchen', LONG, 'غرفة النوم', '🍳 Küche', '', 'Garage', 'Attic', 'Hall'];

/** Sensors of every level. One in eleven is stale. */
const sensorsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    sensor: NAMES[i] ?? `Room ${i}`,
    co2: [600, 1400, 2300][i % 3] ?? null,
    voc: i % 4 === 0 ? null : 120,
    ageMs: i % 11 === 6 ? 1_200_000 : 2000,
  })).map(({ sensor, ...rest }) => (sensor ? { sensor, ...rest } : rest));

let server: RunningServer;
let heard = 0;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Adds sensors up to this number. The tests run in the order of their numbers. */
async function hearUpTo(count: number): Promise<void> {
  if (heard >= count) return;
  await hearSensors(server, sensorsOf(count).slice(heard));
  heard = count;
}

/** Tests the row and the space below it, in pixels. */
function testRow(count: number): void {
  test(`with ${count} sensors the strip is one row on a phone and on a screen, and the dashboard still fits`, async () => {
    await hearUpTo(count);
    const page = await openPage(chromium.browser, server.url);
    await waitUntilInteractive(page);
    expect(await linksOf(page).count()).toBe(count);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await until(async () => (await boxOf(stripOf(page))).width <= width);
      expect((await boxOf(stripOf(page))).height).toBeLessThan(110);
      for (const box of await boxesOf(linksOf(page)))
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
      const verdict = await boxOf(page.getByRole('region', { name: 'Verdict' }));
      expect(verdict.y + verdict.height).toBeLessThan(500);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);

      const all = stripOf(page).getByRole('button', { name: `All ${count} sensors` });
      const hasAll = width === 390 ? count > 3 : count > 8;
      await until(async () => (await all.isVisible()) === hasAll);
      if (!hasAll) continue;
      await all.click();
      for (const { x, width: own } of await boxesOf(linksOf(page)))
        expect(x >= 0 && x + own <= width).toBe(true);
      await linksOf(page).last().click();
      await all.waitFor();
      expect((await boxOf(stripOf(page))).height).toBeLessThan(110);
    }
  });

  test(`with ${count} sensors the first screen at 1440×900 has the chart with its legend, on the dashboard and on /chart`, async () => {
    await hearUpTo(count);
    const page = await openPage(chromium.browser, 'about:blank', { viewport: { width: 1440, height: 900 } });
    for (const path of ['/', '/chart?range=10MIN']) {
      await page.goto(server.url + path);
      await chartOf(page).waitFor();
      expect((await boxOf(chartOf(page))).height, path).toBeGreaterThan(300);
      const legend = await boxOf(page.getByRole('group', { name: 'Lines of the chart' }));
      // A scrolling row may have a scroll bar, which this browser doesn't draw.
      expect(legend.y + legend.height, path).toBeLessThanOrEqual(900 - SCROLL_BAR);
    }
  });
}

testRow(2);
testRow(8);

test('axe finds nothing serious in a strip of eight sensors, as a row and fully open', async () => {
  await hearUpTo(8);
  const viewport = { width: 390, height: 844 };
  const page = await openPage(chromium.browser, server.url, { viewport, reducedMotion: 'reduce' });
  await waitUntilInteractive(page);
  expect(await violationsInAnyScheme(page)).toEqual([]);
  await stripOf(page).getByRole('button', { name: 'All 8 sensors' }).click();
  expect(await violationsInAnyScheme(page)).toEqual([]);
});

test('on a phone, the shown sensor is in view at once, and the page does not scroll', async () => {
  await hearUpTo(8);
  // The only stale sensor is the last one.
  const page = await openPage(chromium.browser, `${server.url}/?sensor=Attic`, {
    viewport: { width: 390, height: 844 },
  });
  await waitUntilInteractive(page);
  const isInView = async (name: string) => {
    const [row, link] = [await boxOf(stripOf(page).getByRole('list')), await boxOf(linkTo(page, name))];
    return row.width > 0 && link.x >= row.x - 1 && link.x + link.width <= row.x + row.width + 1;
  };
  const scrolled = () => page.evaluate(() => window.scrollY);
  expect((await namesIn(page)).at(-1)).toBe('Attic');
  expect([await isInView('Attic'), await scrolled()]).toEqual([true, 0]);

  await page.evaluate(() => window.scrollTo(0, 300));
  await page.getByRole('link', { name: 'Chart', exact: true }).dispatchEvent('click');
  await page.waitForURL(/\/chart/);
  await cardOf(page, 'Readings – Attic').waitFor({ state: 'detached' });
  await until(() => isInView('Attic'));
  await page.goBack();
  await cardOf(page, 'Readings – Attic').waitFor();
  await until(() => isInView('Attic'));
  expect(await scrolled()).toBe(300);

  const all = stripOf(page).getByRole('button');
  await all.click();
  await all.click();
  await until(() => isInView('Attic'));
});

testRow(40);
