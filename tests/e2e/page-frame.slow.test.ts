import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STORAGE_KEY } from '../../app/ui/posting/write-key';
import { drawingOn, watchCanvas } from '../support/browser/canvas';
import { chartOf, linkTo, tileOf, waitForPoints, waitUntilInteractive } from '../support/browser/dashboard';
import { numbersOf, waitForHistory } from '../support/browser/history-page';
import { cutTexts, noteTexts } from '../support/browser/legible';
import { openPage, openTab, withChromium } from '../support/browser/page';
import { addSensor } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { filesBelow, PAGE_PATHS, READING_PAGES } from '../support/sources';
import { until } from '../support/until';

describe('header and guide', () => {
  const chromium = withChromium();
  let server: RunningServer;

  /** A phone, one in landscape, and a screen. */
  const SIZES = [
    [320, 700],
    [844, 390],
    [1440, 900],
  ] as const;

  beforeAll(async () => {
    server = await startServerWith(60);
  });

  afterAll(() => server.stop());

  test('the header of a phone takes 64 px with the name, tagline and links, and at most 48 px in landscape', async () => {
    const page = await openPage(chromium.browser, server.url);
    for (const [width, height] of SIZES) {
      const most = height < 400 ? 48 : 64;
      await page.setViewportSize({ width, height });
      const header = page.getByRole('banner');
      expect((await header.boundingBox())?.height).toBeLessThanOrEqual(most);
      const parts = [
        page.getByText('know when to open a window', { exact: true }),
        header.getByText('airboard', { exact: true }),
        ...(await header.getByRole('link').all()),
      ];
      for (const part of parts) {
        const box = await part.boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(0);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(most);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
    }
  });

  /**
   * Returns the lowest pixel of the header, the first and last card, the page's height, and the position of the notice.
   */
  const frameOf = (page: Page) =>
    page.evaluate(() => {
      const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
      const notice = boxOf('main [role=alert]');
      const sections = [...document.querySelectorAll('main section')];
      return {
        header: boxOf('header')?.bottom ?? 0,
        card: boxOf('main section')?.top ?? 0,
        content: Math.max(...sections.map((section) => section.getBoundingClientRect().bottom)) + scrollY,
        height: Math.max(document.documentElement.scrollHeight, innerHeight),
        notice: notice ? [notice.top, notice.bottom] : null,
      };
    });

  /** Returns the frame of a page at each size. */
  async function framesOf(page: Page) {
    const frames = [];
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      frames.push(await frameOf(page));
    }
    return frames;
  }

  test.each(READING_PAGES)(
    'on %s the offline notice moves nothing, and covers nothing at the end of the page, at any size',
    async (path) => {
      const page = await openPage(chromium.browser, 'about:blank');
      await Promise.all([page.waitForResponse(/\/api\/data/), page.goto(server.url + path)]);
      const online = await framesOf(page);
      await page.context().setOffline(true);
      await page.getByRole('alert').filter({ hasText: 'Reconnecting…' }).waitFor();
      const offline = await framesOf(page);
      const tops = ({ header, card }: (typeof online)[number]) => [header, card];
      expect(offline.map(tops)).toEqual(online.map(tops));
      for (const [i, { header, card, content, height, notice }] of offline.entries()) {
        // No empty space is reserved for the notice.
        expect(card - header).toBeLessThanOrEqual(12);
        const [top = 0, bottom = 0] = notice ?? [];
        expect(bottom).toBeGreaterThan(top);
        expect(bottom).toBeLessThanOrEqual(SIZES[i]?.[1] ?? 0);
        // At the end of the page, its content ends above the notice.
        expect(height - content).toBeGreaterThanOrEqual((SIZES[i]?.[1] ?? 0) - top);
      }
      // The browser logs each failed request, including later ones.
      await page.goto('about:blank');
      page.complaints.splice(0);
    },
  );

  test('the first Tab on every page reaches a link that skips the header', async () => {
    // Pages load faster without scripts, which the link doesn't need.
    const page = await openPage(chromium.browser, 'about:blank', { javaScriptEnabled: false });
    for (const path of [...PAGE_PATHS, '/nowhere']) {
      await page.goto(server.url + path);
      await page.keyboard.press('Tab');
      const link = page.getByRole('link', { name: 'Skip to content' });
      expect(await link.evaluate((node) => node === document.activeElement)).toBe(true);
      const box = await link.boundingBox();
      expect(box?.height).toBeGreaterThan(30);
      await page.keyboard.press('Enter');
      await page.waitForURL(/#content$/);
      // The next Tab continues from there.
      expect(await page.getByRole('main').evaluate((node) => node === document.activeElement)).toBe(true);
      page.complaints.splice(0);
    }
  });

  test.each(['keyboard', 'touch', 'no script'])(
    'the guide to the numbers opens by %s over the page and moves nothing',
    async (by) => {
      const page = await openPage(chromium.browser, server.url, {
        viewport: { width: 390, height: 844 },
        hasTouch: by === 'touch',
        javaScriptEnabled: by !== 'no script',
      });
      if (by !== 'no script') await waitUntilInteractive(page);
      const button = page.getByRole('button', { name: 'What do the numbers mean?' });
      const guide = page.getByRole('region', { name: 'What the numbers mean' });
      expect(await guide.isVisible()).toBe(false);
      const before = await frameOf(page);
      if (by === 'touch') await button.tap();
      else await button.press('Enter');
      await guide.getByText('The defaults, 1000 and 2000 PPM').waitFor();
      expect(await guide.innerText()).toContain('below 1000 PPM is good, below 2000 moderate');
      expect(await frameOf(page)).toEqual(before);
      const box = await guide.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
      if (by === 'touch') await page.touchscreen.tap(195, 5);
      else await page.keyboard.press('Escape');
      await guide.waitFor({ state: 'hidden' });
      if (by === 'keyboard')
        expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    },
  );

  const openGuide = async (page: Page) => {
    await page.getByRole('button', { name: 'What do the numbers mean?' }).click();
    const guide = page.getByRole('region', { name: 'What the numbers mean' });
    await guide.getByText('below 1000 PPM is good, below 2000 moderate').waitFor();
  };

  test('the guide to the numbers has its text on a dashboard after another page', async () => {
    const page = await openPage(chromium.browser, `${server.url}/postdata`);
    await waitUntilInteractive(page);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await openGuide(page);
  });

  test('a wall hides the guide, even in a browser without popovers, and the dashboard after it shows it', async () => {
    const page = await openPage(chromium.browser, `${server.url}/?wall`);
    await waitForPoints(page, 10);
    const text = page.getByText('The defaults, 1000 and 2000 PPM');
    const setPopover = (isKnown: boolean) =>
      text.evaluate((element, isKnown) => {
        const guide = element.closest('section') as Element;
        if (isKnown) guide.setAttribute('popover', 'auto');
        else guide.removeAttribute('popover');
      }, isKnown);
    await setPopover(false);
    expect(await text.isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await text.waitFor();
    await setPopover(true);
    await openGuide(page);
  });

  test('no script contains the text of the guide', () => {
    const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((path) => readFileSync(path, 'utf8').includes('Umweltbundesamt'))).toEqual([]);
  });

  test('with notifications off, their page says how to set them up, no page links to it, and the API says 404', async () => {
    const page = await openPage(chromium.browser, `${server.url}/notifications`);
    await page.getByText('NOTIFY_URLS=').waitFor();
    await page.getByText('ntfys://ntfy.sh/TOPIC').waitFor();
    expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);
    for (const method of ['GET', 'POST']) {
      expect((await fetch(`${server.url}/api/notifications`, { method })).status).toBe(404);
    }
  });
});

