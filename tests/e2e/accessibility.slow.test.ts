import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartOf, tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { violationsInAnyScheme, violationsOn } from '../support/browser/legible';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { GOOD_PAGES } from '../support/sources';

describe('the pages', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWith(240);
  });

  afterAll(() => server.stop());

  async function show(page: Page, path: string): Promise<void> {
    await page.goto(server.url + path);
    await page.getByRole('heading').first().waitFor();
  }

  /** Waits for the parts of a page that need its scripts. */
  async function waitForContent(page: Page, path: string): Promise<void> {
    if (/\/(\?|chart\?|history|$)/.test(path)) {
      await chartOf(page).waitFor();
      // The chart's controls appear after its React effects have run.
      if (!/wall/.test(path)) await page.getByRole('button', { name: 'VOC (PPB)' }).waitFor();
    }
    if (/history/.test(path)) {
      await page.locator('table a[tabindex="0"]').waitFor();
      await page.getByText('As a table').waitFor();
      await page.getByRole('button', { name: 'Earlier', disabled: false }).waitFor();
    }
  }

  async function open(path: string, options?: BrowserContextOptions): Promise<WatchedPage> {
    const page = await openPage(chromium.browser, 'about:blank', options);
    await show(page, path);
    return page;
  }

  /** Without transitions, the colour scheme changes at once. */
  const STILL = { reducedMotion: 'reduce' } as const;

  /** All pages except two that consist of the same elements as others. */
  const DIFFERENT_PAGES = GOOD_PAGES.filter(
    (path) => !['/?range=1HR', '/chart?span=day&wall'].includes(path),
  );

  test('on any page, axe finds nothing serious in any scheme, and Tab reaches every control in order, with visible focus', async () => {
    const page = await openPage(chromium.browser, 'about:blank', STILL);
    for (const path of [...DIFFERENT_PAGES, '/nowhere']) {
      await show(page, path);
      if (path !== '/nowhere') await waitForContent(page, path);
      expect(await violationsInAnyScheme(page), path).toEqual([]);
      if (path === '/')
        await page.getByRole('button', { name: 'POST RANDOM DATA', disabled: false }).waitFor();
      // A table of links is a single tab stop, and so is a region that scrolls.
      const controls = page.locator(
        ':is(a[href], button:enabled, input:enabled, select:enabled, summary, section[tabindex="0"]):not([tabindex="-1"]):visible',
      );
      const all = await controls.evaluateAll((nodes) =>
        nodes.map((node) => node.ariaLabel ?? node.textContent),
      );
      const reached = await pressTab(page, all.length);
      expect(
        reached.filter(({ isVisible }) => !isVisible),
        `the focus on ${path}`,
      ).toEqual([]);
      // A tile's age changes meanwhile.
      const withoutAge = (name: string | null) => name?.replace(/\d+ (s|min) ago/, 'ago');
      expect(
        reached.map(({ name }) => withoutAge(name)),
        path,
      ).toEqual(all.map(withoutAge));
    }
    page.complaints.splice(0);
  });

  interface Reached {
    name: string | null;
    /** True if its outline shows the focus. */
    isVisible: boolean;
  }

  /**
   * Presses Tab until this many elements have had the focus, and returns them. More presses may be needed, because a
   * date field has several tab stops. The page records the elements, because a query after each press would be slow.
   */
  async function pressTab(page: Page, count: number): Promise<Reached[]> {
    await page.evaluate(() => {
      const reached: Reached[] = [];
      Object.assign(window, { reached });
      addEventListener('focusin', ({ target }) => {
        const node = target as HTMLElement;
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(node);
        const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
        reached.push({
          name: node.ariaLabel ?? node.textContent,
          isVisible: isOutlined && !/, 0\)$/.test(outlineColor),
        });
      });
    });
    const reached = () => page.evaluate(() => (window as unknown as { reached: Reached[] }).reached);
    for (let missing = count; missing > 0; missing = count - (await reached()).length) {
      for (let i = 0; i < missing; i++) await page.keyboard.press('Tab');
    }
    return reached();
  }

  const lookOf = (element: Locator) =>
    element.evaluate((node) => {
      const { backgroundColor, color } = getComputedStyle(node);
      return { ground: backgroundColor, ink: color };
    });

  test('in forced colours, the selected and the disabled ranges stand out, and keys select one', async () => {
    const page = await open('/', { forcedColors: 'active' });
    await page.getByRole('button', { name: '1HR', disabled: false }).waitFor();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const [selected, other, disabled] = await Promise.all(
      ['10MIN', '1HR', '6HR'].map((name) => lookOf(button(name))),
    );
    expect(selected?.ground).not.toBe(other?.ground);
    expect(selected?.ink).not.toBe(selected?.ground);
    expect(disabled?.ink).not.toBe(other?.ink);
    await button('1HR').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '1HR', pressed: true }).waitFor();

    await page.goto(`${server.url}/chart?range=1HR`);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    expect((await lookOf(link('1HR'))).ground).not.toBe((await lookOf(link('6HR'))).ground);
  });

  test('axe finds nothing serious on a dashboard with each level, and with rising and falling values', async () => {
    const page = await open('/', STILL);
    for (const [co2, co2Level, voc, vocLevel] of [
      [1500, 'moderate', 100, 'good'],
      [900, 'good', 900, 'poor'],
    ] as const) {
      await post(server.url, { co2, voc });
      await tileOf(page, 'CO2').getByText(String(co2)).waitFor();
      await tileOf(page, 'CO2').getByText(co2Level, { exact: true }).waitFor();
      await tileOf(page, 'VOC').getByText(vocLevel, { exact: true }).waitFor();
      expect(await violationsInAnyScheme(page), `with CO2 ${co2}`).toEqual([]);
    }
  });

  test('/postdata works by keyboard alone, and axe finds nothing in its error, success and offline states', async () => {
    const page = await open('/postdata', STILL);
    await waitUntilInteractive(page);
    await page.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await page.getByText('paused').waitFor();
    await page.getByLabel('CO2 reading:').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was sent: enter at least one value.').waitFor();
    expect(await violationsInAnyScheme(page), 'without values').toEqual([]);
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await violationsInAnyScheme(page), 'with errors').toEqual([]);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('432.1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('43');
    await page.keyboard.press('Enter');
    await page.getByText(/Stored as reading \d+: CO2 432.1 PPM, VOC 43 PPB/).waitFor();
    expect(await violationsInAnyScheme(page), 'with a stored reading').toEqual([]);
    await page.context().setOffline(true);
    await page.getByText('Reconnecting…').waitFor();
    await page.getByRole('button', { name: 'Reading +1' }).click();
    await page.getByText('may or may not be stored').waitFor();
    expect(await violationsInAnyScheme(page), 'offline').toEqual([]);
    page.complaints.splice(0);
  });
});

