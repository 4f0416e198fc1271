import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { post } from '../support/api';
import { chartOf, tileOf } from '../support/dashboard';
import { openPage, withChromium } from '../support/page';
import { startServerWith } from '../support/seeded-server';
import type { RunningServer } from '../support/server';
import { until } from '../support/until';

const chromium = withChromium();
const servers: RunningServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

async function start(count: number, endMs = 5000): Promise<RunningServer> {
  const server = await startServerWith(count, { endMs });
  servers.push(server);
  return server;
}

const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict' });
const partsOf = (page: Page) => [verdictOf(page), tileOf(page, 'CO2'), tileOf(page, 'VOC')];

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not shown`);
  // Columns of the same width differ by fractions of a pixel.
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round) as [
    number,
    number,
    number,
    number,
  ];
  return { x, y, width, height, right: x + width, bottom: y + height };
}

const boxesOf = (page: Page) => Promise.all(partsOf(page).map(boxOf));

/** Shows the dashboard of a server. */
async function show(page: Page, server: RunningServer): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'POST RANDOM DATA', disabled: false }).waitFor();
}

test('verdict and tiles are one row on a desktop, two on a phone, in the first screen, and never move', async () => {
  const [server, quiet] = await Promise.all([start(60), start(60, 200_000)]);
  const page = await openPage(chromium.browser, 'about:blank');
  const stale = await openPage(chromium.browser, quiet.url);
  await stale.getByText('The air is not known').waitFor();
  for (const [width, height, isRow] of [
    [1440, 900, true],
    [844, 390, true],
    [390, 844, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    await show(page, server);
    const loading = await boxesOf(page);
    const [verdict, co2, voc] = loading as [Box, Box, Box];
    expect(co2).toMatchObject({ y: voc.y, height: voc.height });
    expect(Math.abs(co2.width - voc.width)).toBeLessThanOrEqual(1);
    expect(isRow ? verdict.right <= co2.x && verdict.y === co2.y : verdict.bottom <= co2.y).toBe(true);
    expect(verdict.height === co2.height).toBe(isRow);
    expect(voc.right).toBeLessThanOrEqual(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    for (const [name, value] of [
      ['CO2', 1357],
      ['VOC', 246],
    ] as const) {
      await post(server.url, { co2: 1357, voc: 246 });
      const shown = tileOf(page, name).getByText(String(value), { exact: true });
      await shown.waitFor();
      expect((await boxOf(shown)).bottom).toBeLessThanOrEqual(height);
    }
    expect(verdict.bottom).toBeLessThanOrEqual(height);
    if (height === 900) expect((await boxOf(chartOf(page))).bottom).toBeLessThanOrEqual(height);
    expect(await boxesOf(page)).toEqual(loading);
    await stale.setViewportSize({ width, height });
    await until(async () => JSON.stringify(await boxesOf(stale)) === JSON.stringify(loading)).catch(
      async () => {
        expect(await boxesOf(stale)).toEqual(loading);
      },
    );
  }
});

type Box = Awaited<ReturnType<typeof boxOf>>;

test('the mark stands in the zone of the value, also with forced colours, and the zones differ there', async () => {
  const server = await start(0);
  const page = await openPage(chromium.browser, server.url);
  const forced = await openPage(chromium.browser, server.url, { forcedColors: 'active' });
  for (const tab of [page, forced]) await tab.getByText('Getting Reading').first().waitFor();
  const frames: string[] = [];
  for (const [co2, level, share] of [
    [-50, 'good', 0],
    [500, 'good', 0.5],
    [1500, 'moderate', 0.5],
    [2250, 'poor', 0.5],
    [9999, 'poor', 1],
  ] as const) {
    await post(server.url, { co2, voc: 100 });
    for (const tab of [page, forced]) {
      const tile = tileOf(tab, 'CO2');
      await tile.getByText(String(co2), { exact: true }).waitFor();
      const zone = await boxOf(tile.locator(`[data-zone=${level}]`));
      const mark = await boxOf(tile.locator('[data-mark] line').last());
      expect(Math.abs(mark.x + mark.width / 2 - (zone.x + share * zone.width))).toBeLessThan(5);
    }
    frames.push(await tileOf(forced, 'CO2').evaluate((node) => getComputedStyle(node).outlineStyle));
  }
  expect(frames).toEqual(['none', 'none', 'double', 'solid', 'solid']);
  expect(await verdictOf(forced).evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid');
  const patterns = await tileOf(forced, 'CO2')
    .locator('[data-zone]')
    .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).backgroundImage));
  expect(new Set(patterns).size).toBe(3);
});

test('a long change is short where it does not fit, and exact in the title and for screen readers', async () => {
  const server = await start(0);
  const wide = await openPage(chromium.browser, server.url);
  const narrow = await openPage(chromium.browser, server.url, { viewport: { width: 320, height: 640 } });
  for (const page of [wide, narrow]) await page.getByText('Getting Reading').first().waitFor();
  await post(server.url, { co2: 110, voc: 0.001 });
  await tileOf(narrow, 'CO2').getByText('110').waitFor();
  await post(server.url, { co2: 800, voc: 300 });
  for (const [page, co2] of [
    [wide, '+627.27%'],
    [narrow, '+627%'],
  ] as const) {
    const [exact, beyond] = [
      tileOf(page, 'CO2').getByTitle('+627.27%'),
      tileOf(page, 'VOC').getByTitle('+29999900.00%'),
    ];
    await exact.waitFor();
    expect(await visibleText(exact)).toBe(`▲ ${co2}`);
    expect(await visibleText(beyond)).toBe('▲ more than ×1000');
    const heard = await page.locator('article').first().ariaSnapshot();
    expect(heard).toContain('change: +627.27%');
    expect(heard).not.toMatch(/▲|\+627%/);
    const tile = await boxOf(tileOf(page, 'VOC'));
    expect((await boxOf(beyond)).right).toBeLessThan(tile.right);
  }
});

/** Returns the text that is drawn: without what is hidden, or there for screen readers only. */
async function visibleText(element: Locator): Promise<string> {
  return element.evaluate((node) =>
    [...node.children]
      .filter((child) => (child as HTMLElement).offsetWidth > 1)
      .map((child) => child.textContent)
      .join(''),
  );
}

test('readings around a limit are announced once, and a reload and another page say the same', async () => {
  const server = await start(0);
  const page = await openPage(chromium.browser, server.url);
  await page.getByText('Getting Reading').first().waitFor();
  await page.evaluate(() => {
    const announced: (string | null)[] = [];
    Object.assign(window, { announced });
    const status = document.querySelector('[aria-label=Verdict] [role=status]') as Element;
    new MutationObserver(() => announced.push(status.textContent)).observe(status, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  for (let i = 0; i < 12; i++) {
    const co2 = 1000 + (i % 2 ? -8 - i : 8 + i);
    await post(server.url, { co2, voc: 100 });
    await tileOf(page, 'CO2').getByText(String(co2)).waitFor();
  }
  expect(await page.evaluate(() => (window as unknown as { announced: string[] }).announced)).toEqual([
    'Open a window soon',
  ]);
  const other = await openPage(chromium.browser, server.url);
  await page.reload();
  for (const tab of [page, other]) {
    await verdictOf(tab).getByText('Open a window soon').waitFor();
    expect(await verdictOf(tab).innerText()).toContain('CO2 is 981 PPM; now below 1000.');
  }
});
