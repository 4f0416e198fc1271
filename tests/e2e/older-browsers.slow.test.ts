import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium';
import { chartOf, tileOf } from '../support/browser/dashboard';
import { queryOf } from '../support/browser/history-page';
import { fetchOldChromium, OLD_CHROMIUMS, type OldVersion } from '../support/browser/old-chromium';
import { closePages, openPage, openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

let server: RunningServer;

beforeAll(async () => {
  server = await startServerWith(300, { endMs: 5000, intervalMs: 15_000, env: { RANDOM_POSTS: 'false' } });
});

afterAll(() => server.stop());

const newest = withChromium();

const SCREENS = [
  { width: 390, height: 844 },
  { width: 800, height: 480 },
  { width: 1920, height: 1080 },
];

/** Adds a sensor that has sent every 15 s until now, whenever a test begins, and returns its name. */
async function addSensor({ url }: RunningServer, sensor: string): Promise<string> {
  const now = Date.now();
  const at = (i: number) => new Date(now - (300 - i) * 15_000).toISOString();
  const readings = Array.from({ length: 300 }, (_, i) => ({ sensor, co2: 700, voc: 70, created_at: at(i) }));
  expect((await post(url, readings)).status).toBe(201);
  return sensor;
}

// The tests below look into the document, because Playwright's locators call functions that old browsers lack.

/** Waits until an element has this text or label. */
const waitForText = (page: Page, selector: string, text: RegExp) =>
  until(() =>
    page.evaluate(
      ({ selector, text }) =>
        [...document.querySelectorAll(selector)].some((element) =>
          text.test(element.getAttribute('aria-label') ?? element.textContent ?? ''),
        ),
      { selector, text },
    ),
  );

const waitForChart = (page: Page, points: string) =>
  waitForText(page, 'canvas', new RegExp(`^Line chart.*: ${points}\\.`));

const waitForValue = (page: Page, value: string) =>
  waitForText(page, 'article[aria-label=CO2] span', new RegExp(`^${value}$`));

/** Clicks the first element with this text, once it is enabled. */
async function click(page: Page, selector: string, text: RegExp): Promise<void> {
  await waitForText(page, `${selector}:not(:disabled)`, text);
  await page.evaluate(
    ({ selector, text }) => {
      const found = [...document.querySelectorAll<HTMLElement>(selector)];
      found.find(({ textContent }) => text.test(textContent ?? ''))?.click();
    },
    { selector, text },
  );
}

/** Returns the size of the wall's CO2 in pixels by screen, and expects its tile to contain all its texts. */
async function wallFigures(page: Page): Promise<number[]> {
  const sizes: number[] = [];
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    const { size, outside } = await page.evaluate(() => {
      const tile = document.querySelector('article[aria-label=CO2]') as Element;
      const figure = [...tile.querySelectorAll('span')].find(({ textContent }) => textContent === '1187');
      const around = tile.getBoundingClientRect();
      const outside = [...tile.querySelectorAll('p, h2')].filter((text) => {
        const { right, bottom } = text.getBoundingClientRect();
        return right > around.right || bottom > around.bottom;
      });
      return {
        size: Number.parseFloat(getComputedStyle(figure as Element).fontSize),
        outside: outside.map(({ textContent }) => textContent),
      };
    });
    expect(outside, `${screen.width} px`).toEqual([]);
    sizes.push(size);
  }
  return sizes;
}

