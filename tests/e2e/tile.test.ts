import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, postAll } from '../support/api';
import { colorOf } from '../support/color';
import { tileOf } from '../support/dashboard';
import { openPage, type WatchedPage, withChromium } from '../support/page';
import { type RunningServer, startServer } from '../support/server';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Values at and beside each bound of the specification's section 9. */
const LEVELS = [
  { co2: 999.99, voc: 399, level: 'good', color: 'green' },
  { co2: 1000, voc: 400, level: 'moderate', color: 'orange' },
  { co2: 1999, voc: 799.5, level: 'moderate', color: 'orange' },
  { co2: 2000, voc: 800, level: 'poor', color: 'red' },
];

async function openWaiting(colorScheme: 'light' | 'dark'): Promise<WatchedPage> {
  const page = await openPage(chromium.browser, server.url, { colorScheme });
  await tileOf(page, 'CO2').getByText('Getting Reading').waitFor();
  await page.getByRole('button', { name: 'POST RANDOM DATA', disabled: false }).waitFor();
  return page;
}

describe.each(['light', 'dark'] as const)('in a %s scheme', (colorScheme) => {
  test("a tile is neutral until the first insert and then shows its level's word and colours", async () => {
    const page = await openWaiting(colorScheme);
    for (const name of ['CO2', 'VOC']) {
      expect(await tileOf(page, name).getAttribute('data-level')).toBeNull();
      expect(await colorOf(tileOf(page, name), 'backgroundColor')).toBe('neutral');
    }
    for (const { co2, voc, level, color } of LEVELS) {
      await post(server.url, { co2, voc });
      for (const [name, value] of [['CO2', co2] as const, ['VOC', voc] as const]) {
        const tile = tileOf(page, name);
        await tile.getByText(String(value), { exact: true }).waitFor();
        await tile.getByText(level, { exact: true }).waitFor();
        expect(await tile.getAttribute('data-level')).toBe(level);
        expect(await colorOf(tile, 'backgroundColor')).toBe(color);
        expect(await colorOf(tile.getByText(String(value), { exact: true }), 'color')).toBe(color);
      }
    }
  });

  test('shows a rise green with a plus, a fall red with a minus, and no change neutral', async () => {
    const page = await openWaiting(colorScheme);
    await post(server.url, { co2: 0, voc: 300 });
    await tileOf(page, 'VOC').getByText('300').waitFor();
    await post(server.url, { co2: 600, voc: 400 });
    await tileOf(page, 'CO2').getByText('600').waitFor();
    // A change from 0 has no percentage.
    const dash = tileOf(page, 'CO2').getByText('–');
    expect(await colorOf(dash, 'color')).toBe('neutral');
    expect(await colorOf(tileOf(page, 'VOC').getByText('+33.33%'), 'color')).toBe('green');
    await post(server.url, { co2: 400, voc: 400 });
    expect(await colorOf(tileOf(page, 'CO2').getByText('-33.33%'), 'color')).toBe('red');
    expect(await colorOf(tileOf(page, 'VOC').getByText('0.00%'), 'color')).toBe('neutral');
  });

  test('the verdict gives the worse of the two levels, in its colour', async () => {
    const page = await openWaiting(colorScheme);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    // Good only once five readings were, because other tests have posted worse ones just before.
    await postAll(server.url, Array(4).fill({ co2: 420, voc: 90 }));
    for (const [reading, words, color] of [
      [{ co2: 420, voc: 90 }, 'Good air', 'green'],
      [{ co2: 420, voc: 500 }, 'Open a window soon', 'orange'],
      [{ co2: 2500, voc: 90 }, 'Open a window now', 'red'],
    ] as const) {
      await post(server.url, reading);
      await verdict.getByText(words).waitFor();
      expect(await colorOf(verdict, 'backgroundColor')).toBe(color);
    }
  });
});
