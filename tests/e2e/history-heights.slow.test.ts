import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxOf } from '../support/browser/dashboard';
import { numbersOf, waitForHistory } from '../support/browser/history-page';
import { openPage, withChromium } from '../support/browser/page';
import type { RunningServer } from '../support/server/server';
import { startServerWith } from '../support/server/server';

const chromium = withChromium();
let server: RunningServer;

beforeAll(async () => {
  // Twelve days, of which every moment is at a level that is not good.
  server = await startServerWith(3456, { intervalMs: 300_000, env: { CO2_GOOD: '610', VOC_GOOD: '205' } });
});

afterAll(() => server.stop());

test('on a phone the numbers, and the line above the table, are as high in every span', async () => {
  const page = await openPage(chromium.browser, 'about:blank', {
    viewport: { width: 390, height: 844 },
    timezoneId: 'Europe/Berlin',
  });
  const heights: number[][] = [];
  for (const span of ['day', 'week', 'month', 'year', 'all']) {
    await page.goto(`${server.url}/history?span=${span}`);
    await waitForHistory(page);
    await numbersOf(page, 'CO2').and(page.locator('[aria-busy=false]')).waitFor();
    const worst = page.getByRole('region', { name: /^When it is worst/ });
    await worst.getByText(/^Worst:/).waitFor();
    const title = await boxOf(worst.locator('> div').first());
    heights.push(
      [...(await Promise.all(['CO2', 'VOC'].map((name) => boxOf(numbersOf(page, name))))), title].map(
        ({ height }) => Math.round(height),
      ),
    );
  }
  for (const ofSpan of heights) expect(ofSpan).toEqual(heights[0]);
});