describe('every page, with every kind of sensor and without readings', () => {
  const chromium = withChromium();
  const LONG_NAME = 'Bedroom of the children on the second floor, beside the window';
  const ALL_METRICS = {
    co2: 696,
    voc: 54,
    voc_index: 103,
    nox_index: 1,
    pm25: 7.2,
    pm10: 70.7,
    temperature: 21.6,
    humidity: 45.3,
    pressure: 1013.2,
  };
  const PATHS = ['/', '/?wall', '/chart', '/history', '/postdata', '/notifications', '/nowhere', '/api/docs'];
  let full: RunningServer;
  let empty: RunningServer;

  beforeAll(async () => {
    [full, empty] = await Promise.all([startServer(), startServer()]);
    const times = Array.from({ length: 20 }, (_, i) => new Date(Date.now() - i * 60_000).toISOString());
    const readings = times.flatMap((created_at) => [
      { sensor: 'All', ...ALL_METRICS, created_at },
      { sensor: LONG_NAME, co2: 1250, voc: null, created_at },
    ]);
    expect((await post(full.url, readings)).status).toBe(201);
  });

  afterAll(() => Promise.all([full.stop(), empty.stop()]));

  async function visit(page: Page, url: string, sensor?: string): Promise<void> {
    const hasSensor = sensor && !/api|nowhere|notifications/.test(url);
    await page.goto(
      hasSensor ? `${url}${url.includes('?') ? '&' : '?'}sensor=${encodeURIComponent(sensor)}` : url,
    );
    await page.getByRole('heading').first().waitFor();
    if (/history/.test(url)) await page.getByRole('button', { name: 'Earlier', disabled: false }).waitFor();
  }

  test.each([['All'], [LONG_NAME], [undefined]])(
    'with %s, axe finds nothing at 320 and 1440 px, and no page is wider at 390 either',
    { timeout: 240_000 },
    async (sensor) => {
      const server = sensor ? full : empty;
      const page = await openPage(chromium.browser, 'about:blank', { reducedMotion: 'reduce' });
      // A long name matters where sensors are listed.
      for (const path of sensor === LONG_NAME ? ['/', '/history'] : PATHS) {
        await visit(page, server.url + path, sensor);
        for (const width of [320, 390, 1440]) {
          await page.setViewportSize({ width, height: 844 });
          const message = `${path} at ${width} px`;
          // A chart shrinks in a frame after the page does.
          const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
          await expect.poll(widest, { message }).toBe(width);
          // The layouts of 320 and 390 px have the same elements.
          if (width === 390) continue;
          // Colours are the same at any width, and most pages have those of the pages above.
          const find = width === 320 && path === '/' ? violationsInAnyScheme : violationsOn;
          expect(await find(page, ['moderate', 'serious', 'critical']), message).toEqual([]);
        }
      }
      page.complaints.splice(0);
    },
  );

  test('no page is wider than 280 px, or than a phone with letters of twice the size', async () => {
    // Tiles say more of a current reading.
    await post(full.url, { sensor: 'All', ...ALL_METRICS });
    for (const [width, letters] of [
      [280, 16],
      [390, 32],
    ] as const) {
      const context = await chromium.browser.newContext({ viewport: { width, height: 844 } });
      const page = await openTab(context);
      const devtools = await context.newCDPSession(page);
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: letters } });
      for (const path of PATHS) {
        await visit(page, full.url + path, 'All');
        if (path === '/') await tileOf(page, 'Humidity').getByText('comfortable').waitFor();
        if (path === '/history') {
          await page.getByText('1013.2', { exact: true }).first().waitFor();
          await page.getByText('As a table').waitFor();
        }
        const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
        if (!path.includes('wall')) expect(await size(), path).toBe(`${letters}px`);
        const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
        await expect.poll(widest, { message: `${path} at ${width} px` }).toBe(width);
      }
      page.complaints.splice(0);
      await context.close();
    }
  });

  test('a tap on a wall of any phone shows a button to leave it, and everything fits above a fifth of chart', async () => {
    const page = await openPage(chromium.browser, 'about:blank', { hasTouch: true });
    for (const [width, height] of [
      [390, 844],
      [320, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await visit(page, `${full.url}/?wall`, 'All');
      await chartOf(page).waitFor();
      const card = await page.getByRole('region', { name: 'Chart' }).boundingBox();
      expect(card?.height, `${width} px`).toBeGreaterThan(0.2 * height);
      expect((card?.y ?? 0) + (card?.height ?? 0), `${width} px`).toBeLessThanOrEqual(height);
      await page.touchscreen.tap(width / 2, height / 2);
      await page.getByRole('button', { name: 'Leave the wall' }).tap();
      await page.getByRole('banner').waitFor();
      expect(page.url()).not.toContain('wall');
    }
  });

  test('on a phone, the table of readings scrolls by keyboard and shows only whole columns', async () => {
    const page = await openPage(chromium.browser, 'about:blank', { viewport: { width: 390, height: 844 } });
    await visit(page, `${full.url}/postdata`, 'All');
    const region = page.getByRole('region', { name: 'Table of readings' });
    await region.focus();
    const ends = await region.evaluate((node) => {
      const edge = node.getBoundingClientRect().right;
      const cells = [...node.querySelectorAll('tbody tr:first-child td')].map((cell) =>
        cell.getBoundingClientRect(),
      );
      return cells.filter(({ left, right }) => left < edge - 1 && right > edge + 1).length;
    });
    expect(ends).toBe(0);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => region.evaluate((node) => node.scrollLeft)).toBeGreaterThan(0);
  });
});

describe('the documentation of the API', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.stop());

  test('/api/docs is complete and accessible without scripts, and loads nothing from other hosts', async () => {
    const page = await openPage(chromium.browser, 'about:blank', { reducedMotion: 'reduce' });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(`${server.url}/api/docs`);
    for (const width of [280, 320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(await violationsInAnyScheme(page)).toEqual([]);
    const [missing, repeated] = await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      const links = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href'));
      return [
        links.filter((link) => !ids.includes(String(link).slice(1))),
        ids.filter((id, i) => ids.indexOf(id) !== i),
      ];
    });
    expect([missing, repeated]).toEqual([[], []]);
    // The backticks of Markdown are rendered as code.
    expect(await page.getByRole('main').innerText()).not.toContain('`');
    await page.getByRole('link', { name: 'POST /api/data' }).click();
    const operation = page.getByRole('region', { name: 'POST /api/data' });
    await operation.getByText('A reading a line').click();
    await operation.getByText("-H 'Content-Type: application/x-ndjson'").waitFor();
    expect([...hosts]).toEqual([server.url]);
  });
});
