import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartOf, tileOf, waitUntilInteractive } from '../support/browser/dashboard';
import { type ColorName, colorOf } from '../support/browser/legible';
import { openPage, withChromium } from '../support/browser/page';
import { addSensor, evenReadings } from '../support/readings/sensors';
import { post } from '../support/server/api';
import { type RunningServer, startServer, startServerWith } from '../support/server/server';
import { until } from '../support/until';

describe('the card', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServerWith(60, { endMs: 200_000 });
  });

  afterAll(() => server.stop());

  /** Opens the page of a new sensor, and returns a function that posts to it. */
  async function openSensor() {
    const sensor = await addSensor(server, evenReadings(1, { endMs: 600_000 }));
    const page = await openPage(chromium.browser, `${server.url}/?sensor=${sensor}`);
    await tileOf(page, 'CO2')
      .getByText(/^no reading for /)
      .waitFor();
    await waitUntilInteractive(page);
    return { page, post: (values: { co2: number; voc: number }) => post(server.url, { ...values, sensor }) };
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

  const SIZES = [
    [1440, 900, true],
    [844, 390, true],
    [390, 844, false],
  ] as const;

  test('verdict and tiles take one row on a desktop and two on a phone, on the first screen, and never move', async () => {
    const page = await openPage(chromium.browser, server.url);
    const expectSame = async (before: Box[]) =>
      until(async () => JSON.stringify(await boxesOf(page)) === JSON.stringify(before)).catch(async () => {
        expect(await boxesOf(page)).toEqual(before);
      });
    await page.getByText('The air is not known').waitFor();
    const stale: Box[][] = [];
    for (const [width, height, isRow] of SIZES) {
      await page.setViewportSize({ width, height });
      const boxes = await boxesOf(page);
      stale.push(boxes);
      const [verdict, co2, voc] = boxes as [Box, Box, Box];
      expect(co2).toMatchObject({ y: voc.y, height: voc.height });
      expect(Math.abs(co2.width - voc.width)).toBeLessThanOrEqual(1);
      expect(isRow ? verdict.right <= co2.x && verdict.y === co2.y : verdict.bottom <= co2.y).toBe(true);
      expect(verdict.height === co2.height).toBe(isRow);
      expect(voc.right).toBeLessThanOrEqual(width);
      // A chart shrinks in a frame after the page does.
      await until(() => page.evaluate((width) => document.documentElement.scrollWidth <= width, width));
      expect(verdict.bottom).toBeLessThanOrEqual(height);
      if (height === 900) expect((await boxOf(chartOf(page))).bottom).toBeLessThanOrEqual(height);
    }
    await post(server.url, { co2: 1356, voc: 245 });
    await tileOf(page, 'CO2').getByText('1356', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'POST RANDOM DATA', disabled: false }).waitFor();
    for (const [i, [width, height]] of SIZES.entries()) {
      await page.setViewportSize({ width, height });
      await expectSame(stale[i] as Box[]);
    }
    await tileOf(page, 'CO2').getByText('moderate', { exact: true }).waitFor();
    await post(server.url, { co2: 1357, voc: 246 });
    const shown = [
      tileOf(page, 'CO2').getByText('1357', { exact: true }),
      tileOf(page, 'VOC').getByText('246', { exact: true }),
    ];
    for (const value of shown) await value.waitFor();
    for (const [i, [width, height]] of SIZES.entries()) {
      await page.setViewportSize({ width, height });
      await expectSame(stale[i] as Box[]);
      for (const value of shown) expect((await boxOf(value)).bottom).toBeLessThanOrEqual(height);
    }
  });

  type Box = Awaited<ReturnType<typeof boxOf>>;

  test('the mark is in the zone of the value, and zones differ in forced colours', async () => {
    const { page, post } = await openSensor();
    const tile = tileOf(page, 'CO2');
    const frames: string[] = [];
    for (const [co2, level, share] of [
      [-50, 'good', 0],
      [500, 'good', 0.5],
      [1500, 'moderate', 0.5],
      [2250, 'poor', 0.5],
      [9999, 'poor', 1],
    ] as const) {
      await post({ co2, voc: 100 });
      await tile.getByText(String(co2), { exact: true }).waitFor();
      for (const forcedColors of ['none', 'active'] as const) {
        await page.emulateMedia({ forcedColors });
        const zone = await boxOf(tile.locator(`[data-zone=${level}]`));
        const mark = await boxOf(tile.locator('[data-mark] line').last());
        expect(Math.abs(mark.x + mark.width / 2 - (zone.x + share * zone.width))).toBeLessThan(5);
      }
      frames.push(await tile.evaluate((node) => getComputedStyle(node).outlineStyle));
    }
    expect(frames).toEqual(['none', 'none', 'double', 'solid', 'solid']);
    expect(await verdictOf(page).evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid');
    const patterns = await tile
      .locator('[data-zone]')
      .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).backgroundImage));
    expect(new Set(patterns).size).toBe(3);
  });

  test('a long change is shortened in a narrow tile, and exact in the title and for screen readers', async () => {
    const { page, post } = await openSensor();
    await post({ co2: 110, voc: 0.001 });
    await tileOf(page, 'CO2').getByText('110').waitFor();
    await post({ co2: 800, voc: 300 });
    for (const [width, co2] of [
      [1280, '+627.27%'],
      [320, '+627%'],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
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

  /** Returns the visible text, without hidden text and text for screen readers. */
  async function visibleText(element: Locator): Promise<string> {
    return element.evaluate((node) =>
      [...node.children]
        .filter((child) => (child as HTMLElement).offsetWidth > 1)
        .map((child) => child.textContent)
        .join(''),
    );
  }

  test('readings around a threshold are announced once, and a reload shows the same', async () => {
    const { page, post } = await openSensor();
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
    for (let i = 0; i < 6; i++) {
      const co2 = 1000 + (i % 2 ? -8 - i : 8 + i);
      await post({ co2, voc: 100 });
      await tileOf(page, 'CO2').getByText(String(co2)).waitFor();
    }
    expect(await page.evaluate(() => (window as unknown as { announced: string[] }).announced)).toEqual([
      'Open a window soon',
    ]);
    await page.reload();
    await verdictOf(page).getByText('Open a window soon').waitFor();
    expect(await verdictOf(page).innerText()).toContain('CO2 is 987 PPM; now below 1000.');
  });
});

describe('colours', () => {
  const chromium = withChromium();
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.stop());

  const METRICS = [
    { metric: 'co2', name: 'CO2' },
    { metric: 'voc', name: 'VOC' },
  ] as const;

  const COLORS = { good: 'green', moderate: 'orange', poor: 'red' } as const;

  /** Values of each level, with the resulting changes and verdict. */
  const STEPS = [
    { co2: 800, voc: 399, levels: ['good', 'good'], changes: ['–', '–'], verdict: 'Good air' },
    {
      co2: 750,
      voc: 400,
      levels: ['good', 'moderate'],
      changes: ['-6.25%', '+0.25%'],
      verdict: 'Open a window soon',
    },
    {
      co2: 2250,
      voc: 400,
      levels: ['poor', 'moderate'],
      changes: ['+200.00%', '0.00%'],
      verdict: 'Open a window now',
    },
  ] as const;

  type Look = [element: Locator, property: 'color' | 'backgroundColor', color: ColorName];

  /** Expects elements to have these colours in a light and in a dark scheme. */
  async function expectColors(page: Page, looks: Look[], state: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [element, property, color] of looks)
        expect(await colorOf(element, property), `${property} of ${element}, ${state}, ${colorScheme}`).toBe(
          color,
        );
    }
  }

  /** A rise is green, a fall red, and no change neutral. */
  function colorOfChange(change: string): ColorName {
    if (change.startsWith('+')) return 'green';
    return change.startsWith('-') ? 'red' : 'neutral';
  }

  test('tiles are neutral before the first reading, and then show levels in words and colours in both schemes', async () => {
    const page = await openPage(chromium.browser, server.url);
    await page.getByRole('button', { name: 'POST RANDOM DATA', disabled: false }).waitFor();
    const waiting = METRICS.map(({ name }) => tileOf(page, name));
    for (const tile of waiting) {
      await tile.getByText('Getting Reading').waitFor();
      expect(await tile.getAttribute('data-level')).toBeNull();
    }
    await expectColors(
      page,
      waiting.map((tile) => [tile, 'backgroundColor', 'neutral']),
      'waiting',
    );
    for (const { levels, changes, verdict, ...values } of STEPS) {
      await post(server.url, values);
      const state = JSON.stringify(values);
      const looks: Look[] = [];
      for (const [i, { metric, name }] of METRICS.entries()) {
        const tile = tileOf(page, name);
        const [level = 'good', change = ''] = [levels[i], changes[i]];
        const value = tile.getByText(String(values[metric]), { exact: true });
        await value.waitFor();
        await tile.getByText(level, { exact: true }).waitFor();
        await tile.getByText(change).waitFor();
        expect(await tile.getAttribute('data-level'), `${name}, ${state}`).toBe(level);
        looks.push(
          [tile, 'backgroundColor', COLORS[level]],
          [value, 'color', COLORS[level]],
          [tile.getByText(change), 'color', colorOfChange(change)],
        );
      }
      const panel = page.getByRole('region', { name: 'Verdict' });
      await panel.getByText(verdict).waitFor();
      const worse = levels.includes('poor' as never)
        ? 'poor'
        : levels.includes('moderate' as never)
          ? 'moderate'
          : 'good';
      await expectColors(page, [...looks, [panel, 'backgroundColor', COLORS[worse]]], state);
    }
  });
});
