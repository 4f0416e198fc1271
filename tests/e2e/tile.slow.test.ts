import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tileOf } from '../support/browser/dashboard';
import { type ColorName, colorOf } from '../support/browser/legible';
import { openPage, withChromium } from '../support/browser/page';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

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

/** Values at and beside each threshold, with the resulting changes and verdict. */
const STEPS = [
  { co2: 999.99, voc: 399, levels: ['good', 'good'], changes: ['–', '–'], verdict: 'Good air' },
  {
    co2: 750,
    voc: 400,
    levels: ['good', 'moderate'],
    changes: ['-25.00%', '+0.25%'],
    verdict: 'Open a window soon',
  },
  {
    co2: 1000,
    voc: 400,
    levels: ['moderate', 'moderate'],
    changes: ['+33.33%', '0.00%'],
    verdict: 'Open a window soon',
  },
  {
    co2: 1999,
    voc: 799.5,
    levels: ['moderate', 'moderate'],
    changes: ['+99.90%', '+99.88%'],
    verdict: 'Open a window soon',
  },
  {
    co2: 2000,
    voc: 799.5,
    levels: ['poor', 'moderate'],
    changes: ['+0.05%', '0.00%'],
    verdict: 'Open a window now',
  },
  {
    co2: 2000,
    voc: 800,
    levels: ['poor', 'poor'],
    changes: ['0.00%', '+0.06%'],
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

test('tiles are neutral until the first insert; then they, changes and the verdict show words and colours in both schemes', async () => {
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