describe.each(Object.keys(OLD_CHROMIUMS).map(Number) as OldVersion[])('Chromium %i', (version) => {
  let browser: Browser | undefined;
  let own: RunningServer;

  beforeAll(async () => {
    const found = fetchOldChromium(version);
    if ('path' in found) browser = await launchChromium({}, found.path);
    else console.warn(found.missing);
    own = await startServer({ env: { RANDOM_POSTS: 'false' } });
  }, 300_000);

  afterAll(() => Promise.all([browser?.close(), own.stop()]));

  /** Opens a page of the old browser, and expects no error on it at the end of the test. */
  async function open(path: string): Promise<WatchedPage> {
    const page = await openPage(browser as Browser, own.url + path, { serviceWorkers: 'block' });
    onTestFinished(async () => {
      const { complaints } = page;
      await closePages(browser as Browser, { isKept: false });
      expect(complaints).toEqual([]);
    });
    return page;
  }

  test('the dashboard is live, and its chart zooms by keys', async ({ skip }) => {
    if (!browser) return skip();
    expect(browser.version()).toMatch(new RegExp(`^${version}\\.`));
    const sensor = await addSensor(own, `Dashboard ${version}`);
    const page = await open(`/?range=1HR&sensor=${sensor}`);
    await waitForChart(page, '12 points');
    await post(own.url, { co2: 900, voc: 90, sensor });
    await waitForValue(page, '900');
    await page.evaluate(() => document.querySelector<HTMLElement>('figure [type=range]')?.focus());
    await page.keyboard.press('+');
    await waitForText(page, 'button', /Reset zoom/);
    const touch = await page.evaluate(
      () => getComputedStyle(document.querySelector('canvas') as Element).touchAction,
    );
    expect(touch).toBe('pan-y');
  });

  test('the wall is live, and its number as high as in the newest browser', async ({ skip }) => {
    if (!browser) return skip();
    const sensor = await addSensor(own, `Wall ${version}`);
    const address = `/?wall&sensor=${sensor}`;
    const pages = [await open(address), await openPage(newest.browser, own.url + address)];
    await Promise.all(pages.map((page) => waitForChart(page, '.*')));
    await post(own.url, { co2: 1187, voc: 152, sensor });
    const sizes: number[][] = [];
    for (const page of pages) {
      await waitForValue(page, '1187');
      sizes.push(await wallFigures(page));
    }
    const [old = [], today = []] = sizes;
    for (const [i, size] of old.entries())
      expect(size, JSON.stringify(SCREENS[i])).toBeGreaterThan(0.95 * (today[i] as number));
  });

  test('the history compares a week, and its address says so', async ({ skip }) => {
    if (!browser) return skip();
    const page = await open('/history');
    await waitForChart(page, '.*');
    await click(page, 'nav[aria-label=Span] a', /^week$/i);
    await waitForText(page, 'nav[aria-label=Span] a[aria-current]', /^week$/i);
    await click(page, 'button', /^Compare/);
    await until(() => queryOf(page).compare === 'before' && queryOf(page).span === 'week');
    await click(page, 'nav[aria-label=Pages] a', /Dashboard/);
    await waitForValue(page, '\\d+');
  });

  test('the chart page is live', async ({ skip }) => {
    if (!browser) return skip();
    const sensor = await addSensor(own, `Chart ${version}`);
    const page = await open(`/chart?range=1HR&sensor=${sensor}`);
    await waitForChart(page, '12 points');
    await post(own.url, { co2: 800, voc: 80, sensor });
    await waitForText(page, 'canvas', /\b800\b/);
  });

  test('the form posts a reading', async ({ skip }) => {
    if (!browser) return skip();
    const page = await open('/postdata');
    await waitForText(page, 'button:not(:disabled)', /^POST$/);
    await page.evaluate(() => document.querySelector<HTMLElement>('input[name=co2]')?.focus());
    await page.keyboard.type('701');
    await click(page, 'button', /^POST$/);
    await waitForText(page, 'td', /^701$/);
  });
});

describe('a browser that is too old for the app', () => {
  /** Opens a tab without the method that the app needs, and with a clock of the test. */
  async function openOld(path: string, { hasStyle = true } = {}): Promise<WatchedPage> {
    const context = await newest.browser.newContext();
    const page = await openTab(context);
    await page.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'at'));
    if (!hasStyle) await page.route('**/*.css', (route) => route.fulfill({ body: '' }));
    await page.clock.install();
    await page.goto(server.url + path);
    return page;
  }

  test('shows the page as served, and a wall renews itself each minute', async () => {
    await post(server.url, { co2: 640, voc: 64 });
    const page = await openOld('/?wall');
    await tileOf(page, 'CO2').getByText('640', { exact: true }).waitFor();
    await post(server.url, { co2: 650, voc: 65 });
    await page.clock.runFor(59_000);
    expect(await tileOf(page, 'CO2').getByText('640', { exact: true }).count()).toBe(1);
    await page.clock.runFor(2000);
    await tileOf(page, 'CO2').getByText('650', { exact: true }).waitFor();
  });

  test('shows a small sign and the numbers in the first window even without style', async () => {
    const page = await openOld('/', { hasStyle: false });
    const { height = 0 } = (await page.locator('header svg').boundingBox()) ?? {};
    expect(height).toBe(20);
    const { y = 9999 } = (await tileOf(page, 'CO2').getByText('650', { exact: true }).boundingBox()) ?? {};
    expect(y).toBeLessThan(900);
  });
});

test('without JavaScript only walls renew themselves each minute', async () => {
  const context = await newest.browser.newContext({ javaScriptEnabled: false });
  const page = await openTab(context);
  const renewal = page.locator('head meta[http-equiv=refresh]');
  await page.goto(`${server.url}/?wall`);
  expect(await renewal.getAttribute('content')).toBe('60');
  await page.goto(server.url);
  expect(await renewal.count()).toBe(0);
});

test('a wall whose app runs never reloads', async () => {
  const context = await newest.browser.newContext();
  const page = await openTab(context);
  await page.clock.install();
  await page.goto(`${server.url}/?wall`);
  await chartOf(page).waitFor();
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.clock.runFor(130_000);
  await tileOf(page, 'CO2').waitFor();
  expect(loads).toBe(0);
});