describe('large values', () => {
  const chromium = withChromium();
  let server: RunningServer;

  const MINUTE = 60_000;

  /** The largest CO2 and VOC of each sensor. Other readings are lower. All but the first sensor have faulty values. */
  const LARGEST = [
    [39_876.54, 64_321.98],
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

  /** Returns the texts that are wider than their elements. Runs in a page. */
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
    'at %d px large values are neither cut nor wrapped, on the dashboard, /chart and /history',
    async (width) => {
      const context = await chromium.browser.newContext({ viewport: { width, height: 844 } });
      await watchCanvas(context);
      await context.addInitScript(noteTexts);
      const page = await openTab(context);
      for (const sensor of sensors) {
        const isFaulty = sensor !== sensors[0];
        for (const path of ['/?range=10MIN&', '/chart?range=10MIN&', '/history?span=week&']) {
          await page.goto(`${server.url}${path}sensor=${encodeURIComponent(sensor)}`);
          await chartOf(page).waitFor();
          // Without measurements, the axis has no numbers.
          await until(async () => isFaulty || (await drawingOn(page)).texts.includes('0'));
          expect(await cutTexts(page), path).toEqual([]);
          const links = await page.evaluate(overflowing, '[aria-label=Sensors] a span.font-bold');
          expect(links, path).toEqual([]);
          expect(await scrollsSideways(page), path).toBe(false);
        }
        await waitForHistory(page);
        const numbers = numbersOf(page, 'CO2');
        await (isFaulty ? numbers.getByText('fault') : numbers.getByRole('definition').first()).waitFor();
        await until(() => page.evaluate(() => !document.querySelector('section[aria-busy=true]')));
        for (const figure of await page.locator('dl dd').all()) {
          const { height } = (await figure.boundingBox()) ?? {};
          expect(height, `${await figure.innerText()} is on one line`).toBeLessThan(40);
        }
        expect(await page.evaluate(overflowing, 'dl dd')).toEqual([]);
        if (isFaulty) continue;
        await page.getByText('As a table').click();
        expect(await page.evaluate(labelsOutside, 'svg[role=img] text')).toEqual([]);
        expect(await scrollsSideways(page), 'with the table').toBe(false);
      }
      await context.close();
    },
  );

  test('the strip abbreviates large values', async () => {
    const [, large = ''] = sensors;
    const page = await openPage(chromium.browser, `${server.url}/?sensor=${encodeURIComponent(large)}`);
    await linkTo(page, large)
      .getByText(/^\d+(\.\d+)?[KMB] PPM$/)
      .waitFor();
  });
});

