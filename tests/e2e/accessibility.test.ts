import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post } from '../support/api';
import { violationsInAnyScheme } from '../support/axe';
import { chartOf, tileOf, waitUntilInteractive } from '../support/dashboard';
import { openPage, openTab, type WatchedPage, withChromium } from '../support/page';
import { GOOD_PAGES } from '../support/routes';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';

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
    // Its controls come with the effects of the chart.
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

describe('in a light and a dark scheme and in forced colours, axe finds nothing serious', () => {
  /** A scheme is switched at once then. */
  const STILL = { reducedMotion: 'reduce' } as const;

  test('on any page', async () => {
    const page = await openPage(chromium.browser, 'about:blank', STILL);
    for (const path of [...GOOD_PAGES, '/nowhere']) {
      await show(page, path);
      if (GOOD_PAGES.includes(path)) await waitForContent(page, path);
      expect(await violationsInAnyScheme(page), path).toEqual([]);
    }
    page.complaints.splice(0);
  });

  test('on the dashboard at each level, with rising and falling values', async () => {
    const page = await open('/', STILL);
    for (const [co2, level] of [
      [400, 'good'],
      [1500, 'moderate'],
      [2500, 'poor'],
      [900, 'good'],
    ] as const) {
      await post(server.url, { co2, voc: co2 / 3 });
      await tileOf(page, 'CO2').getByText(String(co2)).waitFor();
      await tileOf(page, 'CO2').getByText(level, { exact: true }).waitFor();
      expect(await violationsInAnyScheme(page)).toEqual([]);
    }
  });

  test('on /postdata with errors, with a stored reading, and offline', async () => {
    const page = await open('/postdata', STILL);
    await waitUntilInteractive(page);
    await page.getByRole('button', { name: 'POST', exact: true }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await violationsInAnyScheme(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reading +1' }).click();
    await page.getByText('Stored as reading').waitFor();
    expect(await violationsInAnyScheme(page)).toEqual([]);
    await page.context().setOffline(true);
    await page.getByText('Reconnecting…').waitFor();
    await page.getByRole('button', { name: 'Reading +1' }).click();
    await page.getByText('may or may not be stored').waitFor();
    expect(await violationsInAnyScheme(page)).toEqual([]);
    page.complaints.splice(0);
  });
});

test('on every page, Tab reaches every control in order, with a visible focus', async () => {
  const page = await openPage(chromium.browser, 'about:blank');
  for (const path of GOOD_PAGES) {
    await show(page, path);
    await waitForContent(page, path);
    if (/^\/(\?range|$)/.test(path))
      await page.getByRole('button', { name: 'POST RANDOM DATA', disabled: false }).waitFor();
    // A table of links is one stop.
    const controls = page.locator(
      ':is(a[href], button:enabled, input:enabled, summary):not([tabindex="-1"]):visible',
    );
    const all = await controls.evaluateAll((nodes) =>
      nodes.map((node) => node.ariaLabel ?? node.textContent),
    );
    const reached = await pressTab(page, all.length);
    expect(
      reached.filter(({ isVisible }) => !isVisible),
      `the focus on ${path}`,
    ).toEqual([]);
    expect(
      reached.map(({ name }) => name),
      path,
    ).toEqual(all);
  }
});

interface Reached {
  name: string | null;
  /** True if its outline shows that it has the focus. */
  isVisible: boolean;
}

/**
 * Presses Tab until this many elements have had the focus, and returns them. The page notes them itself: a date field has
 * several stops, and to ask the page after each would take most of the time.
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

test('the dashboard and /postdata work by keyboard alone', async () => {
  const dashboard = await open('/');
  await dashboard.getByRole('button', { name: '1HR', disabled: false }).focus();
  await dashboard.keyboard.press('Enter');
  await dashboard.getByRole('button', { name: '1HR', pressed: true }).waitFor();
  const panel = await openTab(dashboard.context());
  await show(panel, '/postdata');
  await waitUntilInteractive(panel);
  await panel.getByRole('switch').focus();
  await panel.keyboard.press('Space');
  await panel.getByText('paused').waitFor();
  await panel.getByLabel('CO2 reading:').focus();
  await panel.keyboard.type('432.1');
  await panel.keyboard.press('Tab');
  await panel.keyboard.type('43');
  await panel.keyboard.press('Enter');
  await panel.getByText(/Stored as reading \d+: CO2 432.1 PPM, VOC 43 PPB/).waitFor();
});
