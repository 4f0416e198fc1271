import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForPoints, waitUntilInteractive } from '../support/browser/dashboard';
import { openPage, withChromium } from '../support/browser/page';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';
import { filesBelow, PAGE_PATHS, READING_PAGES } from '../support/sources';

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

test("a phone's header takes 64 px with the name, the tagline and all links, and 48 px at most in landscape", async () => {
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

/** Returns the lowest pixel of the header, the first and last of the cards, the page's height, and the notice's place. */
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
  'on %s the offline notice moves nothing, and at the end of the page covers nothing, at any size',
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
      // No empty band waits for the notice.
      expect(card - header).toBeLessThanOrEqual(12);
      const [top = 0, bottom = 0] = notice ?? [];
      expect(bottom).toBeGreaterThan(top);
      expect(bottom).toBeLessThanOrEqual(SIZES[i]?.[1] ?? 0);
      // At the end of the page, its content ends above the notice.
      expect(height - content).toBeGreaterThanOrEqual((SIZES[i]?.[1] ?? 0) - top);
    }
    // The browser logs each failed request, also those still to come.
    await page.goto('about:blank');
    page.complaints.splice(0);
  },
);

test('the first Tab reaches a link that skips the header, on every page', async () => {
  // Pages load quicker without their scripts, which the link doesn't need.
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
    // The next Tab goes on from there.
    expect(await page.getByRole('main').evaluate((node) => node === document.activeElement)).toBe(true);
    page.complaints.splice(0);
  }
});

test.each(['keyboard', 'touch', 'no script'])(
  'by %s the guide to the numbers opens over the page and moves nothing',
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
    await guide.getByText('German Environment Agency').waitFor();
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

test('a wall hides the guide, also in a browser that does not know popovers, and a dashboard after it has it', async () => {
  const page = await openPage(chromium.browser, `${server.url}/?wall`);
  await waitForPoints(page, 10);
  const text = page.getByText('German Environment Agency');
  const setPopover = (isKnown: boolean) =>
    text.evaluate((element, isKnown) => {
      const guide = element.closest('section') as Element;
      if (isKnown) guide.setAttribute('popover', 'auto');
      else guide.removeAttribute('popover');
    }, isKnown);
  await setPopover(false);
  expect(await text.isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await waitUntilInteractive(page);
  expect(await text.isVisible()).toBe(true);
  await setPopover(true);
  await openGuide(page);
});

test('no script has the text of the guide', () => {
  const scripts = filesBelow('build/client').filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((path) => readFileSync(path, 'utf8').includes('Umweltbundesamt'))).toEqual([]);
});

test('where nobody is notified, a page says how to set it up, no page links to it, and the API says 404', async () => {
  const page = await openPage(chromium.browser, `${server.url}/notifications`);
  await page.getByText('NOTIFY_URLS=').waitFor();
  await page.getByText('ntfys://ntfy.sh/TOPIC').waitFor();
  expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);
  for (const method of ['GET', 'POST']) {
    expect((await fetch(`${server.url}/api/notifications`, { method })).status).toBe(404);
  }
});