describe('the key field', () => {
  const KEY = 'correct-horse-battery';
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ env: { WRITE_KEY: KEY } });
    const now = Date.now();
    const readings = Array.from({ length: 40 }, (_, i) => ({
      co2: 600 + i,
      voc: 120,
      created_at: new Date(now - (40 - i) * 15_000).toISOString(),
    }));
    await post(server.url, readings, { Authorization: `Bearer ${KEY}` });
  });

  afterAll(() => server.stop());

  /** The largest unnoticeable sum of layout shifts: a fifth of the "good" threshold of Core Web Vitals. */
  const UNNOTICED = 0.02;

  interface Shifts {
    shifts: number[];
  }

  /** Records a page's layout shifts. Runs in a page, with the write key remembered by its browser. */
  function noteShifts({ name, key }: { name: string; key: string | null }): void {
    if (key) localStorage.setItem(name, key);
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  }

  test.each([
    [390, null],
    [390, KEY],
    [1440, null],
    [1440, KEY],
  ])(
    'with a WRITE_KEY nothing moves while the dashboard and /postdata load, at %d px with the remembered key %s',
    async (width, key) => {
      const context = await chromium.browser.newContext({ viewport: { width, height: 900 } });
      await context.addInitScript(noteShifts, { name: STORAGE_KEY, key });
      const page = await openTab(context);
      for (const path of ['/', '/postdata']) {
        await page.goto(server.url + path);
        await waitUntilInteractive(page);
        if (path === '/') await tileOf(page, 'CO2').waitFor();
        else await page.getByLabel(key ? 'CO2 reading:' : /write key/).waitFor();
        // The browser reports a shift after its frame.
        await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
        const shifts = await page.evaluate(() => (window as unknown as Shifts).shifts);
        expect(
          shifts.reduce((sum, shift) => sum + shift, 0),
          path,
        ).toBeLessThan(UNNOTICED);
      }
      await context.close();
    },
  );
});
